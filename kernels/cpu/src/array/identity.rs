//! `Identity`, `StopGradient`, `PreventGradient`, `Snapshot`: the input itself.
//!
//! The output shares the input's memory, whatever its dtype. They differ in what graph passes and gradients make of them.

use oplink::prelude::*;

/// Passes its input through.
#[op("Identity", input = "input: T", output = "output: T", attr = "T: type", shape = shape_fns::unchanged)]
pub struct Identity;

/// Passes its input through; no gradient flows back.
#[op("StopGradient",
     no_gradient, input = "input: T", output = "output: T", attr = "T: type", shape = shape_fns::unchanged)]
pub struct StopGradient;

/// Passes its input through; asking for its gradient is an error with the attr `message`.
#[op("PreventGradient",
     input = "input: T",
     output = "output: T",
     attr = "T: type",
     attr = "message: string = ''",
     shape = shape_fns::unchanged)]
pub struct PreventGradient;

/// Passes its input through as a value that later writes to the input do not change.
#[op("Snapshot", input = "input: T", output = "output: T", attr = "T: type", shape = shape_fns::unchanged)]
pub struct Snapshot;

/// `Identity` of every dtype.
#[kernel(Identity, device = CPU, T = any)]
pub fn identity_cpu(context: &mut KernelContext<'_>) {
    pass(context);
}

/// `StopGradient` of every dtype.
#[kernel(StopGradient, device = CPU, T = any)]
pub fn stop_gradient_cpu(context: &mut KernelContext<'_>) {
    pass(context);
}

/// `PreventGradient` of every dtype.
#[kernel(PreventGradient, device = CPU, T = any)]
pub fn prevent_gradient_cpu(context: &mut KernelContext<'_>) {
    pass(context);
}

/// `Snapshot`: tensors are never written while they are shared, so the input is such a value already.
#[kernel(Snapshot, device = CPU, T = [numbers, bool])]
pub fn snapshot_cpu(context: &mut KernelContext<'_>) {
    pass(context);
}

fn pass(context: &mut KernelContext<'_>) {
    let value = context.take_input(0);
    context.set_output(0, value);
}

#[cfg(test)]
mod tests {
    use crate::support::testing::run_one;
    use oplink::{TString, Tensor};

    #[test]
    fn outputs_share_the_inputs_memory() {
        for op in ["Identity", "StopGradient", "PreventGradient", "Snapshot"] {
            let x = Tensor::from([1f32, 2.0]);
            assert!(run_one(op, vec![x.clone()]).unwrap().shares_memory_with(&x), "{op}");
        }
        let x = Tensor::from([TString::from("a string that does not fit inside its head")]);
        assert!(run_one("Identity", vec![x.clone()]).unwrap().shares_memory_with(&x));
    }
}
