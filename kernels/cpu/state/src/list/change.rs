//! Changes of tensor lists: elements set, pushed and popped, lists made longer or joined.
//!
//! Where nobody else holds the list it is changed in place, at a cost that does not depend on its length.

use super::value::{change, fully_known, of};
use crate::arguments::{ElementShape, Size};
use crate::rows::{rows, zeros};
use oplink::memory::try_resize;
use oplink::prelude::*;
use oplink::resource::Variant;
use oplink_ops::state::{TensorListConcatLists, TensorListPopBack, TensorListPushBack, TensorListPushBackBatch};
use oplink_ops::state::{TensorListResize, TensorListSetItem};

/// `TensorListSetItem` of every dtype. The item must fit the list's element shape; an index beyond the end is an error,
/// or with the attr `resize_if_index_out_of_bounds` makes the list longer by elements that are not set.
#[kernel(TensorListSetItem, device = CPU, element_dtype = any, host_memory = [index])]
pub fn tensor_list_set_item_cpu(
    input_handle: Input<'_>,
    index: Size,
    item: Input<'_>,
    element_dtype: DType,
    resize_if_index_out_of_bounds: bool,
    mut output_handle: OutputSlot<'_>,
) -> Result<()> {
    let (at, item) = (index.0, item.take());
    change(input_handle, Some(element_dtype), &mut output_handle, |list| {
        let length = list.elements.len();
        let fits = at < length || resize_if_index_out_of_bounds;
        ensure!(fits, "index {at} is outside of a list of {length} elements");
        list.check_shape(item.shape())?;
        if at >= length {
            try_resize(&mut list.elements, at.saturating_add(1), None)?;
        }
        list.elements[at] = Some(item);
        Ok(())
    })
}

/// `TensorListPushBack` of every dtype. The tensor must fit the list's element shape; a list with as many elements as
/// it can hold is an error.
#[kernel(TensorListPushBack, device = CPU, element_dtype = any)]
pub fn tensor_list_push_back_cpu(
    input_handle: Input<'_>,
    tensor: Input<'_>,
    element_dtype: DType,
    mut output_handle: OutputSlot<'_>,
) -> Result<()> {
    let tensor = tensor.take();
    change(input_handle, Some(element_dtype), &mut output_handle, |list| {
        list.check_shape(tensor.shape())?;
        list.push(tensor)
    })
}

/// `TensorListPopBack` of every dtype: the list without its last element, and that. An element that was never set is
/// zeros of the shape that the list and `element_shape` give together.
#[kernel(TensorListPopBack, device = CPU, element_dtype = any, host_memory = [element_shape])]
pub fn tensor_list_pop_back_cpu(
    input_handle: Input<'_>,
    element_shape: ElementShape,
    element_dtype: DType,
    mut output_handle: OutputSlot<'_>,
    mut tensor: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let popped = change(input_handle, Some(element_dtype), &mut output_handle, |list| match list.elements.pop() {
        Some(Some(element)) => Ok(Ok(element)),
        Some(None) => Ok(Err(fully_known(&list.shape_with(&element_shape.0)?)?)),
        None => bail!("the list is empty, there is nothing to pop"),
    })?;
    tensor.set(match popped {
        Ok(element) => element,
        Err(shape) => zeros(env, element_dtype, shape)?,
    });
    Ok(())
}

/// `TensorListResize` of every dtype: elements are cut off the list's end, or there are more that are not set.
#[kernel(TensorListResize, device = CPU, host_memory = [size])]
pub fn tensor_list_resize_cpu(input_handle: Input<'_>, size: Size, mut output_handle: OutputSlot<'_>) -> Result<()> {
    change(input_handle, None, &mut output_handle, |list| try_resize(&mut list.elements, size.0, None))
}

/// `TensorListPushBackBatch` of every dtype: several lists, each with a row of a tensor at its end. `input_handles` is
/// a vector of lists, as many as `tensor` has rows.
#[kernel(TensorListPushBackBatch, device = CPU, element_dtype = any)]
pub fn tensor_list_push_back_batch_cpu(input_handles: &Tensor, tensor: &Tensor, env: Env<'_>) -> Result<Tensor> {
    let (handles, shape) = (input_handles.shape(), tensor.shape());
    let fits = handles.rank() == 1 && shape.rank() > 0 && handles[0] == shape[0];
    ensure!(fits, "a vector of lists of shape {handles} takes as many rows, not those of {shape}");
    let pushed = input_handles.as_slice::<Variant>()?.iter().zip(rows(env, tensor)?).map(|(variant, row)| {
        let mut list = of(variant)?.clone();
        list.check_dtype(tensor.dtype())?;
        if let Some(row) = row {
            list.check_shape(row.shape())?;
            list.push(row)?;
        }
        Ok(Variant::new(list))
    });
    Ok(pushed.collect::<Result<Vec<_>>>()?.into())
}

/// `TensorListConcatLists` of every dtype: lists with the elements of other lists at their ends. Both inputs have one
/// shape, scalars or more; lists at one position have one dtype and one element shape.
#[kernel(TensorListConcatLists, device = CPU, element_dtype = any)]
pub fn tensor_list_concat_lists_cpu(input_a: &Tensor, input_b: &Tensor, element_dtype: DType) -> Result<Tensor> {
    let (a, b) = (input_a, input_b);
    ensure!(a.shape() == b.shape(), "lists in shapes {} and {} cannot be joined", a.shape(), b.shape());
    let joined = a.as_slice::<Variant>()?.iter().zip(b.as_slice::<Variant>()?).map(|(a, b)| {
        let (a, b) = (of(a)?, of(b)?);
        a.check_dtype(element_dtype)?;
        b.check_dtype(element_dtype)?;
        let (shape, other) = (&a.element_shape, &b.element_shape);
        ensure!(shape == other, "lists with elements of shapes {shape} and {other} cannot be joined");
        let mut list = a.clone();
        list.elements.extend_from_slice(&b.elements);
        Ok(Variant::new(list))
    });
    Tensor::from_vec(a.shape().clone(), joined.collect::<Result<Vec<_>>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run_one;

    fn elements(list: &Tensor) -> *const Option<Tensor> {
        let variants = list.as_slice::<oplink::resource::Variant>().unwrap();
        variants[0].get::<crate::list::TensorList>().unwrap().elements.as_ptr()
    }

    #[test]
    fn a_list_that_nobody_else_holds_is_changed_in_place() {
        let rows = Tensor::from_vec([2, 1], vec![1f32, 2.0]).unwrap();
        let list = run_one("TensorListFromTensor", vec![rows, Tensor::scalar(-1)]).unwrap();
        let set = |list, value: f32| run_one("TensorListSetItem", vec![list, 1.into(), [value].into()]).unwrap();
        let (before, list) = (elements(&list), set(list, 5.0));
        assert_eq!(elements(&list), before);
        let copy = set(list.clone(), 6.0);
        assert_ne!(elements(&copy), elements(&list));
    }

    #[test]
    fn rows_without_bytes_are_elements_that_need_memory() {
        let tensor = || Tensor::zeros(DType::Float, [1usize << 40, 0]).unwrap();
        let code = |op, inputs| run_one(op, inputs).unwrap_err().code();
        assert_eq!(code("TensorListFromTensor", vec![tensor(), Tensor::scalar(-1)]), Code::ResourceExhausted);
        let scattered = vec![tensor(), [2, 2].into(), Tensor::scalar(-1)];
        assert_eq!(code("TensorListScatter", scattered), Code::InvalidArgument);
    }
}
