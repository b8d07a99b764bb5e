//! `IdentityN`: its inputs, each as the output of the same position.
//!
//! The outputs share the inputs' memory; dtypes and shapes may differ from one to the next.

use oplink::prelude::*;

/// Passes its inputs through.
#[op("IdentityN",
     input = "input: T",
     output = "output: T",
     attr = "T: list(type) >= 1",
     shape = shape_fns::unchanged)]
pub struct IdentityN;

/// `IdentityN` of every dtype.
#[kernel(IdentityN, device = CPU)]
pub fn identity_n_cpu(context: &mut KernelContext<'_>) {
    for index in 0..context.num_inputs() {
        let value = context.take_input(index);
        context.set_output(index, value);
    }
}

#[cfg(test)]
mod tests {
    use crate::support::testing::run;
    use oplink::Tensor;

    #[test]
    fn each_output_shares_its_inputs_memory() {
        let inputs = [Tensor::from([1f32, 2.0]), Tensor::scalar(true)];
        let out = run("IdentityN", &[], inputs.to_vec()).unwrap();
        assert_eq!(out.len(), 2);
        assert!(out.iter().zip(&inputs).all(|(o, i)| o.shares_memory_with(i)));
    }
}
