//! Shape functions of ops that take, make and replace bands of diagonals of matrices.

use crate::shape::Dim;
use crate::shape_inference::{merge_shapes, shape_error};
use crate::{PartialShape, Result, ShapeContext};

/// The lowest and the highest diagonal in a scalar or vector input of one or two numbers, where it is constant.
fn band(c: &ShapeContext<'_>, index: usize) -> Result<Option<(i64, i64)>> {
    c.with_rank_at_most(index, 1)?;
    let Some(values) = c.constant_ints(index)? else { return Ok(None) };
    let (lower, upper) = match values[..] {
        [only] => (only, only),
        [lower, upper] => (lower, upper),
        _ => return Err(shape_error(format!("k must have one or two elements, it has {}", values.len()))),
    };
    if lower > upper {
        return Err(shape_error(format!("k {values:?} must have the lower diagonal first")));
    }
    Ok(Some((lower, upper)))
}

/// The longest diagonal's length in a matrix of these extents; an error where it has no such diagonals.
fn longest((lower, upper): (i64, i64), rows: Dim, columns: Dim) -> Result<Dim> {
    let Some((rows, columns)) = rows.zip(columns).map(|(rows, columns)| (rows as i64, columns as i64)) else {
        return Ok(None);
    };
    for diagonal in [lower, upper] {
        if diagonal != 0 && (diagonal <= -rows || diagonal >= columns) {
            return Err(shape_error(format!("a matrix of shape [{rows},{columns}] has no diagonal {diagonal}")));
        }
    }
    Ok(usize::try_from((rows + upper.min(0)).min(columns - lower.max(0))).ok())
}

/// `MatrixDiagPartV2` and `V3`: the diagonals `k` (input 1) of the matrices in input 0; one diagonal has no axis.
///
/// # Errors
/// An input has another rank, or the matrices have no such diagonals.
pub fn matrix_diag_part_v2(c: &mut ShapeContext<'_>) -> Result<()> {
    let input = c.with_rank_at_least(0, 2)?;
    c.with_rank_at_most(1, 1)?;
    c.with_rank(2, 0)?;
    let Some([batch @ .., rows, columns]) = input.dims() else { return Ok(()) };
    let Some((lower, upper)) = band(c, 1)? else { return Ok(()) };
    let mut out = PartialShape::new(batch);
    if lower < upper {
        out.push(Some((upper - lower + 1) as usize));
    }
    out.push(longest((lower, upper), *rows, *columns)?);
    c.set_output(0, out);
    Ok(())
}

/// `MatrixDiagV2` and `V3`: matrices of `num_rows` (input 2) by `num_cols` (input 3), -1 being the least there can be,
/// with the diagonals `k` (input 1) in input 0.
///
/// # Errors
/// An input has another rank, or the diagonals do not fit `k` or matrices of this size.
pub fn matrix_diag_v2(c: &mut ShapeContext<'_>) -> Result<()> {
    let input = c.with_rank_at_least(0, 1)?;
    c.with_rank_at_most(1, 1)?;
    (2..5).try_for_each(|index| c.with_rank(index, 0).map(drop))?;
    let Some([batch @ .., length]) = input.dims() else { return Ok(()) };
    let Some((lower, upper)) = band(c, 1)? else { return Ok(()) };
    let batch = match batch {
        _ if lower == upper => batch,
        [batch @ .., count] if count.is_none_or(|count| count as i64 == upper - lower + 1) => batch,
        _ => {
            return Err(shape_error(format!("diagonal of shape {input} does not hold the diagonals {lower}..{upper}")));
        }
    };
    let given = [c.constant_int(2)?.unwrap_or(-1), c.constant_int(3)?.unwrap_or(-1)];
    let sides = match length {
        Some(length) => diagonal_sides(*length, (lower, upper), given)?.map(Some),
        None => given.map(|side| usize::try_from(side).ok()),
    };
    let shape = c.concatenate(&PartialShape::new(batch), &PartialShape::new(&sides));
    c.set_output(0, shape);
    Ok(())
}

/// Rows and columns of matrices whose diagonals `lower..=upper` are at most `length` long. Of the given sides, -1 is
/// the least there can be, equal for both where both are.
///
/// # Errors
/// A side that is too small, or both sides larger than needed.
pub fn diagonal_sides(length: usize, (lower, upper): (i64, i64), given: [i64; 2]) -> Result<[usize; 2]> {
    let least = [length as i64 - upper.min(0), length as i64 + lower.max(0)];
    let sides = match given {
        [-1, -1] => [least[0].max(least[1]); 2],
        [-1, columns] => [least[0], columns],
        [rows, -1] => [rows, least[1]],
        both => both,
    };
    if sides[0] < least[0] || sides[1] < least[1] || (sides[0] != least[0] && sides[1] != least[1]) {
        return Err(shape_error(format!(
            "diagonals {lower}..={upper} of length {length} do not give {} rows by {} columns: \
             one side must be the least there can be, {} or {}",
            given[0], given[1], least[0], least[1]
        )));
    }
    Ok(sides.map(|side| side as usize))
}

/// `MatrixSetDiag`: input 0, whose matrices have the diagonals of input 1.
///
/// # Errors
/// An input has another rank, or the diagonals do not fit the matrices.
pub fn matrix_set_diag(c: &mut ShapeContext<'_>) -> Result<()> {
    let input = c.with_rank_at_least(0, 2)?;
    c.with_rank_at_least(1, 1)?;
    let diagonal = match input.rank() {
        Some(rank) => c.with_rank(1, rank - 1)?,
        None => c.input(1).clone(),
    };
    if let (Some([.., rows, columns]), Some([.., length])) = (input.dims(), diagonal.dims()) {
        c.merge_dim(*length, longest((0, 0), *rows, *columns)?)?;
    }
    set_merged(c, &input, &diagonal, 1)
}

/// `MatrixSetDiagV2` and `V3`: input 0, whose matrices have the diagonals `k` (input 2) of input 1.
///
/// # Errors
/// An input has another rank, or the matrices have no such diagonals.
pub fn matrix_set_diag_v2(c: &mut ShapeContext<'_>) -> Result<()> {
    let input = c.with_rank_at_least(0, 2)?;
    let mut diagonal = c.with_rank_at_least(1, 1)?;
    let band = band(c, 2)?;
    let axes = band.map_or(1, |(lower, upper)| if lower == upper { 1 } else { 2 });
    if let Some(rank) = input.rank() {
        if band.is_some() {
            diagonal = c.with_rank(1, rank - 2 + axes)?;
        } else {
            c.with_rank_at_least(1, rank - 1)?;
            diagonal = c.with_rank_at_most(1, rank)?;
        }
        longest(band.unwrap_or((0, 0)), input.dim(rank - 2), input.dim(rank - 1))?;
    }
    set_merged(c, &input, &diagonal, axes as i64)
}

/// Sets the input's shape, its batch as far as the diagonal tells it, whose last `axes` are no batch.
fn set_merged(c: &mut ShapeContext<'_>, input: &PartialShape, diagonal: &PartialShape, axes: i64) -> Result<()> {
    let mut out = input.clone();
    if diagonal.rank().is_some() && !input.is_fully_known() {
        let batch = c.subshape(diagonal, 0, Some(-axes))?;
        out = merge_shapes(input, &c.concatenate(&batch, &PartialShape::unknown_of_rank(2)))?;
    }
    c.set_output(0, out);
    Ok(())
}
