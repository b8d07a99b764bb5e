//! `RaggedTensorToTensor`: a tensor with the rows of a ragged tensor, filled up to one length.
//!
//! `values` holds the innermost elements (or slices), and each of `row_partition_tensors`, from the outermost axis
//! inwards, says how those of one axis are shared out: `ROW_SPLITS` has the start of each row and the end,
//! `VALUE_ROWIDS` the row of each element, and `FIRST_DIM_SIZE`, which can only be the first, the number of outermost
//! rows. `shape` gives the output's extents, -1 or a scalar -1 being as many as there are; what lies beyond is left
//! out, and `default_value`, which broadcasts to a slice, stands where there is nothing.

use oplink::memory::{try_filled, try_vec};
use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_cpu_support::movement::{Axis, Cell, CellJob, copy_axes_into, row_major_strides, with_cells};
use oplink_ops::array::{Kind, RaggedTensorToTensor, kinds};

/// `RaggedTensorToTensor` of numbers, bools, strings and quantized values.
#[kernel(RaggedTensorToTensor, device = CPU, T = any, Tindex = [i32, i64], Tshape = any)]
pub fn ragged_tensor_to_tensor_cpu(
    shape: &Tensor,
    values: &Tensor,
    default_value: &Tensor,
    row_partition_tensors: &[Tensor],
    row_partition_types: &[Vec<u8>],
    mut result: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let kinds = kinds(row_partition_types)?;
    let (partitions, types) = (row_partition_tensors.len(), kinds.len());
    ensure!(types == partitions, "there are {partitions} partitions and {types} types");
    ensure!(values.rank() > 0, "values must be at least a vector, it is a scalar");
    let element = &values.shape()[1..];
    let partitions = row_partition_tensors.iter().map(int_values).collect::<Result<Vec<_>>>()?;
    let levels: Vec<Level<'_>> = partitions.iter().zip(&kinds).map(|(values, &kind)| Level { kind, values }).collect();
    let mut rows = levels.first().map_or(Ok(values.shape()[0]), Level::first_rows)?;
    let levels: Vec<_> = levels.into_iter().filter(|level| level.kind != Kind::FirstDimSize).collect();
    let wanted = wanted_extents(shape, levels.len() + 1, element)?;
    let first = wanted[0].unwrap_or(rows);
    let mut shape = vec![first];
    let mut targets = list(rows)?;
    targets.extend((0..rows).map(|row| (row < first).then_some(row)));
    for (level, wanted) in levels.iter().zip(&wanted[1..]) {
        let (members, width) = level.members(rows)?;
        let extent = wanted.unwrap_or(width);
        let target =
            |(row, column): (usize, usize)| targets[row].filter(|_| column < extent).map(|at| at * extent + column);
        targets = members.into_iter().map(target).collect();
        rows = targets.len();
        shape.push(extent);
    }
    ensure!(rows <= values.shape()[0], "the partitions share out {rows} values, there are {}", values.shape()[0]);
    shape.extend(element);
    check_default(default_value, element)?;
    let out = result.allocate(shape)?;
    if out.num_elements() == 0 {
        return Ok(());
    }
    fill_with_default(out, default_value, element, env)?;
    with_cells(out.dtype(), Put { out, values, targets: &targets, length: element.iter().product() })
}

/// The extents that `shape` asks for along the ragged axes; an error where it does not fit the elements.
fn wanted_extents(shape: &Tensor, axes: usize, element: &[usize]) -> Result<Vec<Option<usize>>> {
    let given = int_values(shape)?;
    if shape.rank() == 0 {
        ensure!(given[0] == -1, "shape must be a vector, or the scalar -1, it is {}", given[0]);
        return try_filled(None, axes);
    }
    let extents: Vec<Option<usize>> = given.iter().map(|&extent| usize::try_from(extent).ok()).collect();
    let fits = extents.len() == axes + element.len()
        && extents[axes..].iter().zip(element).all(|(wanted, own)| wanted.is_none_or(|wanted| wanted == *own));
    ensure!(fits, "shape {given:?} does not fit {axes} axes of rows and elements of shape {element:?}");
    Ok(extents[..axes].to_vec())
}

/// An empty list with room for so many elements.
fn list<T>(count: usize) -> Result<Vec<T>> {
    let mut list = Vec::new();
    match list.try_reserve_exact(count) {
        Ok(()) => Ok(list),
        Err(_) => Err(Error::resource_exhausted(format!("there is no memory for {count} rows"))),
    }
}

/// One partition.
struct Level<'a> {
    kind: Kind,
    values: &'a [i64],
}

impl Level<'_> {
    /// The number of outermost rows that the first partition says.
    fn first_rows(&self) -> Result<usize> {
        let rows = match self.kind {
            Kind::FirstDimSize => self.values.first().copied(),
            _ => i64::try_from(self.values.len()).ok().map(|length| length - 1),
        };
        let rows = rows.and_then(|rows| usize::try_from(rows).ok());
        rows.ok_or_else(|| Error::invalid_argument("the first partition has no number of rows"))
    }

    /// The row and the column of each element, and the longest row.
    fn members(&self, rows: usize) -> Result<(Vec<(usize, usize)>, usize)> {
        let members = match self.kind {
            Kind::RowSplits => self.by_splits(rows)?,
            _ => self.by_row_ids(rows)?,
        };
        let width = members.iter().map(|member| member.1 + 1).max().unwrap_or(0);
        Ok((members, width))
    }

    fn by_splits(&self, rows: usize) -> Result<Vec<(usize, usize)>> {
        let rise = self.values.first() == Some(&0) && self.values.is_sorted();
        ensure!(rise, "row splits must rise from 0");
        ensure!(self.values.len() == rows + 1, "there are {} row splits for {rows} rows", self.values.len());
        let row = |(row, ends): (usize, &[i64])| (0..(ends[1] - ends[0]) as usize).map(move |column| (row, column));
        let mut members = list(self.values[rows] as usize)?;
        members.extend(self.values.windows(2).enumerate().flat_map(row));
        Ok(members)
    }

    fn by_row_ids(&self, rows: usize) -> Result<Vec<(usize, usize)>> {
        let mut members: Vec<(usize, usize)> = try_vec(self.values.len())?;
        for &id in self.values {
            let Some(row) = usize::try_from(id).ok().filter(|&row| row < rows) else {
                bail!("row id {id} is not in [0, {rows})")
            };
            let column = members.last().filter(|last| last.0 == row).map_or(0, |last| last.1 + 1);
            members.push((row, column));
        }
        Ok(members)
    }
}

