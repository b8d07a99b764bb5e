//! Local response normalization and its gradient.

use oplink::prelude::*;

/// Divides each value by a power of the sum of its neighbours' squares across channels.
///
/// `output[.., c] = input[.., c] / (bias + alpha * sum of input[.., d]^2 over |d - c| <= depth_radius)^beta`. `input`
/// has rank 4, channels last. Half precision is computed in f32.
#[op("LRN",
     input = "input: T",
     output = "output: T",
     attr = "depth_radius: int = 5",
     attr = "bias: float = 1.0",
     attr = "alpha: float = 1.0",
     attr = "beta: float = 0.5",
     attr = "T: {half, bfloat16, float} = DT_FLOAT",
     shape = shape_fns::unchanged_with_rank::<4>)]
pub struct LRN;

/// The gradient of `LRN`.
///
/// `input_grads` is the gradient of the output of `LRN`, `input_image` its input, `output_image` its output; all have
/// one shape of rank 4. Half precision is computed in f32.
#[op("LRNGrad",
     input = "input_grads: T",
     input = "input_image: T",
     input = "output_image: T",
     output = "output: T",
     attr = "depth_radius: int = 5",
     attr = "bias: float = 1.0",
     attr = "alpha: float = 1.0",
     attr = "beta: float = 0.5",
     attr = "T: {half, bfloat16, float} = DT_FLOAT",
     shape = lrn_grad_shape)]
pub struct LRNGrad;

fn lrn_grad_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = c.merge(&c.with_rank(0, 4)?, &c.with_rank(1, 4)?)?;
    let shape = c.merge(&shape, &c.with_rank(2, 4)?)?;
    c.set_output(0, shape);
    Ok(())
}
