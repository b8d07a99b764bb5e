//! `Cumsum`: running sums along an axis.
//!
//! `axis` is a scalar, negative counted from the end; the output has the input's shape. With `reverse` the scan runs from
//! the end; with `exclusive` each element gets the result of those before it, the first one 0. The 16-bit floats are
//! summed in f32; integers wrap.

use oplink::prelude::*;

use super::scan::scan;
use crate::support::elementwise::{Arithmetic, Lanes};

/// The running sums of `x` along `axis`.
#[op("Cumsum",
     input = "x: T",
     input = "axis: Tidx",
     output = "out: T",
     attr = "exclusive: bool = false",
     attr = "reverse: bool = false",
     attr = "T: numbertype",
     attr = "Tidx: {int32, int64} = DT_INT32",
     shape = shape_fns::unchanged)]
pub struct Cumsum;

/// `Cumsum` for every number.
#[kernel(Cumsum, device = CPU, T = [numbers], Tidx = [i32, i64])]
pub fn cumsum_cpu<T: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>) -> Result<()> {
    scan::<T>(context, T::Lane::ZERO, T::Lane::add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{check, check_error, check_with};

    #[test]
    fn both_ways_with_and_without_the_element() {
        for (exclusive, reverse, expected) in [
            (false, false, [1.0f32, 3.0, 6.0, 10.0]),
            (false, true, [10.0, 9.0, 7.0, 4.0]),
            (true, false, [0.0, 1.0, 3.0, 6.0]),
            (true, true, [9.0, 7.0, 4.0, 0.0]),
        ] {
            let attrs = [("exclusive", exclusive.into()), ("reverse", reverse.into())];
            check_with("Cumsum", &attrs, [[1.0f32, 2.0, 3.0, 4.0].into(), 0.into()], expected);
            let columns: Vec<f32> = [1.0, 2.0, 3.0, 4.0].iter().flat_map(|&x| [x, 10.0 * x]).collect();
            let expected: Vec<f32> = expected.iter().flat_map(|&x| [x, 10.0 * x]).collect();
            let inputs = [Tensor::from_vec([4, 2], columns).unwrap(), (-2i64).into()];
            check_with("Cumsum", &attrs, inputs, Tensor::from_vec([4, 2], expected).unwrap());
        }
    }

    #[test]
    fn dtypes_and_empty() {
        check("Cumsum", [[100u8, 100, 100].into(), 0.into()], [100u8, 200, 44]);
        let ones = vec![bf16::ONE; 600];
        let expected: Vec<bf16> = (1..=600).map(|i| bf16::from_f32(i as f32)).collect();
        check("Cumsum", [ones.into(), 0.into()], expected);
        check(
            "Cumsum",
            [Tensor::zeros(DType::Float, [0, 2]).unwrap(), 0.into()],
            Tensor::zeros(DType::Float, [0, 2]).unwrap(),
        );
    }

    #[test]
    fn wrong_axes_are_errors() {
        check_error("Cumsum", [[1.0f32].into(), 1.into()], "axis 1 is outside");
        check_error("Cumsum", [[1.0f32].into(), [0].into()], "axis must be a scalar");
        check_error("Cumsum", [1.0f32.into(), 0.into()], "axis 0 is outside");
    }
}
