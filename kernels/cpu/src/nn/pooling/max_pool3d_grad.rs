//! `MaxPool3DGrad`: the gradient of `MaxPool3D`.
//!
//! `orig_input` and `orig_output` are the pooling's, `grad` has the shape of `orig_output`. The gradient of each window goes
//! to every one of its values that is less than 1e-5 away from the pooling's output. Gradients of bfloat16 are summed in f32.

use oplink::prelude::*;

use super::max_backprop::to_equal;
use super::pool::PoolWindow;

/// The gradient of `MaxPool3D`.
#[op("MaxPool3DGrad",
     input = "orig_input: TInput",
     input = "orig_output: TInput",
     input = "grad: T",
     output = "output: T",
     attr = "ksize: list(int) >= 5",
     attr = "strides: list(int) >= 5",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'",
     attr = "T: {half, bfloat16, float} = DT_FLOAT",
     attr = "TInput: {half, bfloat16, float} = DT_FLOAT",
     shape = shape_fns::max_pool3d_grad)]
pub struct MaxPool3DGrad;

/// `MaxPool3DGrad` in f32.
#[kernel(MaxPool3DGrad, device = CPU, T = [f32], TInput = [f32])]
pub fn max_pool3d_grad_f32(context: &mut KernelContext<'_>) -> Result<()> {
    to_equal::<f32>(context, &PoolWindow::new(context.node())?)
}

/// `MaxPool3DGrad` in bfloat16.
#[kernel(MaxPool3DGrad, device = CPU, T = [bf16], TInput = [bf16])]
pub fn max_pool3d_grad_bf16(context: &mut KernelContext<'_>) -> Result<()> {
    to_equal::<bf16>(context, &PoolWindow::new(context.node())?)
}
