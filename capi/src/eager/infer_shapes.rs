//! `TFE_InferShapes`.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ptr;

use oplink_abi::{TF_ShapeAndType, TF_ShapeAndTypeList, TF_Tensor, TFE_Op};
use oplink_api::shape_inference::HandleShape;
use oplink_api::{AttrValue, DType, PartialShape, Result};
use oplink_graph::eager::KnownInputs;
use oplink_host::c_api;
use oplink_host::guard::{borrow, borrow_mut, slice};
use oplink_host::tensor::value_of_handle;

use super::EagerOp;
use crate::support::{c_count, partial_shape};

/// The elements of a list; none for null.
///
/// # Safety
/// The list is null or alive, with as many elements as it says.
unsafe fn items<'a>(list: *const TF_ShapeAndTypeList, function: &str) -> Result<&'a [TF_ShapeAndType]> {
    // SAFETY: `list` is null or alive, with its elements (Safety section).
    unsafe {
        list.as_ref().map_or(Ok(&[][..]), |list| slice(list.items.cast_const(), list.num_items, function, "items"))
    }
}

/// # Safety
/// The element's dims are null or as many as it says.
unsafe fn shape(item: &TF_ShapeAndType, function: &str) -> Result<PartialShape> {
    // SAFETY: the dims are null or as many as the element says (Safety section).
    unsafe { partial_shape(item.dims, item.num_dims, function) }
}

/// What handles refer to, by input.
///
/// # Safety
/// `lists` is null or has `count` elements, each null or alive.
unsafe fn handles(
    lists: *const *mut TF_ShapeAndTypeList,
    count: usize,
    function: &str,
) -> Result<Vec<Vec<HandleShape>>> {
    // SAFETY: `lists` is null or has `count` elements (Safety section).
    let lists = unsafe { slice(lists, if lists.is_null() { 0 } else { count }, function, "") }?.iter();
    // SAFETY: each is null or alive (Safety section).
    let of_input = |list: &*mut TF_ShapeAndTypeList| unsafe {
        let dtype = |item: &TF_ShapeAndType| DType::from_number(item.dtype);
        let known = items(*list, function)?.iter().filter_map(|item| Some((dtype(item)?, item)));
        known.map(|(dtype, item)| Ok((dtype, shape(item, function)?))).collect::<Result<_>>()
    };
    lists.map(of_input).collect()
}

/// A list for C, which `TF_DeleteShapeAndTypeList` frees. Dtypes are left open.
fn list_of(shapes: &[PartialShape]) -> *mut TF_ShapeAndTypeList {
    let item = |shape: &PartialShape| match shape.dims() {
        None => TF_ShapeAndType { num_dims: -1, dims: ptr::null_mut(), dtype: 0 },
        Some(dims) => {
            let dims: Box<[i64]> = dims.iter().map(|dim| dim.map_or(-1, |dim| dim as i64)).collect();
            TF_ShapeAndType { num_dims: c_count(dims.len()), dims: Box::into_raw(dims).cast(), dtype: 0 }
        }
    };
    let made: Box<[TF_ShapeAndType]> = shapes.iter().map(item).collect();
    let items = if made.is_empty() { ptr::null_mut() } else { Box::into_raw(made).cast() };
    Box::into_raw(Box::new(TF_ShapeAndTypeList { num_items: c_count(shapes.len()), items }))
}

c_api! {
    /// Infers the shapes of a call's outputs from the shapes of its inputs, their values where they are known, and what
    /// they stand for or refer to; any of these but the shapes may be null. The call's own inputs are passed over. The
    /// client deletes the list; that of what handles among the outputs refer to is left as it is.
    ///
    /// # Safety
    /// The handles and lists are null or alive; the arrays are null or have as many elements as there are input shapes;
    /// `output_shapes` is null or a slot.
    fn TFE_InferShapes(
        op: *mut TFE_Op => { EagerOp::borrow(op, NAME) },
        input_shapes: *mut TF_ShapeAndTypeList => { borrow(input_shapes, NAME, "input_shapes") },
        input_tensors: *mut *mut TF_Tensor,
        input_tensor_as_shapes: *mut TF_ShapeAndTypeList,
        input_resource_shapes_and_types: *mut *mut TF_ShapeAndTypeList,
        output_shapes as slot: *mut *mut TF_ShapeAndTypeList => { borrow_mut(output_shapes, NAME, "output_shapes") },
        _output_resource_shapes_and_types: *mut *mut *mut TF_ShapeAndTypeList;
        status
    ) {
        // SAFETY: the lists and arrays are null or as the Safety section says.
        let inputs = unsafe {
            let shapes = items(input_shapes, NAME)?.iter().map(|item| shape(item, NAME)).collect::<Result<Vec<_>>>()?;
            let count = if input_tensors.is_null() { 0 } else { shapes.len() };
            let given = slice(input_tensors.cast_const(), count, NAME, "input_tensors")?.iter();
            let tensor = |&tensor: &*mut TF_Tensor| match tensor.is_null() {
                true => Ok(None),
                false => value_of_handle(tensor, NAME, "input_tensors").map(Some),
            };
            let known = |item| Ok(Some(shape(item, NAME)?).filter(|shape| shape.rank().is_some()));
            KnownInputs {
                tensors: given.map(tensor).collect::<Result<_>>()?,
                as_shapes: items(input_tensor_as_shapes, NAME)?.iter().map(known).collect::<Result<_>>()?,
                handles: handles(input_resource_shapes_and_types.cast_const(), shapes.len(), NAME)?,
                shapes,
            }
        };
        let attrs = op.known_attrs();
        let attrs: Vec<(&str, AttrValue)> = attrs.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
        *slot = list_of(&op.context()?.eager().infer_shapes(&op.spec.name, &attrs, &inputs)?);
        Ok(())
    }
}
