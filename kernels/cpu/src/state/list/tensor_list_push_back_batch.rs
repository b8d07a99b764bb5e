//! `TensorListPushBackBatch`: several lists, each with a row of a tensor at its end.
//!
//! `input_handles` is a vector of lists, as many as `tensor` has rows. Every dtype.

use oplink::Variant;
use oplink::prelude::*;

use super::access::of;
use super::shapes;
use crate::state::rows::rows;

/// The lists with the rows of `tensor` at their ends.
#[op("TensorListPushBackBatch",
     input = "input_handles: variant",
     input = "tensor: element_dtype",
     output = "output_handles: variant",
     attr = "element_dtype: type",
     shape = shapes::push_back_batch)]
pub struct TensorListPushBackBatch;

/// `TensorListPushBackBatch` of every dtype.
#[kernel(TensorListPushBackBatch, device = CPU, element_dtype = any)]
pub fn tensor_list_push_back_batch_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let (handles, tensor) = (context.input(0), context.input(1));
    let fits = handles.rank() == 1 && tensor.rank() > 0 && handles.shape()[0] == tensor.shape()[0];
    ensure!(fits, "a vector of lists of shape {} takes as many rows, not those of {}", handles.shape(), tensor.shape());
    let pushed = handles.as_slice::<Variant>()?.iter().zip(rows(tensor)?).map(|(variant, row)| {
        let mut list = of(variant, 0)?.clone();
        list.check_dtype(tensor.dtype())?;
        if let Some(row) = row {
            list.check_shape(row.shape())?;
            list.push(row)?;
        }
        Ok(Variant::new(list))
    });
    let pushed = pushed.collect::<Result<Vec<_>>>()?;
    context.set_output(0, pushed.into());
    Ok(())
}
