//! Running the emulator's command.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use xpu_runtime::RunError;

use crate::request::Answer;
use crate::settings::Settings;

/// What the exit statuses mean, beside 0.
const WRONG: i32 = 1;
const UNABLE: i32 = 3;

/// Runs the emulator on a request for a kernel.
pub(crate) fn run(settings: &Settings, request: &Path, kernel: &str) -> Result<Answer, RunError> {
    let (program, arguments) = settings.command.split_first().ok_or_else(|| {
        RunError::Device("the emulator's command, XPU_AMDGPU_EMULATOR, is empty".into())
    })?;
    let output = Command::new(program)
        .args(arguments)
        .arg("--request")
        .arg(request)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| {
            RunError::Device(format!(
                "cannot start the emulator \"{}\", which XPU_AMDGPU_EMULATOR names: {error}; \
                 `cargo xtask setup` installs the project's own",
                program.display()
            ))
        })?;
    answer(&output, kernel)
}

fn answer(output: &Output, kernel: &str) -> Result<Answer, RunError> {
    let said = last_line(&output.stderr);
    match output.status.code() {
        Some(0) => serde_json::from_slice(&output.stdout).map_err(|error| {
            RunError::Device(format!("the emulator's answer is not understood: {error}"))
        }),
        Some(WRONG) => Err(RunError::Kernel {
            kernel: kernel.to_owned(),
            message: said,
        }),
        Some(UNABLE) if said == "out of memory" => {
            Err(RunError::OutOfMemory("in the emulator".into()))
        }
        Some(UNABLE) => Err(RunError::Device(said)),
        _ => Err(RunError::Device(format!(
            "the emulator failed ({}): {said}",
            output.status
        ))),
    }
}

/// The last line of what a program said, without "error: ".
fn last_line(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let line = text.lines().rev().find(|line| !line.trim().is_empty());
    let line = line.unwrap_or("it says nothing").trim();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::settings::MemoryModel;

    fn run_script(script: &str) -> Result<Answer, (u8, String)> {
        let settings = Settings {
            command: ["sh", "-c", script].map(Into::into).to_vec(),
            seed: 0,
            memory: MemoryModel::Strong,
        };
        run(&settings, Path::new("request.json"), "k")
            .map_err(|error| (error.exit_code(), error.to_string()))
    }

    #[test]
    fn answers() {
        let answer = run_script(r#"echo '{"instructions": 5, "seconds": 0.25}'"#);
        assert!((answer.unwrap().seconds - 0.25).abs() < 1e-9);
        let refuse = |script: &str, code: u8, expect: &str| {
            let (status, text) = run_script(script).unwrap_err();
            assert_eq!(status, code, "{text}");
            assert!(text.starts_with(expect), "{text}");
        };
        refuse(
            "echo note >&2; echo 'error: it reads outside' >&2; exit 1",
            1,
            "kernel \"k\": it reads outside",
        );
        refuse(
            "echo 'error: no such thing' >&2; exit 3",
            3,
            "no such thing",
        );
        refuse(
            "echo 'error: out of memory' >&2; exit 3",
            3,
            "out of memory: in the emulator",
        );
        refuse(
            "exit 9",
            3,
            "the emulator failed (exit status: 9): it says nothing",
        );
        refuse("kill -9 $$", 3, "the emulator failed (signal: 9");
        refuse("echo hello", 3, "the emulator's answer is not understood");
    }

    #[test]
    fn missing_program() {
        let settings = Settings {
            command: vec!["no-such-emulator".into()],
            seed: 0,
            memory: MemoryModel::Strong,
        };
        let error = run(&settings, Path::new("request.json"), "k").unwrap_err();
        assert_eq!(error.exit_code(), 3);
        let text = error.to_string();
        assert!(text.contains("no-such-emulator") && text.contains("XPU_AMDGPU_EMULATOR"));
    }
}
