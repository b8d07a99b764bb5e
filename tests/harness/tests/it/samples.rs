//! Tests for `processes` to run: each exists only there.

#[test(part = "OPLINK_TEST_SAMPLES")]
fn passes() {}

#[test(part = "OPLINK_TEST_SAMPLES")]
fn panics_and_catches_it() {
    assert!(std::panic::catch_unwind(|| panic!("nobody should read this")).is_err());
}

#[test(part = "OPLINK_TEST_SAMPLES")]
fn fails_with_an_error() -> Result<(), String> {
    Err("what went wrong".to_owned())
}

#[test(part = "OPLINK_TEST_SAMPLES")]
fn fails_with_a_panic() {
    panic!("what was not so");
}

#[test(part = "OPLINK_TEST_SAMPLES", Models)]
fn needs_models() {
    eprintln!("the models are there");
}
