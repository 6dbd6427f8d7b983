//! The repository's files, and Rust source without its comments and texts.

use std::fs;
use std::path::{Path, PathBuf};

/// A file: its path from the repository's root, with `/`, and what it holds.
pub(super) struct File {
    pub(super) path: String,
    pub(super) text: String,
}

/// The repository.
pub(super) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_owned()
}

/// One file.
pub(super) fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Every text file that belongs to the repository, in the order of paths.
pub(super) fn files() -> Vec<File> {
    let mut files = Vec::new();
    walk(&root(), "", &mut files);
    assert!(
        files
            .iter()
            .any(|file| file.path == "xtask/src/tidy/source.rs")
    );
    files
}

fn walk(folder: &Path, prefix: &str, files: &mut Vec<File>) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(Result::unwrap).collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().into_string().unwrap();
        let path = format!("{prefix}{name}");
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            let hidden = name.starts_with('.') && ![".cargo", ".ci", ".github"].contains(&&*name);
            if !hidden && path != "target" {
                walk(&entry.path(), &format!("{path}/"), files);
            }
        } else if kind.is_file()
            && let Ok(text) = fs::read_to_string(entry.path())
        {
            files.push(File { path, text });
        }
    }
}

/// The Rust source with comments, texts and characters replaced by blanks; lines stay lines.
pub(super) fn code_only(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (length, keep) = match blank_length(rest, code.chars().next_back()) {
            Some(length) => (length, false),
            None => (first.len_utf8(), true),
        };
        let (part, after) = rest.split_at(length);
        if keep {
            code.push_str(part);
        } else {
            code.extend(part.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        }
        rest = after;
    }
    code
}

/// How long the comment, text or character is that `rest` starts with, if with one.
fn blank_length(rest: &str, before: Option<char>) -> Option<usize> {
    if rest.starts_with("//") {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return Some(rest.find("*/").map_or(rest.len(), |at| at + 2));
    }
    if rest.starts_with('"') {
        return Some(quoted(rest, '"'));
    }
    if rest.starts_with('r') && !before.is_some_and(|c| c.is_alphanumeric() && c != 'b') {
        let hashes = rest[1..].bytes().take_while(|&byte| byte == b'#').count();
        if rest[1 + hashes..].starts_with('"') {
            let end = format!("\"{}", "#".repeat(hashes));
            let start = 2 + hashes;
            return Some(
                rest[start..]
                    .find(&end)
                    .map_or(rest.len(), |at| start + at + end.len()),
            );
        }
    }
    if let Some(inner) = rest.strip_prefix('\'') {
        // A lifetime has no second quote after its first character.
        let first = inner.chars().next()?;
        if first == '\\' || inner[first.len_utf8()..].starts_with('\'') {
            return Some(quoted(rest, '\''));
        }
    }
    None
}

/// The length of what stands between two quotes, escapes observed, quotes included.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if c == quote {
            return at + 1;
        }
    }
    rest.len()
}

/// Whether the line has the word, not as a part of another.
pub(super) fn has_word(line: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word)
        .any(|(at, _)| !line[..at].ends_with(part) && !line[at + word.len()..].starts_with(part))
}

#[test]
fn comments_and_texts_are_blanked() {
    let source = "let a = \"x \\\" unsafe\"; // unsafe\nfn f<'a>(c: &'a char) { 'u'; '\\''; }\n\
                  r#\"un\"safe\"# /* un\nsafe */ b\"x\" unsafe";
    let code = code_only(source);
    assert_eq!(code.lines().count(), source.lines().count());
    assert_eq!(code.matches("unsafe").count(), 1);
    assert!(code.contains("fn f<'a>(c: &'a char) {"));
    assert!(!code.contains('"') && !code.contains("'u'"));
}

#[test]
fn words_are_whole() {
    assert!(has_word("unsafe {", "unsafe"));
    assert!(has_word("(unsafe)", "unsafe"));
    assert!(!has_word("forbid(unsafe_code)", "unsafe"));
    assert!(!has_word("not_unsafe", "unsafe"));
}
