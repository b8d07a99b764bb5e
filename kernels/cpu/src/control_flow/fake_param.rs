//! `FakeParam`: stands where a branch of a condition needs an output that only the other branch makes.
//!
//! Nobody may read its value.

use oplink::prelude::*;

/// A value of this dtype that is never read.
#[op("FakeParam", output = "output: dtype", attr = "dtype: type", attr = "shape: shape", shape = shape_fns::placeholder)]
pub struct FakeParam;

/// `FakeParam` of every dtype: zeros, or no elements where the shape is not fully known.
#[kernel(FakeParam, device = CPU, dtype = any)]
pub fn fake_param_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let shape: &PartialShape = context.attr("shape")?;
    let shape = shape.to_shape().unwrap_or_else(|| Shape::new(&[0]));
    let output = Tensor::zeros(context.node().output_dtypes[0], shape)?;
    context.set_output(0, output);
    Ok(())
}
