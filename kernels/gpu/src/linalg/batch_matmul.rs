//! `BatchMatMul`, `BatchMatMulV2` and `BatchMatMulV3`: products of the matrices in the last two axes, the others broadcast.

use oplink::prelude::*;
use oplink_ops::linalg::{BatchMatMul, BatchMatMulV2, BatchMatMulV3};

use super::matmul::product_of;

fn multiply(context: &mut KernelContext<'_>) -> Result<()> {
    let (x, y) = (context.input(0), context.input(1));
    let (product, shape) = product_of(x.shape(), y.shape(), [context.attr("adj_x")?, context.attr("adj_y")?])?;
    let output = context.allocate_output(0, shape)?;
    product.run(context.device()?, x, y, &output)?;
    context.set_output(0, output);
    Ok(())
}

/// `BatchMatMul` for the floats.
#[kernel(BatchMatMul, device = GPU, T = [floats])]
pub fn batch_matmul_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    let (x, y) = (context.input(0).shape(), context.input(1).shape());
    let leading = |shape: &Shape| shape.rank().saturating_sub(2);
    ensure!(
        x.rank() == y.rank() && x.iter().zip(y.iter()).take(leading(x)).all(|(x, y)| x == y),
        "the axes before the last two must be the same, x is {x}, y is {y}"
    );
    multiply(context)
}

/// `BatchMatMulV2` for the floats.
#[kernel(BatchMatMulV2, device = GPU, T = [floats])]
pub fn batch_matmul_v2_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    multiply(context)
}

macro_rules! of_one_dtype {
    ($($name:ident: $ty:ty, $text:literal;)*) => {$(
        #[doc = concat!("`BatchMatMulV3` of ", $text, ".")]
        #[kernel(BatchMatMulV3, device = GPU, Ta = [$ty], Tb = [$ty], Tout = [$ty])]
        pub fn $name(context: &mut KernelContext<'_>) -> Result<()> {
            multiply(context)
        }
    )*};
}

of_one_dtype! {
    batch_matmul_v3_bf16_gpu: bf16, "bfloat16";
    batch_matmul_v3_f16_gpu: f16, "half precision";
    batch_matmul_v3_f32_gpu: f32, "single precision";
    batch_matmul_v3_f64_gpu: f64, "double precision";
}
