//! The argument language of `--arg` and `--expect`: reading it, and making the values it stands for.
#![doc = ""]
#![doc = include_str!("argument_language.md")]

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::element::ElementType;
use crate::error::RunError;
use crate::literal::{from_f64, mask, parse_literal};
use crate::memory::{check_host_memory, reserve};
use crate::random::SplitMix64;
use crate::values::{Values, display_shape, element_count, plural};

/// The argument language, in Markdown: for `--help` and the documentation.
pub const ARGUMENT_LANGUAGE: &str = include_str!("argument_language.md");

/// An argument as it was written; [`evaluate`](ArgumentSpec::evaluate) makes its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentSpec {
    element: ElementType,
    /// `None` for a scalar, and for a file without extents.
    shape: Option<Vec<u64>>,
    source: Source,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Source {
    Fill(u64),
    Iota,
    Random(u64),
    List(Vec<u64>),
    File(PathBuf),
    Scalar(u64),
}

/// Reads `text` and makes its values; `what` names it in errors ("argument 2").
///
/// # Errors
/// Says what the text should be, what is wrong with its file, or that there is not enough memory.
pub fn parse_argument(what: &str, text: &str) -> Result<Values, RunError> {
    let short = shortened(text);
    let spec: ArgumentSpec = text.parse().map_err(|message| RunError::ArgumentText {
        what: what.to_owned(),
        text: short.to_owned(),
        message,
    })?;
    spec.evaluate(&format!("{what} \"{short}\""))
}

impl FromStr for ArgumentSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if let Some(list) = text.strip_prefix('[') {
            return parse_list(list);
        }
        if let Some(file) = text.strip_prefix('@') {
            return parse_file(file);
        }
        let Some((head, ty)) = text.rsplit_once(':') else {
            return Err("has no type: write it as 1000:i32, [1,2]:i32 or zeros:256xi32".into());
        };
        if let Some(source) = parse_generator(head, ty)? {
            return parse_generated(head, source, ty);
        }
        let (extents, element) = parse_type(ty)?;
        if extents.is_some() {
            return Err(format!(
                "\"{head}\" makes no buffer: zeros, fill(VALUE), iota and random(SEED) do"
            ));
        }
        let source = Source::Scalar(parse_literal(element, head)?);
        Ok(Self {
            element,
            shape: None,
            source,
        })
    }
}

impl ArgumentSpec {
    /// Makes the values; `what` names the argument in errors.
    ///
    /// # Errors
    /// If a file cannot be read or holds too many or too few bytes, or if the values do not fit
    /// into memory.
    pub fn evaluate(&self, what: &str) -> Result<Values, RunError> {
        let element = self.element;
        let bits: &mut dyn FnMut(u64) -> u64 = match &self.source {
            Source::File(path) => return self.read_file(what, path),
            Source::Scalar(bits) => return Ok(Values::scalar(element, *bits)),
            Source::Fill(bits) => &mut |_| *bits,
            Source::Iota if element.is_float() => &mut |index| from_f64(element, index as f64),
            Source::Iota => &mut |index| index & mask(element),
            Source::Random(seed) => {
                let mut generator = SplitMix64::new(*seed);
                &mut move |_| generator.element(element)
            }
            Source::List(list) => &mut |index| list.get(index as usize).copied().unwrap_or(0),
        };
        let shape = self.shape.clone().unwrap_or_default();
        let (count, bytes) = sizes(element, &shape).ok_or_else(|| too_large(what))?;
        let mut memory = reserve(what, bytes)?;
        for index in 0..count {
            memory.extend_from_slice(&bits(index).to_le_bytes()[..element.size()]);
        }
        Values::buffer(element, shape, memory).ok_or_else(|| too_large(what))
    }

    fn read_file(&self, what: &str, path: &Path) -> Result<Values, RunError> {
        let (element, size) = (self.element, self.element.size());
        let bytes = read_bytes(what, path)?;
        let name = path.display();
        let wrong = |message: String| RunError::Input(format!("{what}: {message}"));
        let (count, rest) = ((bytes.len() / size) as u64, bytes.len() % size);
        if rest != 0 {
            let length = bytes.len();
            return Err(wrong(format!(
                "{name} holds {length} {}, which is no whole number of {size}-byte {element} \
                 elements",
                plural(length as u64, "byte"),
            )));
        }
        if element == ElementType::I1
            && let Some(at) = bytes.iter().position(|byte| *byte > 1)
        {
            let byte = bytes[at];
            return Err(wrong(format!(
                "{name} holds {byte} at byte {at}, but an i1 is 0 or 1"
            )));
        }
        let shape = self.shape.clone().unwrap_or_else(|| vec![count]);
        if element_count(&shape) != Some(count) {
            let shape = display_shape(&shape, element);
            let elements = plural(count, "element");
            return Err(wrong(format!(
                "{name} holds {count} {elements}, not those of {shape}"
            )));
        }
        Values::buffer(element, shape, bytes).ok_or_else(|| too_large(what))
    }
}

