//! What the pages tell users to put into their projects is what this project itself has. Their programs
//! are run as documentation tests.

const CONFIG: &str = include_str!("../../../.cargo/config.toml");
const README: &str = include_str!("../../../README.md");
const FRONTEND: &str = include_str!("../../../examples/rust-frontend/src/main.rs");
const WORKSPACE: &str = include_str!("../../../Cargo.toml");
const PAGES: [&str; 2] = [
    include_str!("../../../docs/rust.md"),
    include_str!("../../../examples/rust-frontend/README.md"),
];

fn toml(page: &str) -> Vec<&str> {
    blocks(page, "```toml")
}

/// The lines of the blocks of a language in a page, without their indentation.
fn blocks<'a>(page: &'a str, fence: &str) -> Vec<&'a str> {
    let mut inside = false;
    let lines = page.lines().map(str::trim);
    let wanted = lines.filter(|line| {
        if line.starts_with("```") {
            inside = *line == fence;
            return false;
        }
        inside && !line.is_empty()
    });
    wanted.collect()
}

#[test]
fn settings_are_those_of_this_project() {
    for page in PAGES {
        let lines = toml(page);
        let variables: Vec<_> = lines
            .iter()
            .filter(|line| line.contains(" = \"/usr") || line.starts_with("MLIR_SYS_LINK"))
            .collect();
        assert_eq!(variables.len(), 5, "{lines:?}");
        for line in variables {
            assert!(CONFIG.lines().any(|known| known == *line), "{line}");
        }
        let melior = lines.iter().find(|line| line.starts_with("melior ="));
        let melior = melior.expect("the page names melior");
        assert!(WORKSPACE.lines().any(|known| known == *melior), "{melior}");
    }
    let path = "-Wl,-rpath,$ORIGIN/../native";
    let shown = blocks(PAGES[0], "```rust");
    assert!(shown.iter().any(|line| line.contains(path)), "{shown:?}");
    assert!(CONFIG.contains(path));
}

#[test]
fn the_readme_shows_lines_of_the_frontend() {
    let shown = blocks(README, "```rust");
    assert!(shown.len() > 5, "{shown:?}");
    for line in shown {
        let mut known = FRONTEND.lines().map(str::trim);
        assert!(known.any(|known| known == line), "{line}");
    }
}
