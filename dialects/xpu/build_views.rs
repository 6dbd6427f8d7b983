//! Reads ods/ with the tblgen crate and writes the axes as Rust enums and a typed view of each
//! operation.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use tblgen::record::Record;
use tblgen::{RecordKeeper, TableGenParser};

type Result<T> = std::result::Result<T, String>;

pub(crate) fn generate(prefix: &Path, out: &Path) -> Result<()> {
    let include = prefix.join("include");
    let keeper = TableGenParser::new()
        .add_source_file("ods/XpuOps.td")
        .add_include_directory(&include.to_string_lossy())
        .add_include_directory("ods")
        .parse()
        .map_err(|error| format!("ods/XpuOps.td: {error}"))?;
    write(&out.join("axes.rs"), &axes(&keeper)?)?;
    write(&out.join("views.rs"), &views(&keeper)?)
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

fn read<T>(value: std::result::Result<T, tblgen::Error>) -> Result<T> {
    value.map_err(|error| error.to_string())
}

/// One enum for each I32EnumAttr of the dialect.
fn axes(keeper: &RecordKeeper) -> Result<String> {
    let mut text = String::new();
    let mut found: Vec<Record<'_>> = keeper
        .all_derived_definitions("I32EnumAttr")
        .filter(|record| record.name().is_ok_and(|name| name.starts_with("Xpu_")))
        .collect();
    found.sort_by_key(|record| record.name().map(str::to_string).unwrap_or_default());
    for record in found {
        let name = read(record.str_value("className"))?;
        let summary = read(record.str_value("summary"))?;
        let cases = read(record.list_of_defs_value("enumerants"))?;
        let mut variants = String::new();
        let (mut all, mut names, mut numbers, mut from_names, mut from_numbers) = (
            String::new(),
            String::new(),
            String::new(),
            String::new(),
            String::new(),
        );
        for case in cases {
            let symbol = read(case.str_value("symbol"))?;
            let word = read(case.str_value("str"))?;
            let number = read(case.int_value("value"))?;
            // Writing to a String cannot fail.
            let _ = writeln!(variants, "    /// `{word}`\n    {symbol},");
            let _ = write!(all, "Self::{symbol}, ");
            let _ = writeln!(names, "            Self::{symbol} => \"{word}\",");
            let _ = writeln!(numbers, "            Self::{symbol} => {number},");
            let _ = writeln!(
                from_names,
                "            \"{word}\" => Some(Self::{symbol}),"
            );
            let _ = writeln!(
                from_numbers,
                "            {number} => Some(Self::{symbol}),"
            );
        }
        let _ = write!(
            text,
            "/// {summary}
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum {name} {{
{variants}}}

impl {name} {{
    /// Every case, in the order of the definition.
    pub const ALL: &'static [Self] = &[{all}];

    /// The word of the custom syntax.
    pub fn name(self) -> &'static str {{
        match self {{
{names}        }}
    }}

    /// The frozen number of the generic form and of bytecode.
    pub fn number(self) -> i32 {{
        match self {{
{numbers}        }}
    }}

    /// The case that a word names.
    pub fn from_name(name: &str) -> Option<Self> {{
        match name {{
{from_names}            _ => None,
        }}
    }}

    /// The case that a number stands for.
    pub fn from_number(number: i64) -> Option<Self> {{
        match number {{
{from_numbers}            _ => None,
        }}
    }}
}}

impl std::fmt::Display for {name} {{
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {{
        formatter.write_str(self.name())
    }}
}}

"
        );
    }
    Ok(text)
}

/// One view for each operation of the dialect.
fn views(keeper: &RecordKeeper) -> Result<String> {
    let mut text = String::from(
        "use crate::axes::*;\nuse crate::ir::{Attribute, Op, Region, Value};\nuse crate::types;\n\n",
    );
    let mut found: Vec<Record<'_>> = keeper
        .all_derived_definitions("Op")
        .filter(|record| {
            record
                .def_value("opDialect")
                .and_then(|dialect| dialect.str_value("name"))
                .is_ok_and(|dialect| dialect == "xpu")
        })
        .collect();
    found.sort_by_key(|record| record.name().map(str::to_string).unwrap_or_default());
    for record in found {
        view(record, &mut text)?;
    }
    Ok(text)
}