/// A file's bytes, if there are not more than memory holds.
fn read_bytes(what: &str, path: &Path) -> Result<Vec<u8>, RunError> {
    let failed = |source| RunError::File {
        action: "read",
        path: path.to_owned(),
        source,
    };
    let mut file = File::open(path).map_err(failed)?;
    // Pipes have no length; then the vector grows as they are read.
    let length = file.metadata().map_err(failed)?.len();
    let mut bytes = reserve(what, length)?;
    let mut piece = [0; 1 << 16];
    loop {
        let read = match file.read(&mut piece) {
            Ok(0) => return Ok(bytes),
            Ok(read) => read,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(failed(error)),
        };
        if bytes.capacity() - bytes.len() < read {
            check_host_memory(what, bytes.len() as u64 * 2)?;
            bytes
                .try_reserve(read)
                .map_err(|_| RunError::OutOfMemory(format!("{what} is larger than memory")))?;
        }
        bytes.extend_from_slice(&piece[..read]);
    }
}

/// What follows the opening bracket of `[1,2,3]:i32`.
fn parse_list(text: &str) -> Result<ArgumentSpec, String> {
    let Some((list, ty)) = text.rsplit_once(']') else {
        return Err("the list has no closing bracket: [1,2,3]:i32".into());
    };
    let ty = ty
        .strip_prefix(':')
        .ok_or("the list has no type: [1,2,3]:i32")?;
    let (extents, element) = parse_type(ty)?;
    let elements: Vec<u64> = match list.trim() {
        "" => Vec::new(),
        list => list
            .split(',')
            .enumerate()
            .map(|(index, literal)| {
                parse_literal(element, literal.trim())
                    .map_err(|message| format!("element {index}: {message}"))
            })
            .collect::<Result<_, _>>()?,
    };
    let count = elements.len() as u64;
    let shape = extents.unwrap_or_else(|| vec![count]);
    if element_count(&shape) != Some(count) {
        let (shape, elements) = (display_shape(&shape, element), plural(count, "element"));
        return Err(format!("lists {count} {elements}, not those of {shape}"));
    }
    Ok(ArgumentSpec {
        element,
        shape: Some(shape),
        source: Source::List(elements),
    })
}

/// What follows the `@` of `@data.bin:i32`.
fn parse_file(text: &str) -> Result<ArgumentSpec, String> {
    let (path, ty) = text
        .rsplit_once(':')
        .ok_or("the file has no type: @data.bin:i32")?;
    if path.is_empty() {
        return Err("names no file: @data.bin:i32".into());
    }
    let (shape, element) = parse_type(ty)?;
    Ok(ArgumentSpec {
        element,
        shape,
        source: Source::File(path.into()),
    })
}

/// Which generator `head` is, if it is one; its value is read as what `ty` ends in.
fn parse_generator(head: &str, ty: &str) -> Result<Option<Source>, String> {
    let inside = |name: &str| {
        head.strip_prefix(name)?
            .strip_prefix('(')?
            .strip_suffix(')')
    };
    if head == "zeros" {
        return Ok(Some(Source::Fill(0)));
    }
    if head == "iota" {
        return Ok(Some(Source::Iota));
    }
    if let Some(value) = inside("fill") {
        let (_, element) = parse_type(ty)?;
        return Ok(Some(Source::Fill(parse_literal(element, value.trim())?)));
    }
    if let Some(seed) = inside("random") {
        let wide = ElementType::I64;
        let seed =
            parse_literal(wide, seed.trim()).map_err(|message| format!("seed: {message}"))?;
        return Ok(Some(Source::Random(seed)));
    }
    for (name, form) in [("fill", "fill(7):16xi32"), ("random", "random(42):16xi32")] {
        if head.starts_with(name) {
            return Err(format!("\"{head}\" is not well formed: {form}"));
        }
    }
    Ok(None)
}

fn parse_generated(head: &str, source: Source, ty: &str) -> Result<ArgumentSpec, String> {
    let (shape, element) = parse_type(ty)?;
    let shape = shape.ok_or_else(|| format!("has no extent: {head}:256x{element}"))?;
    if sizes(element, &shape).is_none() {
        let shape = display_shape(&shape, element);
        return Err(format!("{shape} is larger than any memory"));
    }
    Ok(ArgumentSpec {
        element,
        shape: Some(shape),
        source,
    })
}

/// Reads `4x8xi32` or `i32`.
fn parse_type(text: &str) -> Result<(Option<Vec<u64>>, ElementType), String> {
    let mut extents = Vec::new();
    let mut rest = text.trim();
    while let Some((extent, after)) = rest.split_once('x') {
        if extent.is_empty() || !extent.bytes().all(|byte| byte.is_ascii_digit()) {
            // The x of "index", or of a type that does not exist.
            break;
        }
        let extent = extent
            .parse()
            .map_err(|_| format!("the extent {extent} is too large"))?;
        extents.push(extent);
        rest = after;
    }
    if rest.starts_with(['?', '-']) {
        return Err(format!(
            "\"{text}\" has an extent that is no number: write 4x8xi32"
        ));
    }
    let element = rest.parse()?;
    Ok(((!extents.is_empty()).then_some(extents), element))
}

/// The elements and bytes of a buffer; `None` if no memory could hold it.
fn sizes(element: ElementType, shape: &[u64]) -> Option<(u64, u64)> {
    let count = element_count(shape)?;
    let bytes = count.checked_mul(element.size() as u64)?;
    (bytes <= isize::MAX as u64).then_some((count, bytes))
}

fn too_large(what: &str) -> RunError {
    RunError::OutOfMemory(format!("{what} is larger than any memory"))
}

/// Enough of an argument's text to know it by.
fn shortened(text: &str) -> &str {
    let end = text.char_indices().nth(60).map_or(text.len(), |(at, _)| at);
    &text[..end]
}

#[cfg(test)]
mod tests;
