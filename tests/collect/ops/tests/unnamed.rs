//! An integration test that never names its crate sees nothing of it, and the miss says so.

#[test]
fn an_integration_test_that_does_not_name_its_crate_gets_a_named_error() {
    let registry = oplink_core::Registry::global().unwrap();
    let error = registry.op("CollectFirst").unwrap_err();
    assert!(error.to_string().contains("link!"), "{error}");
}
