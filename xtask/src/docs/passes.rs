//! The pages of passes and pipelines: names and options from `xpu-opt`, descriptions from the headers
//! of the passes' files, and an example from their tests, with what `xpu-opt` makes of it now.
//!
//! The example is the first operation of a pass's first test, or the one after a comment `// DOC`;
//! `// DOC: --flags` says how the pass is called.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::process;
use crate::workspace::Workspace;

const FOLDER: &str = "docs/passes";
const SOURCES: &str = "passes/core/src";
const TESTS: &str = "test/Passes";
const REGISTRY: &str = "passes/core/src/registry.rs";
/// What the pages of pipelines lower.
const KERNEL: &str = "examples/histogram.mlir";

/// A pass or pipeline, as `--help` has it.
#[derive(Debug, PartialEq)]
struct Entry {
    name: String,
    summary: String,
    options: Vec<(String, String)>,
}

/// Each page: its path and its text.
pub(super) fn pages(workspace: &Workspace) -> Result<Vec<(String, String)>> {
    let help = process::output(Command::new(workspace.tool("xpu-opt")).arg("--help"))?;
    let registry = fs::read_to_string(workspace.root.join(REGISTRY))?;
    let names: Vec<String> = stems(&registry, "::PASS,")
        .iter()
        .map(|stem| stem.replace('_', "-"))
        .collect();
    let pipelines: Vec<String> = stems(&registry, "pipelines::TO_")
        .iter()
        .map(|target| format!("xpu-to-{}", target.to_lowercase()))
        .collect();
    if names.is_empty() || pipelines.is_empty() {
        bail!("{REGISTRY} has no rows");
    }
    let mut lists = Vec::new();
    for name in &pipelines {
        lists.push((entry(&help, name)?, pipeline(workspace, name)?));
    }
    let mut pages = Vec::new();
    let in_order = sorted(&names, &lists);
    for name in &names {
        let entry = entry(&help, name)?;
        pages.push((page_path(name), pass_page(workspace, &entry, &lists)?));
    }
    for (entry, list) in &lists {
        pages.push((
            page_path(&entry.name),
            pipeline_page(workspace, entry, list, &names)?,
        ));
    }
    let entries: Result<Vec<_>> = in_order.iter().map(|name| entry(&help, name)).collect();
    pages.push((format!("{FOLDER}/README.md"), index(&entries?, &lists)));
    Ok(pages)
}

/// Pages of passes that are no more.
pub(super) fn orphans(workspace: &Workspace, pages: &[(String, String)]) -> Vec<PathBuf> {
    let files = fs::read_dir(workspace.root.join(FOLDER))
        .into_iter()
        .flatten();
    let paths = files.flatten().map(|file| file.path());
    paths
        .filter(|path| {
            let name = workspace.short(path).display().to_string();
            name.ends_with(".md") && !pages.iter().any(|(path, _)| *path == name)
        })
        .collect()
}

fn page_path(name: &str) -> String {
    format!("{FOLDER}/{name}.md")
}

/// The words of the registry's rows before or after a text: `crate::<stem>::PASS,`.
fn stems(registry: &str, mark: &str) -> Vec<String> {
    let rows = registry
        .lines()
        .map(str::trim)
        .filter(|line| line.starts_with("crate::"));
    let words = rows.filter_map(|row| {
        let (before, after) = row.split_once(mark)?;
        let word = if after.is_empty() {
            before.strip_prefix("crate::")?
        } else {
            after
        };
        Some(word.trim_end_matches(',').to_owned())
    });
    words.collect()
}

/// What `--help` says of a pass: its line, and the deeper ones below it.
fn entry(help: &str, name: &str) -> Result<Entry> {
    let mut lines = help.lines().skip_while(|line| !is_entry(line, name));
    let line = lines
        .next()
        .with_context(|| format!("xpu-opt --help has no {name}"))?;
    let summary = said(line).to_owned();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let options = lines
        .take_while(|next| indent(next) > indent(line))
        .map(|next| {
            let flag = next.trim_start().trim_start_matches('-');
            let option = flag.split([' ', '=']).next().unwrap_or_default();
            (option.to_owned(), said(next).to_owned())
        })
        .collect();
    Ok(Entry {
        name: name.to_owned(),
        summary,
        options,
    })
}

fn is_entry(line: &str, name: &str) -> bool {
    let rest = line
        .trim_start()
        .strip_prefix("--")
        .and_then(|rest| rest.strip_prefix(name));
    rest.is_some_and(|rest| rest.starts_with(' '))
}

