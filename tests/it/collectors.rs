//! What each way of linking collects: everything, or a named error; never silently less.
//!
//! The programs stand in `tests/collect`. The tests are slow, since they build them some ten times.

use std::path::{Path, PathBuf};
use std::process::Command;

const EVERYTHING: &str = "ops=2 kernels=2";

struct Matrix {
    source: PathBuf,
    target: PathBuf,
}

impl Matrix {
    fn new() -> Self {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/collect");
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("collect");
        Self { source, target }
    }

    fn cargo(&self, arguments: &[&str], flags: &str, folder: &str) -> PathBuf {
        let target = self.target.join(folder);
        let mut command = Command::new(env!("CARGO"));
        command.args(arguments).current_dir(&self.source).env("CARGO_TARGET_DIR", &target).env("RUSTFLAGS", flags);
        run(&mut command);
        target
    }

    /// Compiles `main.c` against a library and runs it.
    fn c_program(&self, folder: &Path, name: &str, link: &[&str]) -> String {
        let program = folder.join(name);
        let mut compile = Command::new("cc");
        compile.arg(self.source.join("main.c")).arg("-o").arg(&program).args(link);
        run(compile.args(["-lpthread", "-ldl", "-lm", "-lgcc_s"]));
        run(&mut Command::new(program))
    }
}

/// Runs a command that must succeed; returns what it printed.
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    assert!(output.status.success(), "{command:?}: {}\n{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

fn program(folder: &Path, name: &str) -> String {
    run(Command::new(folder.join(name)).env("LD_LIBRARY_PATH", library_path(folder)))
}

/// Where shared Rust libraries are found: the folder itself and the toolchain's.
fn library_path(folder: &Path) -> String {
    let toolchain = run(Command::new("rustc").args(["--print", "target-libdir"]));
    format!("{}:{}:{toolchain}", folder.display(), folder.join("deps").display())
}

fn assert_named_error(report: &str) {
    let named = report.starts_with("miss OpNotDeclared") || report.starts_with("error Registry");
    assert!(named, "neither everything nor a named error: {report}");
    assert!(report.contains("link"), "the error does not say what to do: {report}");
}

#[test(Slow)]
fn executables_collect_a_named_crate() {
    executables_of(&["release"]);
}

#[test(Long)]
fn executables_collect_a_named_crate_whatever_the_optimisation() {
    executables_of(&["thin", "fat"]);
}

fn executables_of(profiles: &[&str]) {
    let matrix = Matrix::new();
    for profile in profiles {
        let programs = ["-p", "collect-named", "-p", "collect-unnamed", "-p", "collect-linked"];
        let folder =
            matrix.cargo(&[&["build", "--profile", profile], &programs[..]].concat(), "", "plain").join(profile);
        assert_eq!(program(&folder, "collect-named"), EVERYTHING, "named, {profile}");
        assert_eq!(program(&folder, "collect-linked"), EVERYTHING, "link!, {profile}");
        assert_named_error(&program(&folder, "collect-unnamed"));
    }
}

#[test(Long)]
fn a_crates_own_integration_tests_collect_it() {
    let matrix = Matrix::new();
    matrix.cargo(&["test", "--release", "-p", "collect-ops"], "", "plain");
}

#[test(Long)]
fn a_c_program_gets_everything_of_a_cdylib() {
    let matrix = Matrix::new();
    let folder = matrix.cargo(&["build", "--release", "-p", "collect-clib"], "", "plain").join("release");
    let (path, rpath) = (format!("-L{}", folder.display()), format!("-Wl,-rpath,{}", folder.display()));
    assert_eq!(matrix.c_program(&folder, "over-clib", &[&path, &rpath, "-lcollect_clib"]), EVERYTHING);
}

#[test(Long)]
fn a_c_program_gets_everything_of_an_archive_or_a_named_error() {
    let matrix = Matrix::new();
    let packages = ["build", "--release", "-p", "collect-archive", "-p", "collect-listed"];
    let folder = matrix.cargo(&packages, "", "plain").join("release");
    let archive = folder.join("libcollect_archive.a").display().to_string();
    let whole = ["-Wl,--whole-archive", &archive, "-Wl,--no-whole-archive", "-Wl,--allow-multiple-definition"];
    assert_eq!(matrix.c_program(&folder, "over-whole-archive", &whole), EVERYTHING);
    let report = matrix.c_program(&folder, "over-archive", &[&archive]);
    if report != EVERYTHING {
        assert_named_error(&report);
    }
    let listed = folder.join("libcollect_listed.a").display().to_string();
    assert_eq!(matrix.c_program(&folder, "over-listed", &[&listed]), EVERYTHING);
}

#[test(Long)]
fn a_shared_rust_library_needs_the_inventory_collector() {
    let matrix = Matrix::new();
    let packages = ["build", "--release", "-p", "collect-shared", "-p", "collect-over-shared"];
    let dynamic = "-C prefer-dynamic";
    let folder = matrix.cargo(&packages, dynamic, "dynamic").join("release");
    let report = program(&folder, "collect-over-shared");
    if report != EVERYTHING {
        assert_named_error(&report);
    }
    let with_inventory = [&packages[..], &["--features", "collect-report/inventory"]].concat();
    let folder = matrix.cargo(&with_inventory, dynamic, "dynamic-inventory").join("release");
    assert_eq!(program(&folder, "collect-over-shared"), EVERYTHING);
}
