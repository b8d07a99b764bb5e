//! What a package says is not tested holds no tests: cargo would pass over them in silence.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The targets of the workspace's packages.
fn targets() -> Vec<Value> {
    let mut metadata = Command::new(env!("CARGO"));
    metadata.args(["metadata", "--format-version", "1", "--no-deps", "--offline"]);
    let output = metadata.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap().clone();
    packages.iter().flat_map(|package| package["targets"].as_array().unwrap().clone()).collect()
}

/// The Rust files of the folder that a target's root is in.
fn sources(target: &Value) -> Vec<(String, String)> {
    let mut folders = vec![Path::new(target["src_path"].as_str().unwrap()).parent().unwrap().to_owned()];
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                sources.push((path.display().to_string(), fs::read_to_string(path).unwrap()));
            }
        }
    }
    sources
}

fn is_library(target: &Value) -> bool {
    let kinds = target["kind"].as_array().unwrap();
    kinds.iter().any(|kind| kind == "lib" || kind == "proc-macro")
}

/// Whether a text has a test beside the code.
fn has_tests(text: &str) -> bool {
    text.lines().map(str::trim_start).any(|line| line.starts_with("#[test]") || line.starts_with("proptest!"))
}

/// Whether the documentation in a text has an example in Rust.
fn has_examples(text: &str) -> bool {
    let mut inside = false;
    let docs = text.lines().map(str::trim_start);
    let docs = docs.filter_map(|line| line.strip_prefix("///").or_else(|| line.strip_prefix("//!")));
    docs.map(str::trim_start).filter_map(|line| line.strip_prefix("```")).any(|language| {
        inside = !inside;
        let of_rust = |word: &str| ["rust", "no_run", "compile_fail", "should_panic"].contains(&word);
        inside && language.split(',').all(|word| word.is_empty() || of_rust(word))
    })
}

#[test]
fn what_is_not_tested_has_no_tests() {
    let all = targets();
    assert!(all.iter().any(|target| target["test"] == false), "no target is without tests of its own");
    for target in all.iter().filter(|target| is_library(target) || target["kind"][0] == "bin") {
        for (path, text) in sources(target) {
            let name = &target["name"];
            assert!(target["test"] == true || !has_tests(&text), "{path}: {name} has tests, but says test = false");
            let passed_over = is_library(target) && target["doctest"] == false && has_examples(&text);
            assert!(!passed_over, "{path}: {name} has an example in its documentation, but says doctest = false");
        }
    }
}

#[test]
fn tests_and_examples_are_told_from_other_text() {
    assert!(has_tests("mod tests {\n    #[test]\n    fn x() {}\n}") && !has_tests("/// `#[test]`"));
    assert!(has_examples("/// ```\n/// x();\n/// ```") && has_examples("//! ```no_run\n//! ```"));
    assert!(!has_examples("/// ```text\n/// x\n/// ```\n/// then"));
}
