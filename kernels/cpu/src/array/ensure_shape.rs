//! `EnsureShape`: the input itself, if it has the shape in the attr `shape` as far as that says.
//!
//! The output shares the input's memory, whatever its dtype. Another shape is an error.

use oplink::prelude::*;

/// Passes `input` through if it has the shape `shape`.
#[op("EnsureShape",
     input = "input: T",
     output = "output: T",
     attr = "shape: shape",
     attr = "T: type",
     shape = shape_fns::ensure_shape)]
pub struct EnsureShape;

/// `EnsureShape` of every dtype.
#[kernel(EnsureShape, device = CPU, T = any)]
pub fn ensure_shape_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let (wanted, shape) = (context.attr::<&PartialShape>("shape")?, context.input(0).shape());
    ensure!(wanted.accepts(shape), "the input has shape {shape}, which is not compatible with the attr shape {wanted}");
    let out = context.take_input(0);
    context.set_output(0, out);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run;

    #[test]
    fn lets_the_wanted_shape_pass() {
        let ensure = |dims: &[Option<usize>]| {
            run("EnsureShape", &[("shape", PartialShape::new(dims).into())], vec![Tensor::from([1, 2])])
        };
        assert!(ensure(&[Some(2)]).is_ok());
        assert!(ensure(&[None]).is_ok());
        assert!(ensure(&[Some(3)]).is_err());
        assert!(ensure(&[None, None]).is_err());
    }
}
