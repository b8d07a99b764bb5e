//! `PlaceholderWithDefault`: a value that a run may be fed with, else the input.
//!
//! The output shares the input's memory. The input's shape must satisfy the attr `shape`.

use oplink::prelude::*;

/// Passes `input` through unless the run is fed with another value.
#[op("PlaceholderWithDefault",
     input = "input: dtype",
     output = "output: dtype",
     attr = "dtype: type",
     attr = "shape: shape",
     shape = shape_fns::placeholder_with_default)]
pub struct PlaceholderWithDefault;

/// `PlaceholderWithDefault` of every dtype.
#[kernel(PlaceholderWithDefault, device = CPU, dtype = any)]
pub fn placeholder_with_default_cpu(context: &mut KernelContext<'_>) {
    let value = context.take_input(0);
    context.set_output(0, value);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{output_shapes, run};

    #[test]
    fn passes_the_default_through() {
        let x = Tensor::from([1, 2]);
        let shape = PartialShape::new(&[None]);
        let out = run("PlaceholderWithDefault", &[("shape", (&shape).into())], vec![x.clone()]).unwrap();
        assert!(out[0].shares_memory_with(&x));
        assert_eq!(output_shapes("PlaceholderWithDefault", &[("shape", (&shape).into())], &[x]).unwrap(), [shape]);
    }
}
