//! Code blocks of a Markdown page, and what an HTML comment before one says about it.

use anyhow::{Result, bail};

/// A fenced block.
#[derive(Debug, PartialEq)]
pub(crate) struct Block {
    /// The line of the opening fence, from 1.
    pub(crate) line: usize,
    /// The word after the fence; `console` where there is none and the block begins with `$ `.
    pub(crate) language: String,
    /// The text, without the indentation of the fence.
    pub(crate) text: String,
    /// The indentation of the fence.
    pub(crate) indent: usize,
    /// What the comment before it says.
    pub(crate) note: Note,
}

/// What `<!-- … -->` on a line of its own before a block says. Readers do not see it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Note {
    /// Nothing.
    #[default]
    None,
    /// `<!-- file: PATH -->`: the block is this file of the repository.
    File(String),
    /// `<!-- from: PATH -->`: the block is a part of this file of the repository.
    From(String),
    /// `<!-- fragment -->`: not a whole module, so it is not parsed.
    Fragment,
    /// `<!-- setup: COMMANDS -->`: what is run before the block.
    Setup(String),
    /// `<!-- not run: REASON -->`.
    NotRun(String),
}

impl Note {
    /// Comments with another first word are the page's own business.
    fn read(line: &str) -> Option<Self> {
        let text = line
            .trim()
            .strip_prefix("<!--")?
            .strip_suffix("-->")?
            .trim();
        if text == "fragment" {
            return Some(Self::Fragment);
        }
        let (word, rest) = text.split_once(':')?;
        let rest = rest.trim().to_owned();
        match word {
            "file" => Some(Self::File(rest)),
            "from" => Some(Self::From(rest)),
            "setup" => Some(Self::Setup(rest)),
            "not run" => Some(Self::NotRun(rest)),
            _ => None,
        }
    }
}

/// The blocks of a page. Fails where a fence is not closed.
pub(crate) fn blocks(page: &str) -> Result<Vec<Block>> {
    let mut blocks = Vec::new();
    let mut note = Note::None;
    let mut lines = page.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let Some(fence) = line.trim_start().strip_prefix("```") else {
            if let Some(found) = Note::read(line) {
                note = found;
            } else if !line.trim().is_empty() {
                note = Note::None;
            }
            continue;
        };
        let indent = line.len() - line.trim_start().len();
        let mut text = String::new();
        loop {
            let Some((_, line)) = lines.next() else {
                bail!("line {}: the block is not closed", number + 1);
            };
            if line.trim() == "```" {
                break;
            }
            text += unindented(line, indent);
            text.push('\n');
        }
        let word = fence.split([' ', ',', '{']).next().unwrap_or_default();
        let language = match word {
            "" if text.starts_with("$ ") => "console",
            word => word,
        };
        blocks.push(Block {
            line: number + 1,
            language: language.to_owned(),
            text,
            indent,
            note: std::mem::take(&mut note),
        });
    }
    Ok(blocks)
}

fn unindented(line: &str, indent: usize) -> &str {
    let blanks = line.len() - line.trim_start().len();
    &line[blanks.min(indent)..]
}

/// The page with other texts in some of its blocks, which are given in their order.
pub(crate) fn replace(page: &str, texts: &[(&Block, String)]) -> String {
    let mut lines: Vec<&str> = page.lines().collect();
    let indented: Vec<Vec<String>> = texts
        .iter()
        .map(|(block, text)| {
            let indent = " ".repeat(block.indent);
            text.lines().map(|line| format!("{indent}{line}")).collect()
        })
        .collect();
    for ((block, _), new) in texts.iter().zip(&indented).rev() {
        let count = block.text.lines().count();
        lines.splice(
            block.line..block.line + count,
            new.iter().map(String::as_str),
        );
    }
    lines.join("\n") + "\n"
}

impl Block {
    /// The name of the file that the block is, where its first line is a comment that has just that.
    pub(crate) fn file_name(&self) -> Option<&str> {
        let first = self.text.lines().next()?;
        let name = first
            .strip_prefix("// ")
            .or_else(|| first.strip_prefix("# "))?
            .trim();
        let plain = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
        let has_end = name == "CMakeLists.txt"
            || name
                .rsplit_once('.')
                .is_some_and(|(_, end)| !end.is_empty());
        (has_end && name.chars().all(plain) && !name.contains("..") && !name.starts_with('/'))
            .then_some(name)
    }

    /// Whether the block's lines stand in a text, one after another and indented alike.
    pub(crate) fn is_part_of(&self, text: &str) -> bool {
        let wanted: Vec<&str> = self.text.lines().map(str::trim_end).collect();
        let there: Vec<&str> = text.lines().map(str::trim_end).collect();
        !wanted.is_empty()
            && there.windows(wanted.len()).any(|window| {
                let shift = |line: &str| line.len() - line.trim_start().len();
                let by = shift(window[0]) as isize - shift(wanted[0]) as isize;
                window.iter().zip(&wanted).all(|(there, wanted)| {
                    there.trim_start() == wanted.trim_start()
                        && (wanted.is_empty()
                            || shift(there) as isize - shift(wanted) as isize == by)
                })
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "\
# A page

<!-- file: a.mlir -->

```mlir
// a.mlir
x
```

- in a list:

  ```
  $ run
    more
  ```

<!-- fragment -->
Text between withdraws the comment.
```mlir
y
```
";

    #[test]
    fn blocks_have_their_language_text_and_note() {
        let blocks = blocks(PAGE).unwrap();
        assert_eq!(blocks.len(), 3);
        assert_eq!(blocks[0].note, Note::File("a.mlir".into()));
        assert_eq!(blocks[0].file_name(), Some("a.mlir"));
        assert_eq!((blocks[0].line, blocks[0].indent), (5, 0));
        assert_eq!(blocks[1].language, "console");
        assert_eq!(blocks[1].text, "$ run\n  more\n");
        assert_eq!(blocks[2].note, Note::None);
        assert_eq!(blocks[2].file_name(), None);
    }

    #[test]
    fn an_open_block_is_an_error() {
        assert!(blocks("```mlir\nx\n").is_err());
    }

    #[test]
    fn texts_of_blocks_are_replaced_where_they_stand() {
        let blocks = blocks(PAGE).unwrap();
        let new = replace(
            PAGE,
            &[
                (&blocks[0], "one\ntwo\nthree\n".into()),
                (&blocks[1], "$ run\n".into()),
            ],
        );
        assert!(new.contains("```mlir\none\ntwo\nthree\n```\n"));
        assert!(new.contains("  ```\n  $ run\n  ```\n"));
        assert_eq!(replace(PAGE, &[]), PAGE);
    }

    #[test]
    fn sentences_are_no_file_names() {
        let name = |text: &str| {
            let page = format!("```mlir\n{text}\n```\n");
            blocks(&page).unwrap()[0].file_name().map(str::to_owned)
        };
        assert_eq!(name("// src/main.rs").as_deref(), Some("src/main.rs"));
        assert_eq!(name("# CMakeLists.txt").as_deref(), Some("CMakeLists.txt"));
        assert_eq!(name("// becomes"), None);
        assert_eq!(name("// The end."), None);
        assert_eq!(name("// ../up.rs"), None);
    }

    #[test]
    fn a_part_may_be_indented_otherwise() {
        let block = &blocks("```rust\na {\n    b\n\n}\n```\n").unwrap()[0];
        assert!(block.is_part_of("x\n    a {\n        b\n\n    }\ny"));
        assert!(!block.is_part_of("a {\n  b\n\n}"));
        assert!(!block.is_part_of("a {\n    b\n}"));
    }
}
