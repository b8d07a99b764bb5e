//! `SparseDenseCwiseAdd`, `SparseDenseCwiseMul`, `SparseDenseCwiseDiv`: the values of a sparse tensor, each with the
//! element at its place of a dense one.
//!
//! `dense` is broadcast to `sp_shape`, which has 1 to 5 extents. Integers wrap; they are divided towards zero, and by 0
//! is an error.

use oplink::prelude::*;
use oplink_cpu_support::elementwise::{Arithmetic, Computed, Quotient};
use oplink_ops::sparse::{SparseDenseCwiseAdd, SparseDenseCwiseDiv, SparseDenseCwiseMul, dense_strides};

use crate::coordinates::{Sparse, check_inside, position};

/// The inputs of the three ops.
struct Operands<'a> {
    indices: &'a Tensor,
    values: &'a Tensor,
    shape: &'a Tensor,
    dense: &'a Tensor,
}

impl Operands<'_> {
    fn combine<T: Computed>(
        &self,
        mut output: OutputSlot<'_>,
        f: impl Fn(T::ComputeType, T::ComputeType) -> Option<T::ComputeType>,
    ) -> Result<()> {
        let sparse = Sparse::new(self.indices, self.values, self.shape, "sp_")?;
        let rank = sparse.shape.rank();
        ensure!((1..=5).contains(&rank), "sp_shape must have 1 to 5 elements, it is {}", sparse.shape);
        let strides = dense_strides(&sparse.shape, self.dense.shape())?;
        let (values, dense) = (self.values.as_slice::<T>()?, self.dense.as_slice::<T>()?);
        let out = output.allocate([values.len()])?.as_mut_slice::<T>()?;
        for (at, (row, out)) in sparse.at.rows().zip(out).enumerate() {
            check_inside(row, &sparse.shape, at)?;
            let element = dense[position(row.iter().copied(), &strides) as usize].to_computed();
            let Some(value) = f(values[at].to_computed(), element) else { bail!("sp_values[{at}] is divided by 0") };
            *out = T::from_computed(value);
        }
        Ok(())
    }
}

/// `SparseDenseCwiseAdd` of real numbers.
#[kernel(SparseDenseCwiseAdd, device = CPU, T = [floats, integers])]
pub fn sparse_dense_cwise_add_cpu<T: Computed>(
    sp_indices: &Tensor,
    sp_values: &Tensor,
    sp_shape: &Tensor,
    dense: &Tensor,
    output: OutputSlot<'_>,
) -> Result<()>
where
    T::ComputeType: Arithmetic,
{
    let operands = Operands { indices: sp_indices, values: sp_values, shape: sp_shape, dense };
    operands.combine::<T>(output, |a, b| Some(a.add(b)))
}

/// `SparseDenseCwiseMul` of real numbers.
#[kernel(SparseDenseCwiseMul, device = CPU, T = [floats, integers])]
pub fn sparse_dense_cwise_mul_cpu<T: Computed>(
    sp_indices: &Tensor,
    sp_values: &Tensor,
    sp_shape: &Tensor,
    dense: &Tensor,
    output: OutputSlot<'_>,
) -> Result<()>
where
    T::ComputeType: Arithmetic,
{
    let operands = Operands { indices: sp_indices, values: sp_values, shape: sp_shape, dense };
    operands.combine::<T>(output, |a, b| Some(a.mul(b)))
}

/// `SparseDenseCwiseDiv` of real numbers.
#[kernel(SparseDenseCwiseDiv, device = CPU, T = [floats, integers])]
pub fn sparse_dense_cwise_div_cpu<T: Computed>(
    sp_indices: &Tensor,
    sp_values: &Tensor,
    sp_shape: &Tensor,
    dense: &Tensor,
    output: OutputSlot<'_>,
) -> Result<()>
where
    T::ComputeType: Quotient,
{
    let operands = Operands { indices: sp_indices, values: sp_values, shape: sp_shape, dense };
    let has_quotient = |divisor| !T::DTYPE.is_integer() || divisor != T::ComputeType::ZERO;
    operands.combine::<T>(output, |a, b| has_quotient(b).then(|| a.quotient(b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn dense_is_broadcast() {
        let sparse = || {
            let indices = Tensor::from_vec([3, 2], vec![0i64, 1, 1, 0, 1, 1]).unwrap();
            [indices, [6, 7, 8].into(), [2i64, 2].into()]
        };
        let [i, v, s] = sparse();
        check("SparseDenseCwiseAdd", [i, v, s, [10, 20].into()], [26, 17, 28]);
        let [i, v, s] = sparse();
        check("SparseDenseCwiseMul", [i, v, s, Tensor::from_vec([2, 1], vec![2, 3]).unwrap()], [12, 21, 24]);
        let [i, v, s] = sparse();
        check("SparseDenseCwiseDiv", [i, v, s, (-4).into()], [-1, -1, -2]);
        let [i, v, s] = sparse();
        check_error("SparseDenseCwiseDiv", [i, v, s, 0.into()], "is divided by 0");
        let [i, v, s] = sparse();
        check_error("SparseDenseCwiseAdd", [i, v, s, [1, 2, 3].into()], "does not broadcast");
        let [i, v, _] = sparse();
        check_error("SparseDenseCwiseAdd", [i, v, [1i64, 2].into(), 1.into()], "is outside of the shape");
    }
}
