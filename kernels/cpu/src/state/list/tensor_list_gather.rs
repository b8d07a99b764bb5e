//! `TensorListGather`: some elements of a list as the rows of a tensor.
//!
//! As `TensorListStack` of the elements at `indices`; only these tell the shape of those among them that were never set.
//! Every dtype.

use oplink::int_values;
use oplink::prelude::*;

use super::access::list;
use super::shapes;
use super::tensor_list::{common_shape, fully_known};
use crate::state::arguments;
use crate::state::rows::join;

/// The elements at `indices` as rows.
#[op("TensorListGather",
     input = "input_handle: variant",
     input = "indices: int32",
     input = "element_shape: int32",
     output = "values: element_dtype",
     attr = "element_dtype: type",
     shape = shapes::gather)]
pub struct TensorListGather;

/// `TensorListGather` of every dtype.
#[kernel(TensorListGather, device = CPU, element_dtype = any, host_memory = [element_shape])]
pub fn tensor_list_gather_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let list = list(context, 0)?;
    let element = |at: i64| match usize::try_from(at).ok().and_then(|at| list.elements.get(at)) {
        Some(element) => Ok(element),
        None => bail!("index {at} is outside of a list of {} elements", list.elements.len()),
    };
    let picked = int_values(context.input(1))?.into_iter().map(element).collect::<Result<Vec<_>>>()?;
    let shape = list.shape_with(&arguments::element_shape(context, 2)?)?;
    let shape = fully_known(&common_shape(shape, picked.iter().copied())?)?;
    let length = shape.num_elements();
    let elements: Vec<_> = picked.iter().map(|element| (element.as_ref(), length)).collect();
    let out = join(context, 0, [&[picked.len()], shape.dims()].concat(), &elements)?;
    context.set_output(0, out);
    Ok(())
}
