//! `MaxPoolGradGradV2`: the gradient of `MaxPoolGradV2` with respect to its gradient.
//!
//! As `MaxPoolGradGrad`, with `ksize` and `strides` as inputs: vectors of a number for each axis of `orig_input`.

use oplink::{int_values, prelude::*};

use super::max_backprop::from_first_equal;
use super::pool::PoolWindow;
use crate::support::elementwise::{Arithmetic, Lanes};

/// The gradient of `MaxPoolGradV2` with respect to its gradient.
#[op("MaxPoolGradGradV2",
     input = "orig_input: T",
     input = "orig_output: T",
     input = "grad: T",
     input = "ksize: int32",
     input = "strides: int32",
     output = "output: T",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "T: realnumbertype = DT_FLOAT",
     shape = shape_fns::max_pool_grad_grad_v2)]
pub struct MaxPoolGradGradV2;

/// `MaxPoolGradGradV2` with the channels last.
#[kernel(MaxPoolGradGradV2, device = CPU, T = [reals], host_memory = ["ksize", "strides"])]
pub fn max_pool_grad_grad_v2_cpu<T: Lanes<Lane: Arithmetic + PartialOrd>>(
    context: &mut KernelContext<'_>,
) -> Result<()> {
    let (ksize, strides) = (int_values(context.input(3))?, int_values(context.input(4))?);
    let window = PoolWindow::of(context.node(), &ksize, &strides)?;
    from_first_equal::<T>(context, &window)
}
