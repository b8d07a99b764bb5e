//! `DenseCountSparseOutput`, `SparseCountSparseOutput`, `RaggedCountSparseOutput`: how often each number comes in a
//! vector or in the rows of a matrix, as a sparse tensor.
//!
//! Numbers come in order within their rows, with counts, or sums of weights, or with `binary_output` 1. Those of
//! `maxlength` and more are left out, where that is not negative; negative ones are an error.

use std::collections::BTreeMap;

use super::rows::{by_indices, by_splits};
use oplink::memory::try_collect;
use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_cpu_support::elementwise::Arithmetic;
use oplink_ops::array::{DenseCountSparseOutput, RaggedCountSparseOutput, SparseCountSparseOutput};

/// `DenseCountSparseOutput` of every dtype it allows.
#[kernel(DenseCountSparseOutput, device = CPU, T = any, output_type = [i32, i64, f32, f64])]
#[allow(clippy::too_many_arguments, reason = "the op's inputs, attrs and outputs by name")]
pub fn dense_count_sparse_output_cpu(
    values: &Tensor,
    weights: &Tensor,
    minlength: i64,
    maxlength: i64,
    binary_output: bool,
    output_indices: OutputSlot<'_>,
    output_values: OutputSlot<'_>,
    output_dense_shape: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (rows, width) = match *values.shape().dims() {
        [count] => (None, count),
        [rows, width] if rows > 0 => (Some(rows), width),
        _ => bail!("values must be a vector, or a matrix with rows, its shape is {}", values.shape()),
    };
    let counted = Counted { values, weights, minlength, maxlength, binary: binary_output };
    let row = |at: usize| if rows.is_some() { at / width } else { 0 };
    counted.run(rows, &row, [output_indices, output_values, output_dense_shape], env)
}

/// `SparseCountSparseOutput` of every dtype it allows.
#[kernel(SparseCountSparseOutput, device = CPU, T = any, output_type = [i32, i64, f32, f64])]
#[allow(clippy::too_many_arguments, reason = "the op's inputs, attrs and outputs by name")]
pub fn sparse_count_sparse_output_cpu(
    indices: &Tensor,
    values: &Tensor,
    dense_shape: &Tensor,
    weights: &Tensor,
    minlength: i64,
    maxlength: i64,
    binary_output: bool,
    output_indices: OutputSlot<'_>,
    output_values: OutputSlot<'_>,
    output_dense_shape: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (shape, row) = by_indices(indices, dense_shape, values)?;
    let rows = (shape.rank() > 1).then_some(shape[0]);
    ensure!(rows != Some(0), "dense_shape {shape} has no rows");
    let counted = Counted { values, weights, minlength, maxlength, binary: binary_output };
    let row = |at: usize| if rows.is_some() { row[at] } else { 0 };
    counted.run(rows, &row, [output_indices, output_values, output_dense_shape], env)
}

/// `RaggedCountSparseOutput` of every dtype it allows.
#[kernel(RaggedCountSparseOutput, device = CPU, T = any, output_type = [i32, i64, f32, f64])]
#[allow(clippy::too_many_arguments, reason = "the op's inputs, attrs and outputs by name")]
pub fn ragged_count_sparse_output_cpu(
    splits: &Tensor,
    values: &Tensor,
    weights: &Tensor,
    minlength: i64,
    maxlength: i64,
    binary_output: bool,
    output_indices: OutputSlot<'_>,
    output_values: OutputSlot<'_>,
    output_dense_shape: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (rows, row) = by_splits(splits, values.num_elements())?;
    ensure!(rows > 0, "splits must have 2 elements at least");
    let counted = Counted { values, weights, minlength, maxlength, binary: binary_output };
    counted.run(Some(rows), &|at| row[at], [output_indices, output_values, output_dense_shape], env)
}

/// What is counted, and how.
struct Counted<'a> {
    values: &'a Tensor,
    weights: &'a Tensor,
    minlength: i64,
    maxlength: i64,
    binary: bool,
}