/// What stands behind the dash.
fn said(line: &str) -> &str {
    line.split_once(" - ").map_or("", |(_, text)| text.trim())
}

/// The passes that a pipeline stands for, without their options, in order.
fn pipeline(workspace: &Workspace, name: &str) -> Result<Vec<String>> {
    let dump = run(
        workspace,
        "",
        &[&format!("--{name}"), "--dump-pass-pipeline"],
    )?
    .1;
    let first = dump.split("\n)").next().unwrap_or_default();
    let lines = first
        .lines()
        .skip(2)
        .map(|line| line.trim().trim_end_matches(','));
    let names = lines.map(|line| line.split(['{', '(']).next().unwrap_or_default().to_owned());
    Ok(names
        .filter(|name| !name.is_empty() && name != ")" && name != "gpu.module")
        .collect())
}

/// The value that an option has where it is not given, as the dump of a pipeline shows it.
fn default(workspace: &Workspace, pass: &str, option: &str) -> Result<String> {
    let flag = format!("--pass-pipeline=builtin.module({pass})");
    let dump = run(workspace, "", &[&flag, "--dump-pass-pipeline"])?.1;
    let inside = dump
        .split_once(&format!("{pass}{{"))
        .map_or("", |(_, rest)| rest);
    let inside = inside.split('}').next().unwrap_or_default();
    let value = inside
        .split(' ')
        .find_map(|word| word.strip_prefix(option)?.strip_prefix('='));
    Ok(value.unwrap_or_default().to_owned())
}

/// The passes as they come in the pipelines; those in none, at the front: they prepare.
fn sorted(names: &[String], lists: &[(Entry, Vec<String>)]) -> Vec<String> {
    let place = |name: &String| {
        let places = lists
            .iter()
            .filter_map(|(_, list)| list.iter().position(|pass| pass == name));
        places.max().map_or(0, |place| place + 1)
    };
    let mut sorted = names.to_vec();
    sorted.sort_by_key(|name| (place(name), name.clone()));
    sorted
}

fn index(entries: &[Entry], lists: &[(Entry, Vec<String>)]) -> String {
    let mut text = String::from(
        "# Passes and pipelines\n\nGenerated by `cargo xtask docs` from the passes and their tests.\n\n\
         In the order in which the pipelines have them; those in no pipeline first. All passes take any\n\
         operation, and are used as `xpu-opt --NAME`, `--NAME=option=value`, or in `--pass-pipeline`; a stock\n\
         `mlir-opt` with the plugin has the last way alone.\n\n\
         | pass | what | in |\n| --- | --- | --- |\n",
    );
    for Entry { name, summary, .. } in entries {
        text += &format!(
            "| [`{name}`]({name}.md) | {summary} | {} |\n",
            users(name, lists)
        );
    }
    text += "\n| pipeline | what |\n| --- | --- |\n";
    for (Entry { name, summary, .. }, _) in lists {
        text += &format!("| [`{name}`]({name}.md) | {summary} |\n");
    }
    text
}

/// The pipelines that have a pass, as links.
fn users(name: &str, lists: &[(Entry, Vec<String>)]) -> String {
    let users = lists
        .iter()
        .filter(|(_, list)| list.iter().any(|pass| pass == name));
    let links: Vec<_> = users
        .map(|(entry, _)| format!("[`{0}`]({0}.md)", entry.name))
        .collect();
    links.join(", ")
}

fn pass_page(
    workspace: &Workspace,
    entry: &Entry,
    lists: &[(Entry, Vec<String>)],
) -> Result<String> {
    let name = &entry.name;
    let source = format!("{SOURCES}/{}.rs", name.replace('-', "_"));
    let header =
        fs::read_to_string(workspace.root.join(&source)).with_context(|| source.clone())?;
    let mut text = format!("# {name}\n\n{}.\n\n", entry.summary);
    let users = users(name, lists);
    if !users.is_empty() {
        text += &format!("In {users}.\n\n");
    }
    let description = description(&header);
    if !description.is_empty() {
        text += &format!("{description}\n\n");
    }
    text += &options(workspace, entry, true)?;
    let example = example(workspace, name)?;
    let flag = example.flag.unwrap_or_else(|| format!("--{name}"));
    let words: Vec<_> = flag.split(' ').collect();
    let (after, _) = run(workspace, &example.text, &words)?;
    text += &format!(
        "## Before and after\n\nFrom [{0}](../../{0}):\n\n```mlir\n{1}```\n\n`xpu-opt {flag}` makes of it\n\n```mlir\n{2}```\n",
        example.file,
        example.text,
        bare(&after)
    );
    Ok(text)
}

