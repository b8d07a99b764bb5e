//! Shape functions of tables. The handle of a table whose entries can change tells of a key and of a value.

pub(super) use crate::state::handles::reference;
use crate::state::handles::two_names;
use oplink::prelude::*;
use oplink::shape_inference::merge_shapes;

/// A handle that tells nothing.
pub(super) fn table(context: &mut ShapeContext<'_>) -> Result<()> {
    context.set_output(0, PartialShape::scalar());
    Ok(())
}

/// A handle to scalars by scalars.
pub(super) fn mutable_table(context: &mut ShapeContext<'_>) -> Result<()> {
    table_of(context, PartialShape::scalar())
}

/// A handle to vectors by scalars.
pub(super) fn table_of_vectors(context: &mut ShapeContext<'_>) -> Result<()> {
    let shape: PartialShape = context.attr("value_shape")?;
    table_of(context, if shape.rank().is_some() { shape } else { PartialShape::scalar() })
}

/// A handle to values of the shape in an attr by scalars.
pub(super) fn dense_table(context: &mut ShapeContext<'_>) -> Result<()> {
    let shape: PartialShape = context.attr("value_shape")?;
    table_of(context, shape)
}

fn table_of(context: &mut ShapeContext<'_>, values: PartialShape) -> Result<()> {
    let (keys, dtype) = (context.attr("key_dtype")?, context.attr("value_dtype")?);
    context.set_output(0, PartialShape::scalar());
    context.set_output_handle_shapes(0, vec![(keys, PartialShape::scalar()), (dtype, values)]);
    Ok(())
}

/// The values of the keys in input 1.
pub(super) fn find(context: &mut ShapeContext<'_>) -> Result<()> {
    context.with_rank(0, 0)?;
    let shape = values_of(context, 1, context.input_dtype(2))?;
    context.set_output(0, shape);
    Ok(())
}

/// As [`find`], where nothing is known of the table.
pub(super) fn find_reference(context: &mut ShapeContext<'_>) -> Result<()> {
    two_names(context, 0)?;
    if let Some(default) = context.input(2).rank() {
        ensure!(default <= 1, "the default must be a scalar or a vector, it has the shape {}", context.input(2));
    }
    context.set_output(0, PartialShape::unknown());
    Ok(())
}

/// Values for the keys in input 1.
pub(super) fn write(context: &mut ShapeContext<'_>) -> Result<()> {
    context.with_rank(0, 0)?;
    Ok(())
}

/// Values for the keys in the vector in input 1, all there are.
pub(super) fn import(context: &mut ShapeContext<'_>) -> Result<()> {
    context.with_rank(0, 0)?;
    let (keys, values) = (context.with_rank(1, 1)?, context.with_rank_at_least(2, 1)?);
    context.merge_dim(keys.dim(0), values.dim(0))?;
    Ok(())
}

/// As [`write`], to the table behind a reference.
pub(super) fn write_reference(context: &mut ShapeContext<'_>) -> Result<()> {
    two_names(context, 0)
}

/// The keys and the values of a table.
pub(super) fn initialize(context: &mut ShapeContext<'_>) -> Result<()> {
    context.with_rank(0, 0)?;
    let keys = context.with_rank(1, 1)?;
    merge_shapes(&keys, context.input(2))?;
    Ok(())
}

/// As [`initialize`], of the table behind a reference.
pub(super) fn initialize_reference(context: &mut ShapeContext<'_>) -> Result<()> {
    two_names(context, 0)?;
    let keys = context.with_rank(1, 1)?;
    merge_shapes(&keys, context.input(2))?;
    Ok(())
}

/// A file of entries.
pub(super) fn initialize_from_file(context: &mut ShapeContext<'_>) -> Result<()> {
    context.with_rank(0, 0)?;
    context.with_rank(1, 0)?;
    Ok(())
}

/// As [`initialize_from_file`], for the table behind a reference.
pub(super) fn initialize_reference_from_file(context: &mut ShapeContext<'_>) -> Result<()> {
    two_names(context, 0)?;
    context.with_rank(1, 0)?;
    Ok(())
}

/// All keys and values.
pub(super) fn export(context: &mut ShapeContext<'_>) -> Result<()> {
    context.with_rank(0, 0)?;
    check(context, context.output_dtype(0), context.output_dtype(1))?;
    context.set_output(0, PartialShape::unknown());
    context.set_output(1, PartialShape::unknown());
    Ok(())
}

/// As [`export`], of the table behind a reference.
pub(super) fn export_reference(context: &mut ShapeContext<'_>) -> Result<()> {
    two_names(context, 0)?;
    context.set_output(0, PartialShape::new(&[None]));
    context.set_output(1, PartialShape::unknown());
    Ok(())
}

/// Keys to take out.
pub(super) fn remove(context: &mut ShapeContext<'_>) -> Result<()> {
    context.with_rank(0, 0)?;
    context.with_rank_at_least(1, 1)?;
    Ok(())
}

/// The number of entries.
pub(super) fn size(context: &mut ShapeContext<'_>) -> Result<()> {
    context.with_rank(0, 0)?;
    context.set_output(0, PartialShape::scalar());
    Ok(())
}

/// The shape of the values of keys, as far as the handle tells.
fn values_of(context: &ShapeContext<'_>, keys: usize, values: Option<DType>) -> Result<PartialShape> {
    check(context, context.input_dtype(keys), values)?;
    match context.input_handle_shapes(0) {
        [_, (_, value)] => Ok(context.concatenate(context.input(keys), value)),
        _ => Ok(PartialShape::unknown()),
    }
}

/// An error where the handle tells of other dtypes.
fn check(context: &ShapeContext<'_>, keys: Option<DType>, values: Option<DType>) -> Result<()> {
    if let [(key, _), (value, _)] = context.input_handle_shapes(0) {
        let fits = keys == Some(*key) && values == Some(*value);
        ensure!(fits, "the table maps {key} to {value}, not {keys:?} to {values:?}");
    }
    Ok(())
}
