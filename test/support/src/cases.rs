//! The shared cases, each launched by `xpu-launch`, as a user would.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Map, Value, json};
use xpu_runtime::{Values, parse_argument};

use crate::report::Report;

/// How many launchers run at a time.
const THREADS: usize = 4;

/// Runs every case in `folder` that is for `target`. `manifest` says which manifest is that of a
/// case, by its path from `folder`, or why there is none.
pub fn run(
    launcher: &Path,
    folder: &Path,
    target: &str,
    manifest: &(dyn Fn(&str) -> Result<PathBuf, String> + Sync),
    report: &mut Report,
) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return report.fail(&format!("cases: cannot read {}", folder.display()));
    };
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "toml")
        })
        .collect();
    files.sort();
    let results = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let name = file
                        .file_stem()
                        .unwrap_or_default()
                        .to_string_lossy()
                        .into_owned();
                    let result = run_case(launcher, folder, file, &name, target, manifest);
                    if let (Some(result), Ok(mut results)) = (result.transpose(), results.lock()) {
                        results.push((name, result));
                    }
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_default();
    results.sort();
    let mut failed = Vec::new();
    for (name, result) in &results {
        if let Err(why) = result {
            report.fail(&format!("case {name}: {why}"));
            failed.push(json!({ "case": name, "why": why }));
        }
    }
    let passed = results.len() - failed.len();
    report.line(&format!("cases: {passed} passed, {} failed", failed.len()));
    if results.is_empty() {
        report.fail("cases: there are none");
    }
    report.keep("cases", json!({ "passed": passed, "failed": failed }));
}

/// The file's values: TOML of one level, in which every value is also JSON.
fn read(text: &str) -> Result<Map<String, Value>, String> {
    let mut all = Map::new();
    let (mut prefix, mut pending) = (String::new(), String::new());
    for line in text.lines() {
        let line = line.trim();
        if pending.is_empty() && (line.is_empty() || line.starts_with('#')) {
            continue;
        }
        if pending.is_empty() && line.starts_with('[') {
            prefix = format!("{}.", line.trim_matches(['[', ']']));
            continue;
        }
        pending += line;
        let Some((key, value)) = pending.split_once('=') else {
            return Err(format!("'{pending}' has no '='"));
        };
        // TOML allows a comma after the last element.
        let value = value.trim().replace(",]", "]");
        if let Ok(value) = serde_json::from_str(&value) {
            all.insert(format!("{prefix}{}", key.trim()), value);
            pending.clear();
        }
    }
    if pending.is_empty() {
        Ok(all)
    } else {
        Err(format!("'{pending}' does not end"))
    }
}

