//! Each file of `cases/fail` has one mistake and gives one error; those of `cases/pass` compile and run.

#[test]
fn wrong_code_gets_one_clear_error() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("cases/fail/**/*.rs");
}

/// Cases that compile are tests of this package, each a program.
#[test]
fn unusual_code_is_compiled_and_run() {
    let manifest = include_str!("../Cargo.toml");
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/pass");
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let target = format!("path = \"cases/pass/{name}\"\nharness = false");
        assert!(
            manifest.contains(&target),
            "name {name} in ui-tests/Cargo.toml, as the other cases are:\n[[test]]\n{target}"
        );
    }
}

#[test]
fn every_failing_case_reports_exactly_one_error() {
    let mut stderrs = Vec::new();
    collect(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/fail").as_path(), &mut stderrs);
    assert!(stderrs.len() >= 70, "only {} failing cases", stderrs.len());
    for path in stderrs {
        let text = std::fs::read_to_string(&path).unwrap();
        let errors = text.lines().filter(|line| line.starts_with("error")).count();
        assert_eq!(errors, 1, "{}:\n{text}", path.display());
    }
}

fn collect(folder: &std::path::Path, stderrs: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, stderrs);
        } else if path.extension().is_some_and(|e| e == "stderr") {
            stderrs.push(path);
        }
    }
}
