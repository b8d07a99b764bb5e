//! `SparseToDense` and `SparseTensorDenseAdd`: the values of a sparse tensor put into a dense one, or added to it.
//!
//! `SparseToDense` takes indices [count, rank], or a vector or scalar where the output is a vector, and a value for
//! each or one for all; with `validate_indices` indices must rise in row-major order. Those outside of the shape are an
//! error of both. `SparseTensorDenseAdd` takes 1 to 5 axes.

use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_cpu_support::elementwise::{Arithmetic, Computed};
use oplink_cpu_support::movement::{Cell, CellJob, fill, with_cells};
use oplink_ops::movement::row_major_strides;
use oplink_ops::sparse::{SparseTensorDenseAdd, SparseToDense};

use crate::coordinates::{check_inside, position};

/// `SparseToDense` of every dtype.
#[kernel(SparseToDense, device = CPU, T = any, Tindices = any)]
pub fn sparse_to_dense_cpu(
    sparse_indices: &Tensor,
    output_shape: &Tensor,
    sparse_values: &Tensor,
    default_value: &Tensor,
    validate_indices: bool,
    mut dense: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (count, rank) = match *sparse_indices.shape().dims() {
        [] => (1, 1),
        [count] => (count, 1),
        [count, rank] => (count, rank),
        _ => bail!("sparse_indices must be a matrix at most, its shape is {}", sparse_indices.shape()),
    };
    let shape = oplink_ops::arguments::shape(output_shape, "output_shape")?;
    ensure!(shape.rank() == rank, "output_shape {shape} must have {rank} elements");
    let values = sparse_values.shape();
    ensure!(
        values.is_empty() || values.dims() == [count],
        "sparse_values must be a scalar or [{count}], it is {values}"
    );
    ensure!(default_value.rank() == 0, "default_value must be a scalar, its shape is {}", default_value.shape());
    let targets = positions(&int_values(sparse_indices)?, count, &shape, validate_indices)?;
    let out = dense.allocate(shape)?;
    fill(&env, out, Some(default_value))?;
    with_cells(out.dtype(), Put { out, values: sparse_values, targets: &targets })
}

/// Where each of `count` rows of indices is in the dense tensor.
fn positions(indices: &[i64], count: usize, shape: &Shape, rising: bool) -> Result<Vec<usize>> {
    let (rank, strides) = (shape.rank(), row_major_strides(shape));
    let mut positions = oplink::memory::try_vec(count)?;
    for at in 0..count {
        let row = &indices[at * rank..][..rank];
        check_inside(row, shape, at)?;
        let position = position(row.iter().copied(), &strides) as usize;
        let rises = !rising || positions.last().is_none_or(|&last| last < position);
        ensure!(rises, "sparse_indices[{at}] = {row:?} is out of order or repeated");
        positions.push(position);
    }
    Ok(positions)
}

struct Put<'a> {
    out: &'a mut Tensor,
    values: &'a Tensor,
    targets: &'a [usize],
}

impl CellJob for Put<'_> {
    type Output = ();

    fn run<C: Cell>(self) -> Result<()> {
        let (out, values) = (C::of_mut(self.out)?, C::of(self.values)?);
        let single = self.values.rank() == 0;
        for (at, &target) in self.targets.iter().enumerate() {
            out[target] = values[if single { 0 } else { at }].clone();
        }
        Ok(())
    }
}

/// `SparseTensorDenseAdd` of every number.
#[kernel(SparseTensorDenseAdd, device = CPU, T = [numbers], Tindices = any)]
pub fn sparse_tensor_dense_add_cpu<T: Computed>(
    a_indices: &Tensor,
    a_values: &Tensor,
    a_shape: &Tensor,
    b: Input<'_>,
    mut output: OutputSlot<'_>,
) -> Result<()>
where
    T::ComputeType: Arithmetic,
{
    let &[count, rank] = a_indices.shape().dims() else {
        bail!("a_indices must be a matrix, its shape is {}", a_indices.shape())
    };
    ensure!(a_values.shape().dims() == [count], "a_values must be [{count}], its shape is {}", a_values.shape());
    let shape = oplink_ops::arguments::shape(a_shape, "a_shape")?;
    ensure!(shape.rank() == rank, "a_shape {shape} must have {rank} elements");
    ensure!(shape == *b.shape(), "a_shape {shape} differs from the shape {} of b", b.shape());
    ensure!((1..=5).contains(&rank), "b must have 1 to 5 axes, it has {rank}");
    let targets = positions(&int_values(a_indices)?, count, &shape, false)?;
    let values = a_values.as_slice::<T>()?;
    let out = output.forward_or_copy(b)?.as_mut_slice::<T>()?;
    for (&target, value) in targets.iter().zip(values) {
        out[target] = T::from_computed(out[target].to_computed().add(value.to_computed()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error, run};

    #[test]
    fn values_at_their_places() {
        let matrix = Tensor::from_vec([2, 2], vec![0i64, 1, 1, 0]).unwrap();
        let expected = Tensor::from_vec([2, 2], vec![9, 1, 2, 9]).unwrap();
        check("SparseToDense", [matrix.clone(), [2i64, 2].into(), [1, 2].into(), 9.into()], expected);
        check("SparseToDense", [1i64.into(), [3i64].into(), 5.into(), 0.into()], [0, 5, 0]);
        check("SparseToDense", [[0, 2].into(), [3].into(), 5.into(), 0.into()], [5, 0, 5]);
        let dense = Tensor::from_vec([2, 2], vec![1.0f32; 4]).unwrap();
        let expected = Tensor::from_vec([2, 2], vec![1.0f32, 3.0, 4.0, 1.0]).unwrap();
        check("SparseTensorDenseAdd", [matrix, [2.0f32, 3.0].into(), [2i64, 2].into(), dense], expected);
    }

    #[test]
    fn order_and_bounds() {
        let dense = |indices: [i64; 2], validate: bool| {
            let inputs = vec![indices.into(), [3i64].into(), 5.into(), 0.into()];
            run("SparseToDense", &[("validate_indices", validate.into())], inputs)
        };
        assert!(dense([2, 0], true).is_err());
        assert!(dense([1, 1], true).is_err());
        assert!(dense([2, 0], false).is_ok());
        assert!(dense([0, 3], false).is_err());
        assert!(dense([-1, 0], false).is_err());
        let inputs = [[0i64].into(), [i64::MAX].into(), 5.into(), 0.into()];
        check_error("SparseToDense", inputs, "");
    }
}
