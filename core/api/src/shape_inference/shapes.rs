//! Shapes, axes and the values that ops take them from: what shape functions and kernels ask alike.

use smallvec::SmallVec;

use crate::{DType, Element, Error, ErrorKind, PartialShape, Result, Shape, Tensor, bail};

/// The shape that satisfies both, as much of it as is known; an error where they contradict each other.
///
/// # Errors
/// The shapes contradict each other.
pub fn merge_shapes(a: &PartialShape, b: &PartialShape) -> Result<PartialShape> {
    let (Some(x), Some(y)) = (a.dims(), b.dims()) else {
        return Ok(if a.rank().is_some() { a.clone() } else { b.clone() });
    };
    if !a.is_compatible_with(b) {
        return Err(shape_error(format!("shapes {a} and {b} must be equal")));
    }
    Ok(x.iter().zip(y).map(|(a, b)| a.or(*b)).collect())
}

/// Integers, a few of them in place.
pub type FewInts = SmallVec<[i64; 4]>;

/// The values of a tensor of int32, int64, int16, int8 or uint8: the dtypes that ops take shapes, axes and indices in.
///
/// # Errors
/// The tensor has another dtype, or lies in a device's memory.
pub fn int_values(tensor: &Tensor) -> Result<Vec<i64>> {
    few_ints(tensor).map(SmallVec::into_vec)
}

/// As [`int_values`], for inputs that mostly have a few, such as positions: those take no memory.
///
/// # Errors
/// As [`int_values`].
pub fn few_ints(tensor: &Tensor) -> Result<FewInts> {
    fn widened<T: Element + Copy + Into<i64>>(tensor: &Tensor) -> Result<FewInts> {
        Ok(listed(&mut tensor.as_slice::<T>()?.iter().map(|&v| v.into())))
    }
    // One list for all dtypes.
    fn listed(values: &mut dyn Iterator<Item = i64>) -> FewInts {
        let mut list = FewInts::new();
        values.for_each(|value| list.push(value));
        list
    }
    match tensor.dtype() {
        DType::Int32 => widened::<i32>(tensor),
        DType::Int64 => Ok(FewInts::from_slice(tensor.as_slice()?)),
        DType::Int16 => widened::<i16>(tensor),
        DType::Int8 => widened::<i8>(tensor),
        DType::UInt8 => widened::<u8>(tensor),
        other => bail!("expected a tensor of integers (int32, int64, int16, int8 or uint8), got {other}"),
    }
}

/// The axis that a possibly negative `axis` means for this rank.
///
/// # Errors
/// The axis is outside of `-rank..rank`.
pub fn normalize_axis(axis: i64, rank: usize) -> Result<usize> {
    let normalized = if axis < 0 { axis + rank as i64 } else { axis };
    match usize::try_from(normalized) {
        Ok(a) if a < rank => Ok(a),
        _ => bail!("axis {axis} is outside [-{rank}, {rank}) for rank {rank}"),
    }
}

/// The broadcast of two fully known shapes: aligned at the last axis, an extent of 1 stretches.
///
/// # Errors
/// Extents at one axis differ, and none of them is 1.
pub fn broadcast_shapes(a: &[usize], b: &[usize]) -> Result<Shape> {
    let rank = a.len().max(b.len());
    let at = |s: &[usize], axis: usize| (axis + s.len()).checked_sub(rank).map_or(1, |i| s[i]);
    (0..rank)
        .map(|axis| match (at(a, axis), at(b, axis)) {
            (x, y) if x == y => Ok(x),
            (1, y) => Ok(y),
            (x, 1) => Ok(x),
            _ => Err(shape_error(format!("incompatible shapes: {} and {}", Shape::new(a), Shape::new(b)))),
        })
        .collect()
}

/// A shape inference error.
#[cold]
pub fn shape_error(message: impl Into<String>) -> Error {
    Error::invalid_argument(message).with_kind(ErrorKind::ShapeInference)
}