impl Counted<'_> {
    /// Sets the outputs; `row` has the row of each value, of so many.
    fn run(
        &self,
        rows: Option<usize>,
        row: &dyn Fn(usize) -> usize,
        outputs: [OutputSlot<'_>; 3],
        env: Env<'_>,
    ) -> Result<()> {
        let (given, wanted) = (self.weights.shape(), self.values.shape());
        let fits = given.num_elements() == 0 || given == wanted;
        ensure!(fits, "weights must have the shape {wanted} of values or no elements, its shape is {given}");
        match outputs[1].dtype() {
            DType::Int32 => self.count::<i32>(rows, row, outputs, env),
            DType::Int64 => self.count::<i64>(rows, row, outputs, env),
            DType::Float => self.count::<f32>(rows, row, outputs, env),
            _ => self.count::<f64>(rows, row, outputs, env),
        }
    }

    fn count<W: Arithmetic>(
        &self,
        rows: Option<usize>,
        row: &dyn Fn(usize) -> usize,
        [mut indices, mut values, mut dense_shape]: [OutputSlot<'_>; 3],
        env: Env<'_>,
    ) -> Result<()> {
        let weights = self.weights.as_slice::<W>()?;
        let mut counts: BTreeMap<(usize, i64), W> = BTreeMap::new();
        let mut largest = 0;
        for (at, &value) in env.watch(int_values(self.values)?.iter().enumerate()) {
            ensure!(value >= 0, "values must not be negative, one is {value}");
            if self.maxlength >= 0 && value >= self.maxlength {
                continue;
            }
            largest = largest.max(value);
            let count = counts.entry((row(at), value)).or_insert(W::ZERO);
            let weight = weights.get(at).copied().unwrap_or(W::ONE);
            *count = if self.binary { W::ONE } else { count.add(weight) };
        }
        let rank = 1 + usize::from(rows.is_some());
        let extent = if self.maxlength >= 0 { self.maxlength } else { largest.saturating_add(1).max(self.minlength) };
        let out = indices.allocate([counts.len(), rank])?.as_mut_slice::<i64>()?;
        for (out, (row, value)) in out.chunks_exact_mut(rank).zip(counts.keys()) {
            out[rank - 1] = *value;
            out[..rank - 1].fill(*row as i64);
        }
        values.set(Tensor::from_vec([counts.len()], try_collect(counts.into_values())?)?);
        dense_shape.set(rows.map(|rows| rows as i64).into_iter().chain([extent]).collect::<Vec<i64>>().into());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    fn none() -> Tensor {
        Tensor::from_slice::<i32>(&[])
    }

    fn counts(op: &str, attrs: &[(&str, i64)], inputs: Vec<Tensor>) -> Result<[Vec<i64>; 3]> {
        let attrs = attrs.iter().map(|&(name, value)| (name, value.into()));
        let attrs: Vec<_> = attrs.chain([("binary_output", false.into())]).collect();
        let out = run(op, &attrs, inputs)?;
        let values = out[1].as_slice::<i32>()?.iter().map(|&value| value.into()).collect();
        Ok([out[0].as_slice::<i64>()?.to_vec(), values, out[2].as_slice::<i64>()?.to_vec()])
    }

    #[test]
    fn counts_are_those_of_tensorflow() {
        let vector = counts("DenseCountSparseOutput", &[], vec![[1i64 << 33, 5, 5].into(), none()]).unwrap();
        assert_eq!(vector, [vec![5, 1 << 33], vec![2, 1], vec![(1 << 33) + 1]]);
        let bounds = [("maxlength", 0), ("minlength", 9)];
        let empty = counts("DenseCountSparseOutput", &bounds, vec![[1, 5].into(), none()]).unwrap();
        assert_eq!(empty, [vec![], vec![], vec![0]]);
        let indices = Tensor::from_vec([3, 3], vec![0i64, 1, 0, 0, 2, 0, 2, 1, 0]).unwrap();
        let inputs = vec![indices, [1i64, 1, 4].into(), [3i64, 4, 1].into(), none()];
        let expected = [vec![0, 1, 2, 4], vec![2, 1], vec![3, 5]];
        assert_eq!(counts("SparseCountSparseOutput", &[], inputs).unwrap(), expected);
        let inputs = vec![[0i64, 2, 2, 3].into(), [1i64, 1, 4].into(), none()];
        assert_eq!(counts("RaggedCountSparseOutput", &[], inputs).unwrap(), expected);
    }

    #[test]
    fn what_cannot_be_counted_is_an_error() {
        let dense = |values: Tensor| counts("DenseCountSparseOutput", &[], vec![values, none()]);
        assert!(dense([-1].into()).is_err());
        assert!(dense(3.into()).is_err());
        assert!(dense(Tensor::zeros(DType::Int32, [0, 2]).unwrap()).is_err());
        assert!(
            counts("RaggedCountSparseOutput", &[], vec![[0i64].into(), Tensor::from_slice::<i64>(&[]), none()])
                .is_err()
        );
    }
}
