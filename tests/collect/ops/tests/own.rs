//! The crate's own integration test: a separate binary that links the crate.

#[test]
fn an_integration_test_that_links_its_crate_sees_everything() {
    oplink::link!(collect_ops);
    let registry = oplink_core::Registry::global().unwrap();
    assert_eq!((registry.ops().count(), registry.kernels().count()), (2, 2));
}
