//! `SparseFillEmptyRows`, `RaggedFillEmptyRows` and their gradients: a value in every row, and what training sends
//! back.
//!
//! `default_value` stands in the first column of each row that had no value. Values of one row keep their order, rows
//! come in theirs; `reverse_index_map` says where each value went. The gradient of the default is the sum of those that
//! no value gets.

use oplink::memory::{try_collect, try_filled};
use oplink::prelude::*;
use oplink_cpu_support::elementwise::{Arithmetic, Computed};
use oplink_cpu_support::movement::{Piece, join_rows};
use oplink_ops::sparse::{RaggedFillEmptyRows, RaggedFillEmptyRowsGrad, SparseFillEmptyRows, SparseFillEmptyRowsGrad};

use crate::coordinates::Coordinates;
use crate::gather::{pick_values, rows_vec};

/// `SparseFillEmptyRows` of every dtype.
#[kernel(SparseFillEmptyRows, device = CPU, T = any)]
#[allow(clippy::too_many_arguments, reason = "the op's inputs and outputs by name")]
pub fn sparse_fill_empty_rows_cpu(
    indices: &Tensor,
    values: &Tensor,
    dense_shape: &Tensor,
    default_value: &Tensor,
    mut output_indices: OutputSlot<'_>,
    output_values: OutputSlot<'_>,
    empty_row_indicator: OutputSlot<'_>,
    reverse_index_map: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let at = Coordinates::of(indices, "indices")?;
    let shape = oplink_ops::arguments::vector(dense_shape, "dense_shape")?;
    let rows = shape.first().and_then(|&rows| usize::try_from(rows).ok());
    let Some(rows) = rows else { bail!("dense_shape must start with a number >= 0, it is {shape:?}") };
    ensure!(at.count == 0 || at.rank > 0, "indices has no columns");
    let row_ids: Vec<i64> = try_collect(at.rows().map(|index| index[0]))?;
    let filled = Filled::new(&row_ids, rows, values, default_value, empty_row_indicator, reverse_index_map)?;
    let mut out = rows_vec(filled.places.len(), at.rank)?;
    for &(source, row) in &filled.places {
        match source < at.count {
            true => out.extend_from_slice(at.row(source)),
            false => out.extend((0..at.rank).map(|axis| if axis == 0 { row as i64 } else { 0 })),
        }
    }
    output_indices.set(Tensor::from_vec([filled.places.len(), at.rank], out)?);
    filled.write_values(output_values, env)
}

/// `RaggedFillEmptyRows` of every dtype.
#[kernel(RaggedFillEmptyRows, device = CPU, T = any)]
#[allow(clippy::too_many_arguments, reason = "the op's inputs and outputs by name")]
pub fn ragged_fill_empty_rows_cpu(
    value_rowids: &Tensor,
    values: &Tensor,
    nrows: &Tensor,
    default_value: &Tensor,
    mut output_value_rowids: OutputSlot<'_>,
    output_values: OutputSlot<'_>,
    empty_row_indicator: OutputSlot<'_>,
    reverse_index_map: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let row_ids = oplink_ops::arguments::vector(value_rowids, "value_rowids")?;
    let rows = oplink_ops::arguments::scalar(nrows, "nrows")?;
    let Ok(rows) = usize::try_from(rows) else { bail!("nrows must be >= 0, it is {rows}") };
    let filled = Filled::new(&row_ids, rows, values, default_value, empty_row_indicator, reverse_index_map)?;
    output_value_rowids.set(try_collect(filled.places.iter().map(|&(_, row)| row as i64))?.into());
    filled.write_values(output_values, env)
}

/// Values and the default, in rows of which each has one at least.
struct Filled<'a> {
    values: &'a Tensor,
    default_value: &'a Tensor,
    /// Where each output comes from, the default standing behind the values, and its row.
    places: Vec<(usize, usize)>,
}

impl<'a> Filled<'a> {
    /// Finds the places of values in these rows, and sets which rows had none and where each value goes.
    fn new(
        row_ids: &[i64],
        rows: usize,
        values: &'a Tensor,
        default_value: &'a Tensor,
        mut empty_row_indicator: OutputSlot<'_>,
        mut reverse_index_map: OutputSlot<'_>,
    ) -> Result<Self> {
        let count = row_ids.len();
        ensure!(values.rank() == 1, "values must be a vector, its shape is {}", values.shape());
        ensure!(count == values.num_elements(), "values has {} elements for {count}", values.num_elements());
        ensure!(default_value.rank() == 0, "default_value must be a scalar, its shape is {}", default_value.shape());
        let empty = empty_row_indicator.allocate([rows])?.as_mut_slice::<bool>()?;
        empty.fill(true);
        // Where the values of each row start.
        let mut starts: Vec<usize> = try_filled(0, rows)?;
        for (number, &index) in row_ids.iter().enumerate() {
            let row = usize::try_from(index).ok().filter(|&row| row < rows);
            let Some(row) = row else { bail!("value {number} is in row {index}, outside of the {rows} rows") };
            empty[row] = false;
            starts[row] += 1;
        }
        let mut total = 0;
        for (start, empty) in starts.iter_mut().zip(&*empty) {
            let own = *start + usize::from(*empty);
            *start = total;
            total += own;
        }
        let mut places: Vec<(usize, usize)> = try_filled((count, 0), total)?;
        for (row, &start) in starts.iter().enumerate().filter(|(row, _)| empty[*row]) {
            places[start].1 = row;
        }
        let map = reverse_index_map.allocate([count])?.as_mut_slice::<i64>()?;
        for ((number, &row), map) in row_ids.iter().enumerate().zip(map) {
            let next = &mut starts[row as usize];
            places[*next] = (number, row as usize);
            *map = *next as i64;
            *next += 1;
        }
        Ok(Self { values, default_value, places })
    }

