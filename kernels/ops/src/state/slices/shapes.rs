//! Shape functions of ops on parts of variables.

use oplink::prelude::*;
use oplink::shape_inference::merge_shapes;

/// Rows of the variable behind the handle in input 0, after `batch_dims` extents that it shares with input 1.
pub(super) fn gather(context: &mut ShapeContext<'_>) -> Result<()> {
    let variable = held(context, context.output_dtype(0))?;
    let batch_dims: i64 = context.attr("batch_dims")?;
    let rank = variable.rank().map(|rank| rank as i64);
    ensure!(
        rank.is_none_or(|rank| batch_dims < rank),
        "batch_dims {batch_dims} are too many for a variable {variable}"
    );
    let (indices, outer) = (context.input(1).clone(), batch_dims.max(0));
    ensure!(
        indices.rank().is_none_or(|rank| outer <= rank as i64),
        "batch_dims {batch_dims} are too many for indices {indices}"
    );
    let shared = context.subshape(&variable, 0, Some(outer))?;
    let picked = context.subshape(&indices, outer, None)?;
    let rest = context.subshape(&variable, outer + 1, None)?;
    let shape = context.concatenate(&context.concatenate(&shared, &picked), &rest);
    context.set_output(0, shape);
    Ok(())
}

/// Slices of the variable behind the handle in input 0.
pub(super) fn gather_nd(context: &mut ShapeContext<'_>) -> Result<()> {
    let variable = held_or_own(context, context.output_dtype(0))?;
    let indices = context.with_rank_at_least(1, 1)?;
    let depth = indices.rank().and_then(|rank| indices.dim(rank - 1));
    let (Some(rank), Some(depth)) = (variable.rank(), depth) else { return Ok(()) };
    ensure!(depth <= rank, "indices {indices} hold {depth} coordinates each, the variable {variable} has fewer axes");
    let outer = context.subshape(&indices, 0, Some(-1))?;
    let shape = context.concatenate(&outer, &context.subshape(&variable, depth as i64, None)?);
    context.set_output(0, shape);
    Ok(())
}

/// Updates of rows of a referenced variable, whose shape the output has.
pub(super) fn scatter(context: &mut ShapeContext<'_>) -> Result<()> {
    let variable = context.input(0).clone();
    check_rows(context, &variable)?;
    context.set_output(0, variable);
    Ok(())
}

/// As [`scatter`], of a resource variable.
pub(super) fn scatter_resource(context: &mut ShapeContext<'_>) -> Result<()> {
    let variable = held(context, context.input_dtype(2))?;
    check_rows(context, &variable)
}

/// Updates have the shape of the indices, then that of a row, or are a scalar.
fn check_rows(context: &ShapeContext<'_>, variable: &PartialShape) -> Result<()> {
    if context.input(2).rank() != Some(0) {
        let row = context.subshape(variable, 1, None)?;
        merge_shapes(context.input(2), &context.concatenate(context.input(1), &row))?;
    }
    Ok(())
}

/// Updates of slices of a referenced variable, whose shape the output has.
pub(super) fn scatter_nd(context: &mut ShapeContext<'_>) -> Result<()> {
    let variable = context.input(0).clone();
    check_slices(context, &variable)?;
    context.set_output(0, variable);
    Ok(())
}

/// As [`scatter_nd`], of a resource variable.
pub(super) fn scatter_nd_resource(context: &mut ShapeContext<'_>) -> Result<()> {
    let variable = held_or_own(context, context.input_dtype(2))?;
    check_slices(context, &variable)
}

fn check_slices(context: &ShapeContext<'_>, variable: &PartialShape) -> Result<()> {
    let (indices, updates) = (context.with_rank_at_least(1, 1)?, context.with_rank_at_least(2, 1)?);
    shape_fns::check_scatter_nd(context, variable, &indices, &updates)
}

/// The shape of the variable.
pub(super) fn assign_region(context: &mut ShapeContext<'_>) -> Result<()> {
    context.set_output(0, context.input(0).clone());
    Ok(())
}

/// What is known of the variable behind the handle in input 0, which holds `dtype`.
fn held(context: &ShapeContext<'_>, dtype: Option<DType>) -> Result<PartialShape> {
    let Some((held, shape)) = context.input_handle_shapes(0).first() else { return Ok(PartialShape::unknown()) };
    ensure!(dtype == Some(*held), "the variable holds {held}, this op works on it as {dtype:?}");
    Ok(shape.clone())
}

/// As [`held`]; the shape of the handle where it tells nothing.
fn held_or_own(context: &ShapeContext<'_>, dtype: Option<DType>) -> Result<PartialShape> {
    if context.input_handle_shapes(0).is_empty() { Ok(context.input(0).clone()) } else { held(context, dtype) }
}
