//! `Cumprod`: running products along an axis.
//!
//! `axis`, `reverse` and `exclusive` as for `Cumsum`; the first element of an exclusive product is 1. The 16-bit floats are
//! multiplied in f32; integers wrap.

use oplink::prelude::*;

use super::scan::scan;
use crate::support::elementwise::{Arithmetic, Lanes};

/// The running products of `x` along `axis`.
#[op("Cumprod",
     input = "x: T",
     input = "axis: Tidx",
     output = "out: T",
     attr = "exclusive: bool = false",
     attr = "reverse: bool = false",
     attr = "T: numbertype",
     attr = "Tidx: {int32, int64} = DT_INT32",
     shape = shape_fns::unchanged)]
pub struct Cumprod;

/// `Cumprod` for every number.
#[kernel(Cumprod, device = CPU, T = [numbers], Tidx = [i32, i64])]
pub fn cumprod_cpu<T: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>) -> Result<()> {
    scan::<T>(context, T::Lane::ONE, T::Lane::mul)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::check_with;

    #[test]
    fn both_ways_with_and_without_the_element() {
        for (exclusive, reverse, expected) in [
            (false, false, [1, 2, 6, 24]),
            (false, true, [24, 24, 12, 4]),
            (true, false, [1, 1, 2, 6]),
            (true, true, [24, 12, 4, 1]),
        ] {
            let attrs = [("exclusive", exclusive.into()), ("reverse", reverse.into())];
            check_with("Cumprod", &attrs, [[1, 2, 3, 4].into(), 0i64.into()], expected);
            let expected = expected.map(|x| Complex::new(f64::from(x), 0.0));
            check_with(
                "Cumprod",
                &attrs,
                [[1.0, 2.0, 3.0, 4.0].map(|x| Complex::new(x, 0.0)).into(), (-1).into()],
                expected,
            );
        }
    }
}