    fn write_values(&self, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
        let count = self.values.num_elements();
        let mut with_default = env.allocate(self.values.dtype(), [count + 1])?;
        let pieces = [(self.values, count), (self.default_value, 1)];
        join_rows(&env, &mut with_default, &pieces.map(|(tensor, length)| Piece { tensor, length }))?;
        let sources: Vec<usize> = try_collect(self.places.iter().map(|&(source, _)| source))?;
        pick_values(output, &with_default, &sources, env)
    }
}

/// `SparseFillEmptyRowsGrad` and `RaggedFillEmptyRowsGrad` of every number.
#[kernel(SparseFillEmptyRowsGrad, device = CPU, T = [numbers])]
#[kernel(RaggedFillEmptyRowsGrad, device = CPU, T = [numbers])]
pub fn sparse_fill_empty_rows_grad_cpu<T: Computed>(
    reverse_index_map: &Tensor,
    grad_values: &Tensor,
    mut d_values: OutputSlot<'_>,
    mut d_default_value: OutputSlot<'_>,
) -> Result<()>
where
    T::ComputeType: Arithmetic,
{
    ensure!(grad_values.rank() == 1, "grad_values must be a vector, its shape is {}", grad_values.shape());
    ensure!(reverse_index_map.rank() == 1, "reverse_index_map must be a vector, it is {}", reverse_index_map.shape());
    let (map, gradients) = (reverse_index_map.as_slice::<i64>()?, grad_values.as_slice::<T>()?);
    let out = d_values.allocate([map.len()])?.as_mut_slice::<T>()?;
    let mut taken: Vec<bool> = try_filled(false, gradients.len())?;
    for ((number, &from), out) in map.iter().enumerate().zip(out) {
        let Some(from) = usize::try_from(from).ok().filter(|&from| from < gradients.len()) else {
            bail!("reverse_index_map[{number}] = {from} is not in [0, {})", gradients.len())
        };
        taken[from] = true;
        *out = gradients[from];
    }
    let rest = gradients.iter().zip(&taken).filter(|(_, taken)| !**taken);
    let sum = rest.fold(T::ComputeType::ZERO, |sum, (value, _)| sum.add(value.to_computed()));
    d_default_value.set_scalar(T::from_computed(sum));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    #[test]
    fn rows_get_a_value() {
        let indices = Tensor::from_vec([3, 2], vec![3i64, 1, 0, 2, 3, 0]).unwrap();
        let inputs = vec![indices, [7, 8, 9].into(), [4i64, 3].into(), (-1).into()];
        let out = run("SparseFillEmptyRows", &[], inputs).unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), [0, 2, 1, 0, 2, 0, 3, 1, 3, 0]);
        assert_eq!(out[1].as_slice::<i32>().unwrap(), [8, -1, -1, 7, 9]);
        assert_eq!(out[2].as_slice::<bool>().unwrap(), [false, true, true, false]);
        assert_eq!(out[3].as_slice::<i64>().unwrap(), [3, 0, 4]);
        let gradients = vec![out[3].clone(), [1.0f32, 2.0, 3.0, 4.0, 5.0].into()];
        let out = run("SparseFillEmptyRowsGrad", &[], gradients).unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), [4.0, 1.0, 5.0]);
        assert_eq!(out[1].to_scalar::<f32>().unwrap(), 5.0);
    }

    #[test]
    fn rows_of_ragged_matrices_get_a_value() {
        let inputs = vec![[3i64, 0, 3].into(), [7, 8, 9].into(), 4i64.into(), (-1).into()];
        let out = run("RaggedFillEmptyRows", &[], inputs).unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), [0, 1, 2, 3, 3]);
        assert_eq!(out[1].as_slice::<i32>().unwrap(), [8, -1, -1, 7, 9]);
        assert_eq!(out[3].as_slice::<i64>().unwrap(), [3, 0, 4]);
        for (row, rows) in [(0, 0), (5, 2), (0, -2)] {
            let inputs = vec![[row as i64].into(), [7].into(), (rows as i64).into(), (-1).into()];
            assert!(run("RaggedFillEmptyRows", &[], inputs).is_err());
        }
    }

    #[test]
    fn what_is_outside_is_an_error() {
        let fill = |row: i64, shape: &[i64]| {
            let indices = Tensor::from_vec([1, 2], vec![row, 0]).unwrap();
            run("SparseFillEmptyRows", &[], vec![indices, [7].into(), shape.into(), 0.into()])
        };
        assert!(fill(0, &[1, 1]).is_ok());
        for (row, shape) in [(1, &[1i64, 1][..]), (-1, &[1, 1]), (0, &[0, 1]), (0, &[-1, 1]), (0, &[1i64 << 60, 1])] {
            assert!(fill(row, shape).is_err(), "{row} {shape:?}");
        }
        assert!(run("SparseFillEmptyRowsGrad", &[], vec![[3i64].into(), [1.0f32].into()]).is_err());
    }
}
