//! A crate that contributes less than it declares is noticed.

use expect_test::expect;
use oplink_api::descriptors::{Anchor, ExcludedKernel, ExcludedOp};

use crate::fixture::{RELU, RELU_FLOATS, builder, gradient, leak};

static COMPLETE: Anchor = Anchor { crate_name: "ops", ops: 1, kernels: 1, gradients: 0 };
static LOST_KERNELS: Anchor = Anchor { crate_name: "ops", ops: 1, kernels: 4, gradients: 0 };
static LOST_ALL: Anchor = Anchor { crate_name: "dropped", ops: 2, kernels: 3, gradients: 0 };

#[test]
fn a_complete_crate_seals() {
    assert!(builder(&[&RELU], &[&RELU_FLOATS]).anchor(&COMPLETE).anchor(&COMPLETE).seal().is_ok());
}

#[test]
fn what_the_selection_leaves_out_counts() {
    static ANCHOR: Anchor = Anchor { crate_name: "ops", ops: 3, kernels: 2, gradients: 0 };
    let arrived = |ops: usize| {
        let builder = builder(&[&RELU], &[&RELU_FLOATS]).excluded_kernel(ExcludedKernel::new("ops")).anchor(&ANCHOR);
        let names = ["Abs", "Acos"].into_iter().take(ops);
        names.fold(builder, |builder, name| builder.excluded_op(ExcludedOp::new(name, "ops"))).seal()
    };
    assert!(arrived(2).is_ok());
    assert!(arrived(1).unwrap_err().to_string().contains("only 2 ops and 2 kernels arrived"));
    let of_another = builder(&[&RELU], &[&RELU_FLOATS]).excluded_kernel(ExcludedKernel::new("others"));
    assert!(of_another.excluded_op(ExcludedOp::new("Abs", "ops")).anchor(&ANCHOR).seal().is_err());
}

#[test]
fn loss_is_an_error_that_names_the_crate_and_the_numbers() {
    let builder = builder(&[&RELU], &[&RELU_FLOATS]).anchor(&LOST_KERNELS).anchor(&LOST_ALL).anchor(&LOST_ALL);
    expect![[r#"
        the registry cannot be sealed, 2 conflicts:
        1. crate `dropped` declares 2 ops and 3 kernels, only 0 ops and 0 kernels arrived: the linker dropped the others. How is it linked? Out of a `staticlib` or across a shared `dylib` link-time collection loses elements: list them with `library!`, link the archive whole, or use the feature `inventory`
        2. crate `ops` declares 1 ops and 4 kernels, only 1 ops and 1 kernels arrived: the linker dropped the others. How is it linked? Out of a `staticlib` or across a shared `dylib` link-time collection loses elements: list them with `library!`, link the archive whole, or use the feature `inventory`"#]].assert_eq(&builder.seal().unwrap_err().to_string());
}

#[test]
fn lost_gradients_are_noticed() {
    static ANCHOR: Anchor = Anchor { crate_name: "ops", ops: 1, kernels: 1, gradients: 1 };
    let complete = builder(&[&RELU], &[&RELU_FLOATS]).anchor(&ANCHOR);
    let error = builder(&[&RELU], &[&RELU_FLOATS]).anchor(&ANCHOR).seal().unwrap_err().to_string();
    let message = "declares 1 ops and 1 kernels and 1 gradients, only 1 ops and 1 kernels and 0 gradients arrived";
    assert!(error.contains(message), "{error}");
    assert!(complete.gradient(leak(gradient("Relu", 5))).seal().is_ok());
}
