//! Shape functions of optimisers: which inputs are variables, and which the gradient, follows from their declarations.

use oplink::prelude::*;
use oplink::shape::Dim;
use oplink::shape_inference::merge_shapes;

/// Variables and gradient have one shape, which is the output's where there is one; all other inputs are scalars.
pub(super) fn dense(context: &mut ShapeContext<'_>) -> Result<()> {
    infer(context, false)
}

/// As [`dense`], with a gradient that has a row for each element of the vector `indices`.
pub(super) fn sparse(context: &mut ShapeContext<'_>) -> Result<()> {
    infer(context, true)
}

fn infer(context: &mut ShapeContext<'_>, sparse: bool) -> Result<()> {
    let mut shape = PartialShape::unknown();
    let mut count: Dim = None;
    for index in 0..context.num_inputs() {
        let arg = &context.op().inputs[index];
        if arg.is_ref {
            shape = merge_shapes(&shape, context.input(index))?;
        } else if context.input_dtype(index) == Some(DType::Resource) {
            if let Some((_, held)) = context.input_handle_shapes(index).first() {
                shape = merge_shapes(&shape, held)?;
            }
        } else if arg.name == "indices" {
            count = context.merge_dim(count, context.with_rank(index, 1)?.dim(0))?;
        } else if arg.name != "grad" && arg.name != "delta" {
            context.with_rank(index, 0)?;
        } else if sparse {
            let gradient = context.with_rank_at_least(index, 1)?;
            count = context.merge_dim(count, gradient.dim(0))?;
            let rest = context.subshape(&gradient, 1, None)?;
            shape = merge_shapes(&shape, &context.concatenate(&PartialShape::new(&[None]), &rest))?;
        } else {
            shape = merge_shapes(&shape, context.input(index))?;
        }
    }
    context.set_output(0, shape);
    Ok(())
}
