//! `ArgMin`: the position of the smallest element along an axis.
//!
//! `dimension` is a scalar, negative counted from the end; the output lacks that axis. The first of equal elements wins.
//! NaN is passed over; where no element is below the highest finite value, the position is 0. Positions that the output type
//! cannot hold wrap. It is an error when the axis is empty and the output is not.
#![allow(non_camel_case_types, reason = "generic parameters have the names of attrs")]

use oplink::prelude::*;

use super::arg_extremum::{Ordinal, Position, arg_extremum};

/// The position of the smallest element of `input` along the axis `dimension`.
#[op("ArgMin",
     input = "input: T",
     input = "dimension: Tidx",
     output = "output: output_type",
     attr = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, qint8, quint8, qint32, qint16, quint16, bool}",
     attr = "Tidx: {int32, int64} = DT_INT32",
     attr = "output_type: {int32, int64} = DT_INT64",
     shape = shape_fns::arg_reduction)]
pub struct ArgMin;

/// `ArgMin` for every real number and bool.
#[kernel(ArgMin, device = CPU, T = [reals, bool], Tidx = [i32, i64], output_type = [i32, i64], host_memory(dimension))]
pub fn arg_min_cpu<T: Ordinal, output_type: Position>(context: &mut KernelContext<'_>) -> Result<()> {
    arg_extremum::<T, output_type>(context, T::HIGHEST, |value, best| value < best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{check, check_with};

    #[test]
    fn the_first_smallest_along_an_axis() {
        let matrix = Tensor::from_vec([2, 3], vec![1.0f32, -3.0, -3.0, 4.0, -5.0, 6.0]).unwrap();
        check("ArgMin", [matrix.clone(), 0.into()], [0i64, 1, 0]);
        check_with("ArgMin", &[("output_type", DType::Int32.into())], [matrix, (-1i64).into()], [1, 1]);
        check("ArgMin", [[true, true].into(), 0.into()], 0i64);
        check("ArgMin", [[7u64, 3, 3].into(), 0.into()], 1i64);
    }

    #[test]
    fn nan_is_passed_over() {
        check("ArgMin", [[f64::NAN, 1.0, f64::NAN, 0.5].into(), 0.into()], 3i64);
        check("ArgMin", [[bf16::NAN, bf16::INFINITY].into(), 0.into()], 0i64);
    }
}
