//! `MaxPoolV2`: the largest value in each window of an image.
//!
//! As `MaxPool`, with `ksize` and `strides` as inputs: vectors of a number for each axis of `input`.

use num_traits::Bounded;
use oplink::{int_values, prelude::*};

use super::max_window::MaxWindow;
use crate::support::elementwise::Lanes;

/// The largest value in each window of an image.
#[op("MaxPoolV2",
     input = "input: T",
     input = "ksize: int32",
     input = "strides: int32",
     output = "output: T",
     attr = "T: {half, bfloat16, float, double, int32, int64, uint8, int16, int8, uint16, qint8} = DT_FLOAT",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC'",
     shape = shape_fns::max_pool_v2)]
pub struct MaxPoolV2;

/// `MaxPoolV2` with the channels last.
#[kernel(MaxPoolV2, device = CPU, T = [floats, i8, i16, i32, i64, u8, u16])]
pub fn max_pool_v2_cpu<T: Lanes<Lane: PartialOrd> + Bounded>(context: &mut KernelContext<'_>) -> Result<()> {
    let (ksize, strides) = (int_values(context.input(1))?, int_values(context.input(2))?);
    MaxWindow::of(context.node(), &ksize, &strides)?.compute::<T>(context)
}
