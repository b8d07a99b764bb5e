//! What a process of tests prints, how it ends, and what it records.

use std::path::Path;
use std::process::Command;

/// Runs this binary's samples; whether it succeeded, what it printed to the output, and what to the other.
fn run(arguments: &[&str], variables: &[(&str, &str)]) -> (bool, String, String) {
    let mut command = Command::new(std::env::current_exe().expect("the path of the tests"));
    command.args(arguments).env("OPLINK_TEST_SAMPLES", "1");
    for variable in ["OPLINK_MODELS", "OPLINK_REQUIRE", "OPLINK_TEST_RECORD", "RUST_BACKTRACE"] {
        command.env_remove(variable);
    }
    let output = command.envs(variables.iter().copied()).output().expect("the tests run again");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.success(), text(output.stdout), text(output.stderr))
}

#[track_caller]
fn assert_has(text: &str, part: &str) {
    assert!(text.contains(part), "no `{part}` in:\n{text}");
}

#[test]
fn what_is_missing_is_the_reason_of_an_ignored_test() {
    let (passed, text, _) = run(&["needs_models"], &[]);
    assert!(passed, "{text}");
    assert_has(&text, "test samples::needs_models ... ignored (needs large models: set OPLINK_MODELS to the folder");
    assert_has(&text, "0 passed; 0 failed; 1 ignored");
    // A folder that is not there holds no models.
    let (_, text, _) = run(&["needs_models"], &[("OPLINK_MODELS", "/nowhere")]);
    assert_has(&text, "1 ignored");
}

#[test]
fn what_is_there_is_used() {
    let (passed, text, told) = run(&["needs_models"], &[("OPLINK_MODELS", env!("CARGO_TARGET_TMPDIR"))]);
    assert!(passed && told.contains("the models are there"), "{text}{told}");
    assert_has(&text, "1 passed; 0 failed; 0 ignored");
}

#[test]
fn what_is_demanded_and_missing_is_a_failure() {
    for demanded in ["models", "slow, models", "all"] {
        let (passed, text, _) = run(&["needs_models"], &[("OPLINK_REQUIRE", demanded)]);
        assert!(!passed, "{text}");
        assert_has(&text, "needs large models");
        assert_has(&text, "OPLINK_REQUIRE demands `models`");
    }
    let (passed, text, _) = run(&["needs_models"], &[("OPLINK_REQUIRE", "slow")]);
    assert!(passed, "{text}");
    let (passed, _, told) = run(&["needs_models"], &[("OPLINK_REQUIRE", "modles")]);
    assert!(!passed, "{told}");
    assert_has(&told, "OPLINK_REQUIRE names `modles`, which is none of vulkan, cuda,");
}

#[test]
fn failures_say_where_and_why() {
    let (passed, text, told) = run(&["samples::"], &[]);
    assert!(!passed, "{text}");
    assert_has(&text, "2 passed; 2 failed; 1 ignored");
    assert_has(&text, "\"what went wrong\"");
    assert_has(&text, "panicked at ");
    assert_has(&text, "samples.rs");
    assert_has(&text, "what was not so");
    assert!(told.is_empty() && !text.contains("nobody should read this"), "{text}{told}");
    let (_, text, _) = run(&["fails_with_a_panic"], &[("RUST_BACKTRACE", "1")]);
    assert_has(&text, "samples::fails_with_a_panic");
}

#[test]
fn filters_are_as_those_of_rusts_own_tests() {
    let (passed, text, _) = run(&["passes", "catches_it", "--nocapture"], &[]);
    assert!(passed, "{text}");
    assert_has(&text, "2 passed");
    let exact = ["--exact", "samples::passes", "passes", "samples::panics_and_catches_it", "--test-threads", "1"];
    assert_has(&run(&exact, &[]).1, "2 passed");
    assert_has(&run(&["samples", "--skip", "fails"], &[]).1, "2 passed; 0 failed; 1 ignored");
    let (_, list, _) = run(&["--list", "passes"], &[]);
    assert_eq!(list.trim(), "samples::passes: test");
}

#[test]
fn what_ran_and_what_was_ignored_is_recorded() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("record-{}", std::process::id()));
    let record = [("OPLINK_TEST_RECORD", file.to_str().expect("UTF-8"))];
    run(&["passes"], &record);
    run(&["needs_models"], &record);
    let lines = std::fs::read_to_string(&file).expect("the record");
    std::fs::remove_file(&file).expect("removable");
    let package = "oplink-test-harness it::samples";
    assert_eq!(lines, format!("ran {package}::passes\nignored {package}::needs_models\n"));
}
