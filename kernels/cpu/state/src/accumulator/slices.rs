//! Slices of gradients along the first axis.

use std::cmp::Ordering;
use std::ops::{Add, Div};

use oplink::prelude::*;

/// Some slices, each with the number of gradients that it is a sum of.
#[derive(Debug)]
pub(super) struct Slices {
    indices: Vec<i64>,
    counts: Vec<i32>,
    values: Tensor,
}

impl Slices {
    /// The slices of one gradient, a row of `values` for each index.
    pub(super) fn new(indices: &Tensor, values: Tensor) -> Result<Self> {
        ensure!(indices.rank() == 1, "gradient_indices must be a vector, they have shape {}", indices.shape());
        let indices = indices.as_slice::<i64>()?.to_vec();
        let Some(&rows) = values.shape().first() else { bail!("gradient_values must not be a scalar") };
        let count = indices.len();
        ensure!(rows == count, "gradient_values must have a row for each of {count} indices, they have {rows}");
        let counts = indices.iter().map(|_| 1).collect();
        Ok(Self { indices, counts, values })
    }

    pub(super) fn values(&self) -> &Tensor {
        &self.values
    }

    /// An error where the shape of the gradient, or an index, does not fit the shape that is declared.
    pub(super) fn check(&self, declared: &PartialShape, shape: Option<&[i64]>) -> Result<()> {
        let Some(dims) = declared.dims() else { return Ok(()) };
        if let Some(shape) = shape {
            let fits = |(dim, &given): (&Option<usize>, &i64)| dim.is_none_or(|dim| dim as i64 == given);
            let whole = shape.len() >= dims.len() && dims.iter().zip(shape).all(fits);
            ensure!(whole, "gradients have the shape {declared}, this one has {shape:?}");
        }
        if let Some(&Some(rows)) = dims.first() {
            let outside = self.indices.iter().find(|index| **index >= rows as i64);
            ensure!(outside.is_none(), "index {outside:?} is past the {rows} slices of the gradient");
        }
        Ok(())
    }

    /// An error where the rows do not fit the shape that is declared.
    pub(super) fn check_rows(&self, declared: &PartialShape) -> Result<()> {
        let (dims, given) = (declared.dims().unwrap_or_default(), self.values.shape());
        let fits = |(dim, given): (&Option<usize>, &usize)| dim.is_none_or(|dim| dim == *given);
        let whole = given.rank() >= dims.len() && dims.iter().zip(given.iter()).skip(1).all(fits);
        ensure!(whole, "gradients have the shape {declared}, these slices have {given}");
        Ok(())
    }

    /// The slices of both, those of one index added. Both have their indices in rising order.
    pub(super) fn merged(&self, other: &Self) -> Result<Self> {
        let (shape, given) = (self.values.shape(), other.values.shape());
        let fits = shape.rank() == given.rank() && shape.get(1..) == given.get(1..);
        ensure!(fits, "slices of shapes {shape} and {given} cannot be added");
        let (mut sources, mut at) = (Vec::new(), (0, 0));
        while at.0 < self.indices.len() || at.1 < other.indices.len() {
            let order = match (self.indices.get(at.0), other.indices.get(at.1)) {
                (Some(a), Some(b)) => a.cmp(b),
                (Some(_), None) => Ordering::Less,
                _ => Ordering::Greater,
            };
            let source = (order.is_le().then_some(at.0), order.is_ge().then_some(at.1));
            at = (at.0 + usize::from(order.is_le()), at.1 + usize::from(order.is_ge()));
            sources.push(source);
        }
        let one_of = |(a, b): &(Option<usize>, Option<usize>)| match (a, b) {
            (Some(a), Some(_)) => (self.indices[*a], self.counts[*a].saturating_add(1)),
            (Some(a), None) => (self.indices[*a], self.counts[*a]),
            (None, Some(b)) => (other.indices[*b], 1),
            (None, None) => (0, 0),
        };
        let (indices, counts) = sources.iter().map(one_of).unzip();
        let mut sum_shape = shape.clone();
        sum_shape.dims_mut()[0] = sources.len();
        let mut values = Tensor::zeros(self.values.dtype(), sum_shape)?;
        let (a, b, width) = (&self.values, &other.values, shape[1..].iter().product());
        match values.dtype() {
            DType::Half => add_rows::<f16>(&mut values, a, b, width, &sources)?,
            DType::Float => add_rows::<f32>(&mut values, a, b, width, &sources)?,
            DType::Double => add_rows::<f64>(&mut values, a, b, width, &sources)?,
            other => return Err(unknown(other)),
        }
        Ok(Self { indices, counts, values })
    }

    /// Indices, values and the shape of the whole gradient, which has so many slices.
    pub(super) fn into_outputs(mut self, mean: bool, rows: i64) -> Result<Vec<Tensor>> {
        let width = self.values.shape()[1..].iter().product();
        if mean {
            self.values = divide(self.values, width, &self.counts)?;
        }
        let mut shape: Vec<i64> = self.values.shape().iter().map(|&extent| extent as i64).collect();
        shape[0] = rows;
        Ok(vec![self.indices.into(), self.values, shape.into()])
    }
}

/// Divides rows of so many elements by numbers.
pub(super) fn divide(values: Tensor, width: usize, divisors: &[i32]) -> Result<Tensor> {
    fn rows<T: Element + Copy + Div<Output = T>>(
        values: Tensor,
        width: usize,
        divisors: &[i32],
        number: impl Fn(i32) -> T,
    ) -> Result<Tensor> {
        let mut values = values.make_unique()?;
        for (row, divisor) in values.as_mut_slice::<T>()?.chunks_mut(width.max(1)).zip(divisors) {
            let divisor = number(*divisor);
            row.iter_mut().for_each(|value| *value = *value / divisor);
        }
        Ok(values)
    }
    match values.dtype() {
        DType::Half => rows(values, width, divisors, |divisor| f16::from_f32(divisor as f32)),
        DType::Float => rows(values, width, divisors, |divisor| divisor as f32),
        DType::Double => rows(values, width, divisors, f64::from),
        other => Err(unknown(other)),
    }
}

/// Writes rows that are each one of `a`, one of `b`, or their sum.
fn add_rows<T: Element + Copy + Add<Output = T>>(
    sum: &mut Tensor,
    a: &Tensor,
    b: &Tensor,
    width: usize,
    sources: &[(Option<usize>, Option<usize>)],
) -> Result<()> {
    let (a, b) = (a.as_slice::<T>()?, b.as_slice::<T>()?);
    if width == 0 {
        return Ok(());
    }
    for (sum, source) in sum.as_mut_slice::<T>()?.chunks_exact_mut(width).zip(sources) {
        match source {
            (Some(i), Some(j)) => {
                let rows = a[i * width..][..width].iter().zip(&b[j * width..][..width]);
                sum.iter_mut().zip(rows).for_each(|(sum, (a, b))| *sum = *b + *a);
            }
            (Some(i), None) => sum.copy_from_slice(&a[i * width..][..width]),
            (None, Some(j)) => sum.copy_from_slice(&b[j * width..][..width]),
            (None, None) => {}
        }
    }
    Ok(())
}

#[cold]
fn unknown(dtype: DType) -> Error {
    Error::unimplemented(format!("gradients are half, float or double, not {dtype}"))
}
