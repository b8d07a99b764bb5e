//! Versions of crates in Python's form.

use oplink_wheel::python_version;

#[test]
fn versions_are_python_s() {
    for (cargo, python) in [
        ("0.1.0", "0.1.0"),
        ("1.0.0-alpha", "1.0.0a0"),
        ("1.0.0-alpha.3", "1.0.0a3"),
        ("1.0.0-beta2", "1.0.0b2"),
        ("1.0.0-rc.1", "1.0.0rc1"),
        ("1.0.0-dev.7", "1.0.0.dev7"),
        ("1.0.0+Build-5", "1.0.0+build.5"),
        ("1.0.0-rc.1+cu12", "1.0.0rc1+cu12"),
    ] {
        assert_eq!(python_version(cargo).as_deref(), Ok(python), "{cargo}");
    }
}

#[test]
fn what_python_has_no_form_of_is_refused() {
    for version in ["1.0.0-nightly", "1.0.0-alpha.x", "1.0.0-1", "1.0.0-rc.1.2"] {
        let error = python_version(version).expect_err(version);
        assert!(error.contains(version) && error.contains("rc.1"), "{error}");
    }
}
