//! `TensorArrayConcatV3`: all elements of a tensor array joined along their first axis.
//!
//! The elements, at least vectors, agree in all extents but the first, and these fit the attr `element_shape_except0`; of an
//! array without elements they must be fully known. `lengths` has the first extent of each. Each is read as
//! `TensorArrayReadV3` does. Every dtype.

use oplink::merge_shapes;
use oplink::prelude::*;

use super::array::TensorArray;
use super::shapes;
use super::tensor_array_gather_v3::known_row;
use crate::state::rows::join;

/// All elements one after the other, and how long each is.
#[op("TensorArrayConcatV3",
     input = "handle: resource",
     input = "flow_in: float",
     output = "value: dtype",
     output = "lengths: int64",
     attr = "dtype: type",
     attr = "element_shape_except0: shape = { unknown_rank: true }",
     stateful,
     shape = shapes::concat)]
pub struct TensorArrayConcatV3;

/// `TensorArrayConcatV3` of every dtype.
#[kernel(TensorArrayConcatV3, device = CPU, dtype = any, host_memory = [lengths, handle])]
pub fn tensor_array_concat_v3_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let array = context.resource::<TensorArray>(0)?;
    let mut state = array.open_for(context.attr("dtype")?)?;
    let elements = (0..state.len()).map(|index| state.read(index as i64)).collect::<Result<Vec<_>>>()?;
    drop(state);
    let lengths = elements.iter().map(|element| match element.shape().first() {
        Some(&length) => Ok(length),
        None => bail!("elements to join must be at least vectors, one is a scalar"),
    });
    let lengths = lengths.collect::<Result<Vec<usize>>>()?;
    let given: PartialShape = context.attr("element_shape_except0")?;
    let rest =
        elements.iter().try_fold(given, |rest, element| merge_shapes(&rest, &Shape::new(&element.shape()[1..]).into()));
    let rest = known_row(rest?)?;
    let pieces: Vec<_> = elements.iter().map(|element| (Some(element), element.num_elements())).collect();
    let out = join(context, 0, [&[lengths.iter().sum()], rest.dims()].concat(), &pieces)?;
    context.set_output(0, out);
    context.set_output(1, lengths.iter().map(|&length| length as i64).collect::<Vec<_>>().into());
    Ok(())
}