fn view(record: Record<'_>, text: &mut String) -> Result<()> {
    let mnemonic = read(record.str_value("opName"))?;
    let summary = read(record.str_value("summary"))?;
    let definition = read(record.name())?;
    let name = definition.trim_start_matches("Xpu_").trim_end_matches("Op");
    let mut methods = String::new();

    let arguments = read(record.dag_value("arguments"))?;
    let mut operand = 0;
    for (argument, constraint) in arguments.args() {
        let argument = argument.ok_or("an argument has no name")?;
        let field = Record::try_from(constraint).map_err(|error| error.to_string())?;
        accessor(argument, field, &mut operand, &mut methods)?;
    }
    let results = read(record.dag_value("results"))?;
    for (index, (result, _)) in results.args().enumerate() {
        let result = result.ok_or("a result has no name")?;
        let _ = write!(
            methods,
            "
    /// The result `{result}`.
    pub fn result_{result}(self) -> Value<'c> {{
        self.0.result({index})
    }}
"
        );
    }
    let regions = read(record.dag_value("regions"))?;
    for (index, (region, _)) in regions.args().enumerate() {
        let region = region.ok_or("a region has no name")?;
        let _ = write!(
            methods,
            "
    /// The region `{region}`.
    pub fn {region}(self) -> Region<'c> {{
        self.0.region({index})
    }}
"
        );
    }
    let _ = write!(
        text,
        "/// `xpu.{mnemonic}`: {summary}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct {name}<'c>(Op<'c>);

impl<'c> {name}<'c> {{
    /// The operation's name.
    pub const NAME: &'static str = \"xpu.{mnemonic}\";

    /// A view of an operation of this name.
    pub fn of(op: Op<'c>) -> Option<Self> {{
        op.is(Self::NAME).then_some(Self(op))
    }}

    /// The operation.
    pub fn op(self) -> Op<'c> {{
        self.0
    }}
{methods}}}

"
    );
    Ok(())
}

/// The accessor of an operand or attribute.
fn accessor(
    name: &str,
    field: Record<'_>,
    operand: &mut usize,
    methods: &mut String,
) -> Result<()> {
    if !field.subclass_of("Attr") {
        let index = *operand;
        *operand += 1;
        if field.subclass_of("Variadic") {
            let _ = write!(
                methods,
                "
    /// The operands `{name}`, the last of the operation.
    pub fn {name}(self) -> Vec<Value<'c>> {{
        self.0.operands().split_off({index})
    }}
"
            );
        } else {
            let _ = write!(
                methods,
                "
    /// The operand `{name}`.
    pub fn {name}(self) -> Value<'c> {{
        self.0.operand({index})
    }}
"
            );
        }
        return Ok(());
    }
    let optional = field.subclass_of("OptionalAttr");
    let base = if optional {
        read(field.def_value("baseAttr"))?
    } else {
        field
    };
    let is_axis = base.subclass_of("I32EnumAttr");
    let attribute = format!("self.0.attribute(\"{name}\")");
    let (ty, body) = if is_axis {
        let axis = read(base.str_value("className"))?;
        let number = "types::integer_value";
        (
            axis.to_string(),
            format!("{attribute}.and_then({number}).and_then({axis}::from_number)"),
        )
    } else {
        ("Attribute<'c>".to_string(), attribute)
    };
    if optional {
        let _ = write!(
            methods,
            "
    /// The attribute `{name}`, where it is there.
    pub fn {name}(self) -> Option<{ty}> {{
        {body}
    }}
"
        );
    } else {
        let _ = write!(
            methods,
            "
    /// The attribute `{name}`.
    pub fn {name}(self) -> {ty} {{
        {body}.unwrap_or_else(|| unreachable!(\"a verified operation has '{name}'\"))
    }}
"
        );
    }
    if is_axis {
        let _ = write!(
            methods,
            "
    /// Sets the attribute `{name}`.
    pub fn set_{name}(self, value: {ty}) {{
        let number = types::i32_attribute(self.0.context(), value.number());
        self.0.set_attribute(\"{name}\", number);
    }}
"
        );
    }
    Ok(())
}