/// An error where the default does not broadcast to elements of this shape.
fn check_default(default: &Tensor, element: &[usize]) -> Result<()> {
    let fits = default.rank() <= element.len()
        && default.shape().iter().rev().zip(element.iter().rev()).all(|(own, of)| own == of || *own == 1);
    ensure!(fits, "default_value of shape {} does not broadcast to elements of shape {element:?}", default.shape());
    Ok(())
}

/// Writes the default to each element of this shape of `out`.
fn fill_with_default(out: &mut Tensor, default: &Tensor, element: &[usize], env: Env<'_>) -> Result<()> {
    let length: usize = element.iter().product();
    let strides = row_major_strides(default.shape());
    let stride = |axis: usize| {
        let own = (axis + default.rank()).checked_sub(element.len()).filter(|&own| default.shape()[own] != 1);
        own.map_or(0, |own| strides[own])
    };
    let rows = [Axis::Strided { count: out.num_elements() / length, stride: 0 }];
    let axes = element.iter().enumerate().map(|(axis, &count)| Axis::Strided { count, stride: stride(axis) });
    copy_axes_into(&env, out, default, 0, &rows.into_iter().chain(axes).collect::<Vec<_>>())
}

struct Put<'a> {
    out: &'a mut Tensor,
    values: &'a Tensor,
    targets: &'a [Option<usize>],
    length: usize,
}

impl CellJob for Put<'_> {
    type Output = ();

    fn run<C: Cell>(self) -> Result<()> {
        let (out, values) = (C::of_mut(self.out)?, C::of(self.values)?);
        for (value, target) in values.chunks_exact(self.length).zip(self.targets) {
            if let Some(target) = target {
                out[target * self.length..][..self.length].clone_from_slice(value);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    fn dense(
        shape: Tensor,
        values: Tensor,
        default: Tensor,
        partitions: &[(&str, &[i64])],
    ) -> Result<(Vec<usize>, Vec<i32>)> {
        let kinds: Vec<Vec<u8>> = partitions.iter().map(|partition| partition.0.as_bytes().to_vec()).collect();
        let tensor = |&(kind, values): &(&str, &[i64])| match kind {
            "FIRST_DIM_SIZE" => Tensor::scalar(values[0]),
            _ => Tensor::from(values),
        };
        let inputs = [shape, values, default].into_iter().chain(partitions.iter().map(tensor)).collect();
        let out = run("RaggedTensorToTensor", &[("row_partition_types", AttrValue::Strings(kinds))], inputs)?.remove(0);
        Ok((out.shape().to_vec(), out.as_slice::<i32>()?.to_vec()))
    }

    #[test]
    fn fills_rows_up() {
        let splits: &[(&str, &[i64])] = &[("ROW_SPLITS", &[0, 2, 2, 5])];
        let values = || Tensor::from([1, 2, 3, 4, 5]);
        let all = dense((-1).into(), values(), 0.into(), splits).unwrap();
        assert_eq!(all, (vec![3, 3], vec![1, 2, 0, 0, 0, 0, 3, 4, 5]));
        let cut = dense([4, 2].into(), values(), 9.into(), splits).unwrap();
        assert_eq!(cut, (vec![4, 2], vec![1, 2, 9, 9, 3, 4, 9, 9]));
        let ids: &[(&str, &[i64])] =
            &[("FIRST_DIM_SIZE", &[3]), ("VALUE_ROWIDS", &[0, 1, 1]), ("VALUE_ROWIDS", &[0, 0, 2, 2])];
        let deep = dense([-1, -1, -1].into(), [1, 2, 3, 4].into(), 0.into(), ids).unwrap();
        assert_eq!(deep, (vec![3, 2, 2], vec![1, 2, 0, 0, 0, 0, 3, 4, 0, 0, 0, 0]));
        let pairs = Tensor::from_vec([2, 2], vec![1, 2, 3, 4]).unwrap();
        let slices = dense([-1, -1, 2].into(), pairs, [8, 9].into(), &[("ROW_SPLITS", &[0, 1, 1, 2])]).unwrap();
        assert_eq!(slices, (vec![3, 1, 2], vec![1, 2, 8, 9, 3, 4]));
    }

    #[test]
    fn partitions_must_fit() {
        let bad: &[&[(&str, &[i64])]] = &[
            &[("VALUE_ROWIDS", &[0, 0, 1])],
            &[("ROW_SPLITS", &[0, 2, 1, 3])],
            &[("ROW_SPLITS", &[1, 3])],
            &[("ROW_SPLITS", &[])],
            &[("ROW_SPLITS", &[0, 4])],
            &[("FIRST_DIM_SIZE", &[1]), ("VALUE_ROWIDS", &[0, 1, 1])],
            &[("ROW_LENGTHS", &[1, 2])],
        ];
        for partitions in bad {
            assert!(dense([-1, -1].into(), [1, 2, 3].into(), 0.into(), partitions).is_err());
        }
    }
}
