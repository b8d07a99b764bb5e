//! `SparseAdd`, `SparseAddGrad`, `SparseSparseMaximum`, `SparseSparseMinimum`: two sparse tensors of one shape, their
//! indices in row-major order, joined value by value.
//!
//! A sum whose magnitude is below `thresh`, of the dtype of the magnitudes, is left out; a value that only one side has
//! stays. Of the extrema, 0 stands for what a side does not have; indices outside of the shape are an error.

use std::cmp::Ordering;

use num_complex::Complex;
use oplink::prelude::*;
use oplink_cpu_support::elementwise::{Arithmetic, Computed, Ordered};
use oplink_ops::sparse::{
    SparseAdd, SparseAddGrad, SparseAddInputs, SparseSparseMaximum, SparseSparseMaximumInputs, SparseSparseMinimum,
    SparseSparseMinimumInputs,
};

use crate::coordinates::{Coordinates, Sparse};
use crate::gather::write_rows;

/// A place that either or both sides have a value at: the positions of those.
type Place = (Option<usize>, Option<usize>);

/// The places of both sides in order.
fn union(a: Coordinates<'_>, b: Coordinates<'_>) -> Result<Vec<Place>> {
    let mut places = oplink::memory::try_vec(a.count.saturating_add(b.count))?;
    let (mut i, mut j) = (0, 0);
    while i < a.count || j < b.count {
        let order = match (i < a.count, j < b.count) {
            (true, true) => a.row(i).cmp(b.row(j)),
            (true, false) => Ordering::Less,
            _ => Ordering::Greater,
        };
        places.push((order.is_le().then_some(i), order.is_ge().then_some(j)));
        i += usize::from(order.is_le());
        j += usize::from(order.is_ge());
    }
    Ok(places)
}

/// The index at a place.
fn row<'a>(a: Coordinates<'a>, b: Coordinates<'a>, place: Place) -> &'a [i64] {
    match place {
        (Some(i), _) => a.row(i),
        (None, j) => b.row(j.unwrap_or_default()),
    }
}

/// Both sides, of their indices, values and shapes.
fn sides<'a>(a: [&'a Tensor; 3], b: [&'a Tensor; 3]) -> Result<[Sparse<'a>; 2]> {
    let [a, b] = [Sparse::new(a[0], a[1], a[2], "a_")?, Sparse::new(b[0], b[1], b[2], "b_")?];
    ensure!(a.shape == b.shape, "a_shape {} and b_shape {} must be equal", a.shape, b.shape);
    Ok([a, b])
}

/// A number whose magnitude is compared with a threshold.
pub trait Magnitude: Arithmetic {
    /// The type of the threshold.
    type Real: Element + Copy;
    /// Whether the magnitude is the threshold at least.
    fn reaches(self, threshold: Self::Real) -> bool;
}

macro_rules! magnitudes {
    ($($ty:ty, $real:ty: |$x:ident, $threshold:ident| $reaches:expr;)*) => {$(
        impl Magnitude for $ty {
            type Real = $real;
            fn reaches(self, $threshold: $real) -> bool { let $x = self; $reaches }
        }
    )*};
}

magnitudes! {
    i8, i8: |x, threshold| threshold <= 0 || x.unsigned_abs() >= threshold.unsigned_abs();
    i16, i16: |x, threshold| threshold <= 0 || x.unsigned_abs() >= threshold.unsigned_abs();
    i32, i32: |x, threshold| threshold <= x.wrapping_abs();
    i64, i64: |x, threshold| threshold <= x.wrapping_abs();
    f32, f32: |x, threshold| threshold <= x.abs();
    f64, f64: |x, threshold| threshold <= x.abs();
    Complex<f32>, f32: |x, threshold| threshold <= x.norm();
    Complex<f64>, f64: |x, threshold| threshold <= x.norm();
}