fn pipeline_page(
    workspace: &Workspace,
    entry: &Entry,
    list: &[String],
    names: &[String],
) -> Result<String> {
    let Entry { name, summary, .. } = entry;
    let mut text = format!("# {name}\n\n{summary}.\n\n## Passes\n\nIn this order:\n\n");
    for (number, pass) in list.iter().enumerate() {
        let ours = names.contains(pass);
        let shown = if ours {
            format!("[`{pass}`]({pass}.md)")
        } else {
            format!("`{pass}`")
        };
        text += &format!("{}. {shown}\n", number + 1);
    }
    text += "\nThose without a link are upstream's. Look at each stage with `--mlir-print-ir-after-all`.\n\n";
    text += &options(workspace, entry, false)?;
    let before = fs::read_to_string(workspace.root.join(KERNEL))?;
    let (after, _) = run(workspace, &before, &[&format!("--{name}")])?;
    let kernel: String = before
        .lines()
        .filter(|line| !line.starts_with("//"))
        .map(|line| format!("{line}\n"))
        .collect();
    text += &format!(
        "## Before and after\n\n[{KERNEL}](../../{KERNEL}):\n\n```mlir\n{kernel}```\n\n`xpu-opt {KERNEL} --{name}` makes of it\n\n```mlir\n{}```\n",
        bare(&after)
    );
    Ok(text)
}

fn options(workspace: &Workspace, entry: &Entry, with_defaults: bool) -> Result<String> {
    if entry.options.is_empty() {
        return Ok(String::new());
    }
    let mut text = String::from("## Options\n\n");
    text += if with_defaults {
        "| option | what | default |\n| --- | --- | --- |\n"
    } else {
        "| option | what |\n| --- | --- |\n"
    };
    for (option, what) in &entry.options {
        text += &format!("| `{option}` | {what} |");
        if with_defaults {
            text += &format!(" `{}` |", default(workspace, &entry.name, option)?);
        }
        text.push('\n');
    }
    Ok(text + "\n")
}

/// The header of a pass's file without its first paragraph, which is the summary.
fn description(source: &str) -> String {
    let header = source.lines().map_while(|line| line.strip_prefix("//!"));
    let lines: Vec<_> = header
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .collect();
    let rest = lines.iter().skip_while(|line| !line.is_empty()).skip(1);
    let mut text = String::new();
    let mut inside = false;
    for line in rest {
        if line.starts_with("```") {
            inside = !inside;
            if inside {
                // The examples of headers leave out what is around them.
                text += "<!-- fragment -->\n";
            }
        }
        let line = if inside {
            (*line).to_owned()
        } else {
            line.replace("[`crate::", "`")
                .replace("[`", "`")
                .replace("`]", "`")
        };
        text += &line;
        text.push('\n');
    }
    text.trim_end().to_owned()
}

/// An operation of a test.
#[derive(Debug, PartialEq)]
struct Example {
    file: String,
    text: String,
    flag: Option<String>,
}

fn example(workspace: &Workspace, name: &str) -> Result<Example> {
    let folder = format!("{TESTS}/{name}");
    let mut files = Vec::new();
    for entry in fs::read_dir(workspace.root.join(&folder)).with_context(|| folder.clone())? {
        let file = entry?.file_name().to_string_lossy().into_owned();
        if file.ends_with(".mlir") {
            files.push(file);
        }
    }
    // `basic.mlir` is where a reader would look first.
    files.sort_by_key(|file| (file != "basic.mlir", file.clone()));
    let mut first = None;
    for file in files {
        let path = format!("{folder}/{file}");
        let text = fs::read_to_string(workspace.root.join(&path))?;
        let marked = text.lines().position(|line| line.starts_with("// DOC"));
        let start = marked.map_or(0, |line| line);
        let flag = text
            .lines()
            .nth(start)
            .and_then(|line| line.strip_prefix("// DOC:"));
        let Some(operation) = operation(&text, start) else {
            continue;
        };
        let example = Example {
            file: path,
            text: operation,
            flag: flag.map(|flag| flag.trim().to_owned()),
        };
        if marked.is_some() {
            return Ok(example);
        }
        first.get_or_insert(example);
    }
    first.with_context(|| format!("{folder} has no operation"))
}

