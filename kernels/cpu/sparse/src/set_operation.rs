//! `SetSize`, `DenseToDenseSetOperation`, `DenseToSparseSetOperation`, `SparseToSparseSetOperation`: sets of the values
//! along the last axis.
//!
//! All axes but the last are equal on both sides. The values of each result come in order, strings by their bytes; the
//! last extent is that of the largest set.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use oplink::prelude::*;
use oplink_ops::movement::row_major_strides;
use oplink_ops::sparse::{
    DenseToDenseSetOperation, DenseToSparseSetOperation, SetOperation, SetSize, SparseToSparseSetOperation,
    SparseToSparseSetOperationInputs,
};

use crate::coordinates::{Sparse, position};
use crate::sets::{Group, of_dense, of_sparse, write};

/// `SetSize` of integers and strings.
#[kernel(SetSize, device = CPU, T = [i8, i16, i32, i64, u8, u16, TString])]
pub fn set_size_cpu<T: Element + Ord>(
    set_indices: &Tensor,
    set_values: &Tensor,
    set_shape: &Tensor,
    validate_indices: bool,
    mut size: OutputSlot<'_>,
) -> Result<()> {
    let input = Sparse::new(set_indices, set_values, set_shape, "set_")?;
    let groups = of_sparse::<T>(&input, validate_indices)?;
    let leading = &input.shape[..input.shape.rank() - 1];
    let strides = row_major_strides(leading);
    let out = size.allocate(leading.to_vec())?.as_mut_slice::<i32>()?;
    out.fill(0);
    for (at, set) in groups {
        out[position(at, &strides) as usize] =
            i32::try_from(set.len()).map_err(|_| Error::invalid_argument("a set is too large"))?;
    }
    Ok(())
}

/// What the operation makes of two sets.
fn apply<T: Element + Ord>(operation: SetOperation, a: &BTreeSet<T>, b: &BTreeSet<T>) -> BTreeSet<T> {
    match operation {
        SetOperation::Difference => a.difference(b).cloned().collect(),
        SetOperation::ReverseDifference => b.difference(a).cloned().collect(),
        SetOperation::Intersection => a.intersection(b).cloned().collect(),
        SetOperation::Union => a.union(b).cloned().collect(),
    }
}

/// What the operation makes of the sets of both sides, in step; empty results are left out.
fn combine<T: Element + Ord>(operation: SetOperation, a: Vec<Group<T>>, b: Vec<Group<T>>) -> Vec<Group<T>> {
    let (mut a, mut b) = (a.into_iter().peekable(), b.into_iter().peekable());
    let mut results = Vec::new();
    loop {
        let order = match (a.peek(), b.peek()) {
            (None, None) => return results,
            (Some(a), Some(b)) => a.0.cmp(&b.0),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
        };
        let left = if order.is_le() { a.next() } else { None };
        let right = if order.is_ge() { b.next() } else { None };
        let at = left.as_ref().or(right.as_ref()).map(|group| group.0.clone()).unwrap_or_default();
        let [left, right] = [left, right].map(|group| group.map(|group| group.1).unwrap_or_default());
        let result = apply(operation, &left, &right);
        if !result.is_empty() {
            results.push((at, result));
        }
    }
}

/// The leading extents, which both sides share.
fn leading<'a>(a: &'a Shape, b: &Shape) -> Result<&'a [usize]> {
    let (Some((_, own)), Some((_, other))) = (a.split_last(), b.split_last()) else {
        bail!("sets must have 2 axes at least")
    };
    ensure!(
        !own.is_empty() && own == other,
        "the shapes {a} and {b} must be equal but for the last axis, of 2 at least"
    );
    Ok(own)
}

/// `DenseToDenseSetOperation` of integers and strings.
#[kernel(DenseToDenseSetOperation, device = CPU, T = [i8, i16, i32, i64, u8, u16, TString])]
pub fn dense_to_dense_set_operation_cpu<T: Element + Ord>(
    set1: &Tensor,
    set2: &Tensor,
    set_operation: &str,
    result_indices: OutputSlot<'_>,
    result_values: OutputSlot<'_>,
    result_shape: OutputSlot<'_>,
) -> Result<()> {
    let operation = SetOperation::named(set_operation)?;
    let extents = leading(set1.shape(), set2.shape())?;
    let groups = combine(operation, of_dense::<T>(set1)?, of_dense(set2)?);
    write(&groups, extents, [result_indices, result_values, result_shape])
}

