//! Shape functions of queues. A handle that tells of its components tells of one element.

pub(super) use crate::state::handles::reference;
use oplink::prelude::*;

/// One element.
pub(super) fn dequeue(context: &mut ShapeContext<'_>) -> Result<()> {
    set_components(context, &PartialShape::scalar());
    Ok(())
}

/// As many elements as input 1 says.
pub(super) fn dequeue_many(context: &mut ShapeContext<'_>) -> Result<()> {
    let count = context.constant_int(1)?;
    ensure!(count.is_none_or(|count| count >= 0), "n must not be negative, it is {count:?}");
    let count = count.and_then(|count| usize::try_from(count).ok());
    set_components(context, &PartialShape::new(&[count]));
    Ok(())
}

/// Some elements.
pub(super) fn dequeue_up_to(context: &mut ShapeContext<'_>) -> Result<()> {
    set_components(context, &PartialShape::new(&[None]));
    Ok(())
}

/// Sets each output to the component's shape with these extents before it, where the components are known.
fn set_components(context: &mut ShapeContext<'_>, outer: &PartialShape) {
    let components = context.input_handle_shapes(0).to_vec();
    if components.len() == context.num_outputs() {
        for (index, (_, shape)) in components.iter().enumerate() {
            context.set_output(index, context.concatenate(outer, shape));
        }
    }
}