/// The first operation at the left margin from a line on, without comments.
fn operation(text: &str, from: usize) -> Option<String> {
    let starts = |line: &&str| line.starts_with(|c: char| c.is_ascii_lowercase());
    let mut lines = text.lines().skip(from).skip_while(|line| !starts(line));
    let mut operation = format!("{}\n", lines.next()?);
    if !operation.trim_end().ends_with('}') {
        for line in lines {
            if !line.trim_start().starts_with("//") {
                operation += line;
                operation.push('\n');
            }
            if line.starts_with('}') {
                break;
            }
        }
    }
    Some(operation)
}

/// Without the `module` around it, which tools add.
fn bare(printed: &str) -> String {
    let lines: Vec<_> = printed.trim_end().lines().collect();
    match lines.as_slice() {
        ["module {", inner @ .., "}"] => inner
            .iter()
            .map(|line| format!("{}\n", line.strip_prefix("  ").unwrap_or(line)))
            .collect(),
        lines => lines.iter().map(|line| format!("{line}\n")).collect(),
    }
}

/// Runs `xpu-opt` on a text; what it prints, and what it says.
fn run(workspace: &Workspace, input: &str, words: &[&str]) -> Result<(String, String)> {
    let mut command = Command::new(workspace.tool("xpu-opt"));
    command
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command
        .spawn()
        .with_context(|| format!("cannot start `{}`", process::show(&command)))?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(input.as_bytes())?;
    }
    let output = child.wait_with_output()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        bail!(
            "`{}` failed: {}\n{said}",
            process::show(&command),
            output.status
        );
    }
    Ok((String::from_utf8_lossy(&output.stdout).into_owned(), said))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HELP: &str = "
      --xpu-assign-ordering         -   Give each atomic an ordering
        --default=<string>          - acq_rel, relaxed or - else
        --loud                      - more
      --xpu-assign-scope            -   Give each atomic a scope
";

    #[test]
    fn help_has_a_line_for_each_pass_and_option() {
        let found = entry(HELP, "xpu-assign-ordering").unwrap();
        assert_eq!(found.summary, "Give each atomic an ordering");
        let options: Vec<_> = found
            .options
            .iter()
            .map(|(name, what)| (&**name, &**what))
            .collect();
        assert_eq!(
            options,
            [("default", "acq_rel, relaxed or - else"), ("loud", "more")]
        );
        assert_eq!(entry(HELP, "xpu-assign-scope").unwrap().options, []);
        assert!(entry(HELP, "xpu-assign").is_err());
    }

    #[test]
    fn the_registry_names_passes_and_pipelines() {
        let registry =
            "    crate::xpu_lint::PASS,\n    crate::pipelines::TO_CPU,\n// crate::no::PASS,";
        assert_eq!(stems(registry, "::PASS,"), ["xpu_lint"]);
        assert_eq!(stems(registry, "pipelines::TO_"), ["CPU"]);
    }

    #[test]
    fn a_description_is_the_header_after_its_first_paragraph() {
        let source = "//! `p`: does.\n//! More.\n//!\n//! Requires: [`crate::x`].\n//!\n//! ```mlir\n//! %a\n//! ```\n\nuse x;\n//! no";
        assert_eq!(
            description(source),
            "Requires: `x`.\n\n<!-- fragment -->\n```mlir\n%a\n```"
        );
        assert_eq!(description("//! One line.\n\nuse x;"), "");
    }

    #[test]
    fn an_operation_ends_at_the_margin_and_has_no_comments() {
        let text = "// RUN: x\n// CHECK: y\nfunc.func @a() {\n  // CHECK: z\n  return\n}\n// DOC\ngpu.module @m {}\n";
        assert_eq!(
            operation(text, 0).unwrap(),
            "func.func @a() {\n  return\n}\n"
        );
        assert_eq!(operation(text, 6).unwrap(), "gpu.module @m {}\n");
        assert_eq!(operation("// RUN: x\n", 0), None);
    }

    #[test]
    fn the_module_around_is_left_out() {
        assert_eq!(bare("module {\n  a\n    b\n}\n\n"), "a\n  b\n");
        assert_eq!(bare("module @m {\n  a\n}\n"), "module @m {\n  a\n}\n");
    }
}