/// `SparseAdd` of signed integers, floats and complex numbers.
#[kernel(SparseAdd, device = CPU, Treal = any,
         T = [i8, i16, i32, i64, f32, f64, Complex<f32>, Complex<f64>])]
pub fn sparse_add_cpu<T: Magnitude>(
    inputs: SparseAddInputs<'_>,
    sum_indices: OutputSlot<'_>,
    mut sum_values: OutputSlot<'_>,
    mut sum_shape: OutputSlot<'_>,
) -> Result<()> {
    let [a, b] = sides(
        [&inputs.a_indices, &inputs.a_values, &inputs.a_shape],
        [&inputs.b_indices, &inputs.b_values, &inputs.b_shape],
    )?;
    ensure!(inputs.thresh.rank() == 0, "thresh must be a scalar, its shape is {}", inputs.thresh.shape());
    let threshold = inputs.thresh.to_scalar::<T::Real>()?;
    let (left, right) = (a.values.as_slice::<T>()?, b.values.as_slice::<T>()?);
    let mut places = union(a.at, b.at)?;
    places.retain(|place| match *place {
        (Some(i), Some(j)) => left[i].add(right[j]).reaches(threshold),
        _ => true,
    });
    write_rows(sum_indices, places.len(), a.at.rank, places.iter().map(|&place| row(a.at, b.at, place)))?;
    let out = sum_values.allocate([places.len()])?.as_mut_slice::<T>()?;
    for (out, place) in out.iter_mut().zip(&places) {
        *out = match *place {
            (Some(i), Some(j)) => left[i].add(right[j]),
            (Some(i), None) => left[i],
            (None, j) => right[j.unwrap_or_default()],
        };
    }
    sum_shape.set((*inputs.a_shape).clone());
    Ok(())
}

/// `SparseAddGrad` of signed integers, floats and complex numbers.
#[kernel(SparseAddGrad, device = CPU, T = [i8, i16, i32, i64, f32, f64, Complex<f32>, Complex<f64>])]
pub fn sparse_add_grad_cpu<T: Element + Copy>(
    backprop_val_grad: &Tensor,
    a_indices: &Tensor,
    b_indices: &Tensor,
    sum_indices: &Tensor,
    a_val_grad: OutputSlot<'_>,
    b_val_grad: OutputSlot<'_>,
) -> Result<()> {
    let sum = Coordinates::of(sum_indices, "sum_indices")?;
    let (a, b) = (Coordinates::of(a_indices, "a_indices")?, Coordinates::of(b_indices, "b_indices")?);
    ensure!(a.rank == b.rank && b.rank == sum.rank, "the indices must have as many columns");
    ensure!(backprop_val_grad.rank() == 1, "backprop_val_grad must be a vector");
    let gradients = backprop_val_grad.as_slice::<T>()?;
    let count = gradients.len();
    ensure!(count == sum.count, "backprop_val_grad has {count} elements for {} sum_indices", sum.count);
    for (own, mut slot) in [(a, a_val_grad), (b, b_val_grad)] {
        let out = slot.allocate([own.count])?.as_mut_slice::<T>()?;
        let mut k = 0;
        for (out, row) in out.iter_mut().zip(own.rows()) {
            while k < count && sum.row(k) < row {
                k += 1;
            }
            *out = if k < count && sum.row(k) == row { gradients[k] } else { T::default() };
        }
    }
    Ok(())
}

/// Writes `f` of the values of both sides at every place, 0 where a side has none.
fn extrema<T: Computed>(
    a: &Sparse<'_>,
    b: &Sparse<'_>,
    output_indices: OutputSlot<'_>,
    mut output_values: OutputSlot<'_>,
    f: impl Fn(T::ComputeType, T::ComputeType) -> T::ComputeType,
) -> Result<()>
where
    T::ComputeType: Ordered,
{
    a.check_bounds()?;
    b.check_bounds()?;
    let (left, right) = (a.values.as_slice::<T>()?, b.values.as_slice::<T>()?);
    let places = union(a.at, b.at)?;
    write_rows(output_indices, places.len(), a.at.rank, places.iter().map(|&place| row(a.at, b.at, place)))?;
    let out = output_values.allocate([places.len()])?.as_mut_slice::<T>()?;
    for (out, &(i, j)) in out.iter_mut().zip(&places) {
        let value = |values: &[T], at: Option<usize>| at.map_or(T::ComputeType::ZERO, |at| values[at].to_computed());
        *out = T::from_computed(f(value(left, i), value(right, j)));
    }
    Ok(())
}