/// `DenseToSparseSetOperation` of integers and strings.
#[kernel(DenseToSparseSetOperation, device = CPU, T = [i8, i16, i32, i64, u8, u16, TString])]
#[allow(clippy::too_many_arguments, reason = "the op's inputs and outputs by name")]
pub fn dense_to_sparse_set_operation_cpu<T: Element + Ord>(
    set1: &Tensor,
    set2_indices: &Tensor,
    set2_values: &Tensor,
    set2_shape: &Tensor,
    set_operation: &str,
    validate_indices: bool,
    result_indices: OutputSlot<'_>,
    result_values: OutputSlot<'_>,
    result_shape: OutputSlot<'_>,
) -> Result<()> {
    let operation = SetOperation::named(set_operation)?;
    let second = Sparse::new(set2_indices, set2_values, set2_shape, "set2_")?;
    let sparse = of_sparse::<T>(&second, validate_indices)?;
    let extents = leading(set1.shape(), &second.shape)?;
    // Sets that come out of order meet none of the dense ones, which come in order.
    let mut highest: Option<Vec<i64>> = None;
    let rising = sparse.into_iter().take_while(|(at, _)| {
        let rises = highest.as_ref().is_none_or(|highest| highest < at);
        highest = Some(at.clone());
        rises
    });
    let groups = combine(operation, of_dense(set1)?, rising.collect());
    write(&groups, extents, [result_indices, result_values, result_shape])
}

/// `SparseToSparseSetOperation` of integers and strings.
#[kernel(SparseToSparseSetOperation, device = CPU, T = [i8, i16, i32, i64, u8, u16, TString])]
pub fn sparse_to_sparse_set_operation_cpu<T: Element + Ord>(
    inputs: SparseToSparseSetOperationInputs<'_>,
    set_operation: &str,
    validate_indices: bool,
    result_indices: OutputSlot<'_>,
    result_values: OutputSlot<'_>,
    result_shape: OutputSlot<'_>,
) -> Result<()> {
    let operation = SetOperation::named(set_operation)?;
    let first = Sparse::new(&inputs.set1_indices, &inputs.set1_values, &inputs.set1_shape, "set1_")?;
    let second = Sparse::new(&inputs.set2_indices, &inputs.set2_values, &inputs.set2_shape, "set2_")?;
    let extents = leading(&first.shape, &second.shape)?;
    let [a, b] = [&first, &second].map(|side| of_sparse::<T>(side, validate_indices));
    write(&combine(operation, a?, b?), extents, [result_indices, result_values, result_shape])
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check, run};

    fn matrix(values: [[i32; 3]; 2]) -> Tensor {
        Tensor::from_vec([2, 3], values.concat()).unwrap()
    }

    fn sparse() -> [Tensor; 3] {
        let indices = Tensor::from_vec([3, 2], vec![1i64, 0, 1, 1, 1, 2]).unwrap();
        [indices, [5, 4, 5].into(), [2i64, 3].into()]
    }

    #[test]
    fn operations() {
        let operate = |operation: &str| {
            let attrs = [("set_operation", operation.into())];
            let [i, v, s] = sparse();
            let out = run("DenseToSparseSetOperation", &attrs, vec![matrix([[1, 1, 2], [9, 5, 9]]), i, v, s]).unwrap();
            (out[0].as_slice::<i64>().unwrap().to_vec(), out[1].as_slice::<i32>().unwrap().to_vec())
        };
        assert_eq!(operate("a-b"), (vec![0, 0, 0, 1, 1, 0], vec![1, 2, 9]));
        assert_eq!(operate("B-A"), (vec![1, 0], vec![4]));
        assert_eq!(operate("intersection"), (vec![1, 0], vec![5]));
        assert_eq!(operate("union").1, [1, 2, 4, 5, 9]);
        let [i, v, s] = sparse();
        check("SetSize", [i, v, s], [0, 2]);
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        let attrs = |operation: &str| [("set_operation", operation.into())];
        let dense = || matrix([[1, 2, 3]; 2]);
        assert!(run("DenseToDenseSetOperation", &attrs("union"), vec![dense(), dense()]).is_ok());
        assert!(run("DenseToDenseSetOperation", &attrs("sum"), vec![dense(), dense()]).is_err());
        assert!(run("DenseToDenseSetOperation", &attrs("union"), vec![dense(), [1].into()]).is_err());
        let [_, v, s] = sparse();
        let unordered = Tensor::from_vec([3, 2], vec![1i64, 0, 0, 1, 1, 2]).unwrap();
        assert!(run("SetSize", &[], vec![unordered.clone(), v.clone(), s.clone()]).is_err());
        let attrs = [("set_operation", "union".into()), ("validate_indices", false.into())];
        assert!(run("DenseToSparseSetOperation", &attrs, vec![dense(), unordered, v, s]).is_ok());
    }
}