/// `None` if the case is not for this target.
fn run_case(
    launcher: &Path,
    folder: &Path,
    file: &Path,
    name: &str,
    target: &str,
    manifest: &(dyn Fn(&str) -> Result<PathBuf, String> + Sync),
) -> Result<Option<()>, String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let case = read(&text)?;
    let list = |key: &str| {
        case.get(key)
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default()
    };
    if !list("targets").iter().any(|wanted| wanted == target) {
        return Ok(None);
    }
    let text = |key: &str| case.get(key).and_then(Value::as_str).unwrap_or_default();
    let mut command = Command::new(launcher);
    command.current_dir(folder).arg(manifest(name)?);
    command.args(["--kernel", text("kernel"), "--target", target]);
    match case.get("threads") {
        Some(threads) => command.args(["--threads", &threads.to_string()]),
        None => {
            let groups: Vec<String> = list("groups").iter().map(Value::to_string).collect();
            command.args(["--groups", &groups.join(",")])
        }
    };
    let arguments = list("args");
    for argument in arguments.iter().filter_map(Value::as_str) {
        command.args(["--arg", argument]);
    }
    let expected: Vec<(usize, &str)> = case
        .iter()
        .filter_map(|(key, value)| {
            Some((key.strip_prefix("expect.")?.parse().ok()?, value.as_str()?))
        })
        .collect();
    let (check, which) = text("check").split_once(':').unwrap_or_default();
    let which: Vec<usize> = which
        .split(',')
        .filter_map(|number| number.parse().ok())
        .collect();
    let scratch =
        std::env::temp_dir().join(format!("xpu-device-tests-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&scratch).map_err(|error| error.to_string())?;
    let saved = |number: usize| scratch.join(format!("{number}.bin"));
    let mut wanted: Vec<usize> = expected
        .iter()
        .map(|(number, _)| *number)
        .chain(which.clone())
        .collect();
    wanted.sort_unstable();
    wanted.dedup();
    for number in wanted {
        command
            .arg("--save")
            .arg(format!("{number}={}", saved(number).display()));
    }
    let output = command
        .output()
        .map_err(|error| format!("cannot start {}: {error}", launcher.display()))?;
    let result = if output.status.success() {
        check_saved(folder, &expected, &saved).and_then(|()| special(check, &which, &saved))
    } else {
        let said = String::from_utf8_lossy(&output.stderr);
        Err(format!(
            "{}: {}",
            output.status,
            said.trim().chars().take(300).collect::<String>()
        ))
    };
    // Left there, it would hurt nobody.
    let _ = std::fs::remove_dir_all(&scratch);
    result.map(Some)
}

fn check_saved(
    folder: &Path,
    expected: &[(usize, &str)],
    saved: &impl Fn(usize) -> PathBuf,
) -> Result<(), String> {
    for (number, spec) in expected {
        // The specification's files are relative to the folder of the cases.
        let spec = spec.strip_prefix('@').map_or_else(
            || (*spec).to_owned(),
            |file| format!("@{}", folder.join(file).display()),
        );
        let want = parse_argument("it", &spec).map_err(|error| error.to_string())?;
        let bytes = std::fs::read(saved(*number)).map_err(|error| error.to_string())?;
        let length = want.bytes().len().min(bytes.len());
        let shape = want.shape().unwrap_or(&[]).to_vec();
        let found = Values::buffer(want.element(), shape, bytes[..length].to_vec())
            .ok_or_else(|| format!("argument {number} is too short"))?;
        found
            .check(&want)
            .map_err(|why| format!("argument {number}: {why}"))?;
    }
    Ok(())
}

/// Checks whose answer is a property rather than one value.
fn special(check: &str, which: &[usize], saved: &impl Fn(usize) -> PathBuf) -> Result<(), String> {
    let mut buffers: Vec<Vec<i32>> = Vec::new();
    for number in which {
        let bytes = std::fs::read(saved(*number)).map_err(|error| error.to_string())?;
        buffers.push(
            bytes
                .as_chunks::<4>()
                .0
                .iter()
                .map(|word| i32::from_le_bytes(*word))
                .collect(),
        );
    }
    let holds = match (check, buffers.as_slice()) {
        ("", _) => true,
        ("positive", [one]) => one.first().is_some_and(|value| *value > 0),
        ("same", [one, other]) => one == other,
        ("list", [head, next]) => is_list(head[0], next),
        ("sb", [registers]) => !registers
            .chunks_exact(128)
            .any(|both| (0..64).any(|pair| both[pair] == 0 && both[64 + pair] == 0)),
        _ => return Err(format!("unknown check {check}")),
    };
    if holds {
        Ok(())
    } else {
        Err(format!("is not '{check}'"))
    }
}

/// Whether the links from `head` on go through every node once.
fn is_list(head: i32, next: &[i32]) -> bool {
    let (mut at, mut seen) = (head, vec![false; next.len()]);
    while at != 0 {
        let Some(index) = usize::try_from(at)
            .ok()
            .filter(|at| *at <= next.len())
            .map(|at| at - 1)
        else {
            return false;
        };
        if std::mem::replace(&mut seen[index], true) {
            return false;
        }
        at = next[index];
    }
    seen.iter().all(|seen| *seen)
}
