//! Shape functions of ops that reorder elements.

use crate::shape_inference::{normalize_axis, shape_error};
use crate::{PartialShape, Result, ShapeContext};

/// `Transpose` and `ConjugateTranspose`: extent `i` of the output is extent `perm[i]` of input 0, `perm` being input 1.
///
/// # Errors
/// Input 1 is no vector with an element for each axis, or it has one that is no axis.
pub fn transpose(c: &mut ShapeContext<'_>) -> Result<()> {
    let elements = c.input(1).num_elements();
    let Some(rank) = c.input(0).rank().or(elements) else { return Ok(()) };
    if c.input(0).rank().is_none() && rank < 2 {
        return Ok(());
    }
    let perm_shape = c.with_rank(1, 1)?;
    c.merge_dim(perm_shape.dim(0), Some(rank))?;
    let input = c.with_rank(0, rank)?;
    let shape = match c.constant_ints(1)? {
        None => PartialShape::unknown_of_rank(rank),
        Some(perm) => {
            let axis = |&p: &i64| normalize_axis(p, rank).map(|axis| input.dim(axis));
            perm.iter().map(axis).collect::<Result<_>>().map_err(|e| shape_error(format!("perm: {}", e.message())))?
        }
    };
    c.set_output(0, shape);
    Ok(())
}

/// `ReverseV2`: unchanged; the axes in the vector input 1 must exist, each once.
///
/// # Errors
/// Input 1 is no vector of axes, or it has one twice.
pub fn reverse_v2(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(1, 1)?;
    let input = c.input(0).clone();
    if let (Some(axes), Some(rank)) = (c.constant_ints(1)?, input.rank()) {
        let mut seen = vec![false; rank];
        for &axis in &axes {
            let axis = normalize_axis(axis, rank).map_err(|e| shape_error(e.message()))?;
            if std::mem::replace(&mut seen[axis], true) {
                return Err(shape_error(format!("axis {axis} is given more than once")));
            }
        }
    }
    c.set_output(0, input);
    Ok(())
}

/// `InvertPermutation`: a vector, unchanged.
///
/// # Errors
/// The input is no vector.
pub fn invert_permutation(c: &mut ShapeContext<'_>) -> Result<()> {
    super::unchanged_with_rank::<1>(c)
}
