//! `Prod`: the product over axes.
//!
//! Axes and `keep_dims` as for `Sum`. No elements multiply to 1. The 16-bit floats are multiplied in f32; integers wrap.

use oplink::prelude::*;

use super::engine::{Join, Joined, reduce};
use crate::support::elementwise::{Arithmetic, Lanes};

/// The product of the elements of `input` over the axes in `reduction_indices`.
#[op("Prod",
     input = "input: T",
     input = "reduction_indices: Tidx",
     output = "output: T",
     attr = "keep_dims: bool = false",
     attr = "T: numbertype",
     attr = "Tidx: {int32, int64} = DT_INT32",
     shape = shape_fns::reduction)]
pub struct Prod;

struct Multiply;

impl<L: Arithmetic> Join<L> for Multiply {
    const IDENTITY: L = L::ONE;
    #[inline]
    fn join(a: L, b: L) -> L {
        a.mul(b)
    }
}

/// `Prod` for every number.
#[kernel(Prod, device = CPU, T = [numbers], Tidx = [i32, i64])]
pub fn prod_cpu<T: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>) -> Result<()> {
    reduce::<T, Joined<Multiply>>(context)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::check;

    #[test]
    fn multiplies() {
        let matrix = Tensor::from_vec([2, 3], vec![1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
        check("Prod", [matrix.clone(), 0.into()], [4.0f32, 10.0, 18.0]);
        check("Prod", [matrix, [1i64, 0].into()], 720.0f32);
        check("Prod", [[200u8, 200].into(), 0.into()], 64u8);
        check("Prod", [[30000i16, 30000, 30000].into(), 0.into()], -20480i16);
        check("Prod", [[Complex::new(1.0, 2.0), Complex::new(3.0, -1.0)].into(), 0.into()], Complex::new(5.0, 5.0));
        check("Prod", [Tensor::zeros(DType::Half, [0, 2]).unwrap(), 0.into()], [f16::ONE, f16::ONE]);
    }
}
