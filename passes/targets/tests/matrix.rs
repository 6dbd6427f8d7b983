//! The pages in `docs/matrix` are what the tables print. `XPU_BLESS=1` writes them anew.

use std::path::Path;
use std::{env, fs};

use xpu_targets::{TARGETS, Target};

#[test]
fn pages_are_fresh() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/matrix");
    let bless = env::var_os("XPU_BLESS").is_some_and(|value| value == "1");
    let mut stale = Vec::new();
    for tables in TARGETS {
        let page = format!("docs/matrix/{}.md", tables.name);
        let path = folder.join(format!("{}.md", tables.name));
        let want = tables.print_page();
        if fs::read_to_string(&path).is_ok_and(|text| text == want) {
            continue;
        }
        if bless {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&path, want).unwrap();
        } else {
            stale.push(page);
        }
    }
    assert!(
        stale.is_empty(),
        "stale: {}; run `cargo xtask bless`",
        stale.join(", ")
    );
}

#[test]
fn matrix_of_one_chip_has_the_rows_of_that_chip() {
    let sm_80 = Target::parse("nvptx:sm_80").unwrap().print_matrix();
    let sm_90 = Target::parse("nvptx:sm_90").unwrap().print_matrix();
    assert!(sm_80.starts_with("# nvptx:sm_80\n") && !sm_80.contains("noftz.bf16`"));
    assert!(sm_90.contains("`add.noftz.bf16`"));
    let line = |text: &str| {
        text.lines()
            .find(|line| line.starts_with("| fadd "))
            .map(str::to_owned)
    };
    assert_eq!(
        line(&sm_80).as_deref(),
        Some("| fadd         |     |     |     |     | N   | L    | G   | N   |")
    );
    assert_eq!(
        line(&sm_90).as_deref(),
        Some("| fadd         |     |     |     |     | N   | N    | G   | N   |")
    );
}
