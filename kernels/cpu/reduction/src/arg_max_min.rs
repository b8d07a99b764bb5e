//! `ArgMax` and `ArgMin`: the position of the largest or the smallest element along an axis.
//!
//! `dimension` is a scalar, negative counted from the end; the output lacks that axis. The first of equal elements
//! wins. NaN is passed over; where no element exceeds the lowest finite value (is below the highest one), the position
//! is 0. Positions that the output type cannot hold wrap. It is an error when the axis is empty and the output is not.

use super::arg_extremum::{Ordinal, arg_extremum};
use oplink::prelude::*;
use oplink_ops::reduction::{ArgMax, ArgMin};

/// `ArgMax` for every real number and bool.
#[kernel(ArgMax, device = CPU, T = [reals, bool], Tidx = [i16, i32, i64], output_type = [i16, u16, i32, i64], host_memory(dimension))]
pub fn arg_max_cpu<T: Ordinal>(
    input: &Tensor,
    dimension: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    arg_extremum::<T>(input, dimension, (T::LOWEST, |value, best| value > best), &mut output, &env)
}

/// `ArgMin` for every real number and bool.
#[kernel(ArgMin, device = CPU, T = [reals, bool], Tidx = [i32, i64], output_type = [i32, i64], host_memory(dimension))]
pub fn arg_min_cpu<T: Ordinal>(
    input: &Tensor,
    dimension: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    arg_extremum::<T>(input, dimension, (T::HIGHEST, |value, best| value < best), &mut output, &env)
}

#[cfg(test)]
mod arg_max_tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error, check_with};

    #[test]
    fn the_first_largest_along_an_axis() {
        let matrix = Tensor::from_vec([2, 3], vec![1.0f32, 3.0, 3.0, 4.0, -5.0, 6.0]).unwrap();
        check("ArgMax", [matrix.clone(), 0.into()], [1i64, 0, 1]);
        check("ArgMax", [matrix.clone(), (-1i16).into()], [1i64, 2]);
        check_with("ArgMax", &[("output_type", DType::UInt16.into())], [matrix, 1i64.into()], [1u16, 2]);
        check("ArgMax", [[false, true, true].into(), 0.into()], 1i64);
        check("ArgMax", [[i8::MIN, i8::MIN].into(), 0.into()], 0i64);
    }

    #[test]
    fn long_rows_and_wide_columns() {
        let values: Vec<f16> = (0..3000).map(|i| f16::from_f32((i * 7 % 1999) as f32)).collect();
        let first = values.iter().position(|&v| v == f16::from_f32(1998.0)).unwrap();
        check("ArgMax", [values.into(), 0.into()], first as i64);
        let columns: Vec<i32> = (0..3 * 1200).map(|i| if i / 1200 == i % 3 { 9 } else { i / 1200 }).collect();
        let expected: Vec<i64> = (0..1200).map(|i| i % 3).collect();
        check("ArgMax", [Tensor::from_vec([3, 1200], columns).unwrap(), 0.into()], expected);
    }

    #[test]
    fn nan_and_infinity() {
        let (nan, low) = (f32::NAN, f32::NEG_INFINITY);
        for (values, expected) in
            [([nan, 1.0, 2.0], 2i64), ([1.0, 2.0, nan], 1), ([nan; 3], 0), ([low, nan, 0.0], 2), ([low; 3], 0)]
        {
            check("ArgMax", [values.into(), 0.into()], expected);
            let columns = Tensor::from_vec([3, 2], values.iter().flat_map(|&v| [v, v]).collect()).unwrap();
            check("ArgMax", [columns, 0.into()], [expected; 2]);
        }
        check("ArgMax", [[low, f32::MIN].into(), 0.into()], 0i64);
    }

    #[test]
    fn positions_wrap() {
        let mut values = vec![0.0f32; 70000];
        values[69999] = 1.0;
        check_with("ArgMax", &[("output_type", DType::Int16.into())], [values.into(), 0.into()], 4463i16);
    }

    #[test]
    fn empty_axes() {
        let empty = Tensor::zeros(DType::Float, [0, 2]).unwrap();
        check("ArgMax", [empty.clone(), 1.into()], Tensor::from_slice::<i64>(&[]));
        check_error("ArgMax", [empty.clone(), 0.into()], "axis 0 of the input of shape [0,2] is empty");
        check_error("ArgMax", [empty.clone(), 2.into()], "axis 2 is outside");
        check_error("ArgMax", [empty, [0].into()], "dimension must be a scalar");
        check_error("ArgMax", [1.0f32.into(), 0.into()], "axis 0 is outside");
    }
}

#[cfg(test)]
mod arg_min_tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_with};

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
