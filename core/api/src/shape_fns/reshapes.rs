//! Shape functions of ops that change the shape but not the elements.

use super::dims::{divide_evenly, multiply};
use super::joins::replace_dim;
use crate::shape::Dim;
use crate::shape_inference::{normalize_axis, shape_error};
use crate::{PartialShape, Result, ShapeContext};

/// `Reshape`: the output has the shape in input 1, where one extent may be -1, which the number of elements gives.
///
/// # Errors
/// Input 1 is no shape, or one of another number of elements.
pub fn reshape(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(1, 1)?;
    let mut out = c.make_shape_from_tensor(1)?;
    if let (Some(from), Some(to)) = (Known::of(c.input(0))?, Known::of(&out)?) {
        out = infer_missing(c.input(0), &from, out, &to)?;
    }
    c.set_output(0, out);
    Ok(())
}

/// The product of a shape's known extents, and its unknown one, where it is of known rank and has one at most.
struct Known {
    elements: usize,
    missing: Option<usize>,
}

impl Known {
    fn of(shape: &PartialShape) -> Result<Option<Self>> {
        let Some(dims) = shape.dims() else { return Ok(None) };
        if dims.contains(&Some(0)) {
            return Ok(Some(Self { elements: 0, missing: None }));
        }
        let mut unknown = dims.iter().enumerate().filter(|(_, d)| d.is_none()).map(|(axis, _)| axis);
        let missing = unknown.next();
        if unknown.next().is_some() {
            return Ok(None);
        }
        let elements = dims.iter().flatten().try_fold(Some(1), |n: Dim, &d| multiply(n, Some(d)))?;
        Ok(Some(Self { elements: elements.unwrap_or(0), missing }))
    }
}

fn infer_missing(input: &PartialShape, from: &Known, out: PartialShape, to: &Known) -> Result<PartialShape> {
    match (from.missing, to.missing) {
        (None, None) if from.elements != to.elements => Err(shape_error(format!(
            "cannot reshape a tensor with {} elements to shape {out} ({} elements)",
            from.elements, to.elements
        ))),
        (None, Some(axis)) if to.elements > 0 => {
            let dim = divide_evenly(Some(from.elements), to.elements)?;
            Ok(replace_dim(&out, axis, dim))
        }
        (Some(_), None) if from.elements > 0 => {
            divide_evenly(Some(to.elements), from.elements)?;
            Ok(out)
        }
        (Some(from_axis), Some(axis)) if from.elements == to.elements => {
            Ok(replace_dim(&out, axis, input.dim(from_axis)))
        }
        _ => Ok(out),
    }
}

/// `Squeeze`: without the axes in the attr `squeeze_dims`, which must be of extent 1; without all such axes where the
/// attr is empty.
///
/// # Errors
/// A dimension does not exist, or its extent is not 1.
pub fn squeeze(c: &mut ShapeContext<'_>) -> Result<()> {
    let Some(dims) = c.input(0).dims() else { return Ok(()) };
    let axes = c.attr::<&[i64]>("squeeze_dims")?;
    let axes = axes.iter().map(|&axis| normalize_axis(axis, dims.len())).collect::<Result<Vec<_>>>();
    let axes = axes.map_err(|e| shape_error(e.message()))?;
    let mut out = PartialShape::scalar();
    for (axis, &dim) in dims.iter().enumerate() {
        match (axes.contains(&axis), dim) {
            (true, None | Some(1)) => {}
            (true, Some(dim)) => {
                return Err(shape_error(format!("cannot squeeze dimension {axis}, its extent is {dim}, not 1")));
            }
            (false, Some(1)) if axes.is_empty() => {}
            (false, None) if axes.is_empty() => return Ok(()),
            (false, dim) => out.push(dim),
        }
    }
    c.set_output(0, out);
    Ok(())
}

/// `ExpandDims`: an extent of 1 inserted at the axis in input 1, which lies in `[-rank - 1, rank]`; unknown where
/// the axis is.
///
/// # Errors
/// The axis is outside of its range.
pub fn expand_dims(c: &mut ShapeContext<'_>) -> Result<()> {
    let (Some(axis), Some(dims)) = (c.constant_int(1)?, c.input(0).dims()) else { return Ok(()) };
    let axis = normalize_axis(axis, dims.len() + 1).map_err(|e| shape_error(e.message()))?;
    let mut out = dims.to_vec();
    out.insert(axis, Some(1));
    c.set_output(0, PartialShape::new(&out));
    Ok(())
}