/// `SparseSparseMaximum` of real numbers.
#[kernel(SparseSparseMaximum, device = CPU, T = [floats, integers])]
pub fn sparse_sparse_maximum_cpu<T: Computed>(
    inputs: SparseSparseMaximumInputs<'_>,
    output_indices: OutputSlot<'_>,
    output_values: OutputSlot<'_>,
) -> Result<()>
where
    T::ComputeType: Ordered,
{
    let [a, b] = sides(
        [&inputs.a_indices, &inputs.a_values, &inputs.a_shape],
        [&inputs.b_indices, &inputs.b_values, &inputs.b_shape],
    )?;
    extrema::<T>(&a, &b, output_indices, output_values, Ordered::maximum)
}

/// `SparseSparseMinimum` of real numbers.
#[kernel(SparseSparseMinimum, device = CPU, T = [floats, integers])]
pub fn sparse_sparse_minimum_cpu<T: Computed>(
    inputs: SparseSparseMinimumInputs<'_>,
    output_indices: OutputSlot<'_>,
    output_values: OutputSlot<'_>,
) -> Result<()>
where
    T::ComputeType: Ordered,
{
    let [a, b] = sides(
        [&inputs.a_indices, &inputs.a_values, &inputs.a_shape],
        [&inputs.b_indices, &inputs.b_values, &inputs.b_shape],
    )?;
    extrema::<T>(&a, &b, output_indices, output_values, Ordered::minimum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    fn sides() -> Vec<Tensor> {
        let a = Tensor::from_vec([2, 2], vec![0i64, 1, 1, 0]).unwrap();
        let b = Tensor::from_vec([2, 2], vec![0i64, 0, 1, 0]).unwrap();
        vec![a, [1.0f32, -2.0].into(), [2i64, 2].into(), b, [3.0f32, 2.5].into(), [2i64, 2].into()]
    }

    #[test]
    fn both_sides_join() {
        let with = |threshold: f32| run("SparseAdd", &[], [sides(), vec![threshold.into()]].concat()).unwrap();
        let out = with(0.0);
        assert_eq!(out[0].as_slice::<i64>().unwrap(), [0, 0, 0, 1, 1, 0]);
        assert_eq!(out[1].as_slice::<f32>().unwrap(), [3.0, 1.0, 0.5]);
        assert_eq!(with(0.6)[1].as_slice::<f32>().unwrap(), [3.0, 1.0]);
        let largest = run("SparseSparseMaximum", &[], sides()).unwrap();
        assert_eq!(largest[1].as_slice::<f32>().unwrap(), [3.0, 1.0, 2.5]);
        let smallest = run("SparseSparseMinimum", &[], sides()).unwrap();
        assert_eq!(smallest[1].as_slice::<f32>().unwrap(), [0.0, 0.0, -2.0]);
        let gradients = vec![[7.0f32, 8.0, 9.0].into(), sides()[0].clone(), sides()[3].clone(), out[0].clone()];
        let out = run("SparseAddGrad", &[], gradients).unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), [8.0, 9.0]);
        assert_eq!(out[1].as_slice::<f32>().unwrap(), [7.0, 9.0]);
    }

    #[test]
    fn shapes_must_be_equal() {
        let mut inputs = sides();
        inputs[5] = [2i64, 3].into();
        assert!(run("SparseSparseMaximum", &[], inputs).is_err());
    }
}
