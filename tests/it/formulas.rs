//! A third party's formula between built-in ones is one kernel on the CPU and one program on a GPU.
//!
//! The crate stands in `tests/formulas`, outside of the workspace: it is built as a third party's would be. Its test of
//! a GPU is ignored where there is none.

use std::path::Path;
use std::process::Command;

#[test(Long)]
fn a_third_partys_formula_is_fused_with_built_in_ones() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formulas");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("formulas");
    let mut command = Command::new(env!("CARGO"));
    command.args(["test", "--locked"]).current_dir(source).env("CARGO_TARGET_DIR", target);
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let (printed, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{printed}\n{errors}");
    assert!(printed.contains("on_the_cpu_it_is_one_kernel"), "{printed}");
}
