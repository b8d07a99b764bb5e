//! Setters of attrs that are lists.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int, c_uchar, c_void};

use oplink_abi::{TF_DataType, TF_OperationDescription, TF_Tensor, TFE_Op};
use oplink_api::{AttrValue, Result};
use oplink_host::guard::slice;
use oplink_host::tensor::{dtype, value_of_handle};

use super::attr_setters;
use crate::eager::EagerOp;
use crate::support::partial_shape;

/// Shapes, each of a pointer to its dims and a rank.
///
/// # Errors
/// As [`partial_shape`], or an array is null.
///
/// # Safety
/// The arrays are null or have `count` elements; each of `dims` is null or has as many as its rank declares.
unsafe fn shapes(dims: *const *const i64, ranks: *const c_int, count: c_int, function: &str) -> Result<AttrValue> {
    // SAFETY: the arrays are null or have `count` elements.
    let (dims, ranks) = unsafe { (slice(dims, count, function, "dims")?, slice(ranks, count, function, "num_dims")?) };
    // SAFETY: each of `dims` is null or has as many elements as its rank declares.
    let shapes = dims.iter().zip(ranks).map(|(&dims, &rank)| unsafe { partial_shape(dims, rank, function) });
    Ok(AttrValue::Shapes(shapes.collect::<Result<_>>()?))
}

attr_setters! {
    /// Sets a list of strings.
    kept [TF_OperationDescription TF_SetAttrStringList, TFE_Op TFE_OpSetAttrStringList]
    (values: *const *const c_void, lengths: *const usize, num_values: c_int) {
        let values = slice(values, num_values, NAME, "values")?;
        let lengths = slice(lengths, num_values, NAME, "lengths")?;
        let one = |(value, length): (&*const c_void, &usize)| {
            slice(value.cast::<u8>(), *length, NAME, "values").map(<[u8]>::to_vec)
        };
        Ok(AttrValue::Strings(values.iter().zip(lengths).map(one).collect::<Result<_>>()?))
    }

    /// Sets a list of integers.
    kept [TF_OperationDescription TF_SetAttrIntList, TFE_Op TFE_OpSetAttrIntList]
    (values: *const i64, num_values: c_int) {
        Ok(AttrValue::Ints(slice(values, num_values, NAME, "values")?.to_vec()))
    }

    /// Sets a list of numbers.
    kept [TF_OperationDescription TF_SetAttrFloatList, TFE_Op TFE_OpSetAttrFloatList]
    (values: *const f32, num_values: c_int) {
        Ok(AttrValue::Floats(slice(values, num_values, NAME, "values")?.to_vec()))
    }

    /// Sets a list of truth values; anything but 0 is true.
    kept [TF_OperationDescription TF_SetAttrBoolList, TFE_Op TFE_OpSetAttrBoolList]
    (values: *const c_uchar, num_values: c_int) {
        let values = slice(values, num_values, NAME, "values")?;
        Ok(AttrValue::Bools(values.iter().map(|value| *value != 0).collect()))
    }

    /// Sets a list of dtypes.
    kept [TF_OperationDescription TF_SetAttrTypeList, TFE_Op TFE_OpSetAttrTypeList]
    (values: *const TF_DataType, num_values: c_int) {
        let values = slice(values, num_values, NAME, "values")?;
        Ok(AttrValue::Types(values.iter().map(|&value| dtype(value)).collect::<Result<_>>()?))
    }

    /// Sets a list of shapes; see `TF_SetAttrShape`.
    kept [TF_OperationDescription TF_SetAttrShapeList]
    (dims: *const *const i64, num_dims: *const c_int, num_shapes: c_int) { shapes(dims, num_dims, num_shapes, NAME) }

    /// Sets a list of shapes; see `TFE_OpSetAttrShape`.
    reported [TFE_Op TFE_OpSetAttrShapeList] (dims: *mut *const i64, num_dims: *const c_int, num_values: c_int) {
        shapes(dims.cast_const(), num_dims, num_values, NAME)
    }

    /// Sets a list of tensors, which the client may delete afterwards.
    reported [TF_OperationDescription TF_SetAttrTensorList] (values: *const *mut TF_Tensor, num_values: c_int) {
        let values = slice(values, num_values, NAME, "values")?;
        let values = values.iter().map(|&value| value_of_handle(value, NAME, "values")?.deep_copy());
        Ok(AttrValue::Tensors(values.collect::<Result<_>>()?))
    }

    /// Sets a list of functions; see `TFE_OpSetAttrFunction`.
    kept [TFE_Op TFE_OpSetAttrFunctionList] (value: *mut *const TFE_Op, num_values: c_int) {
        let calls = slice(value.cast_const(), num_values, NAME, "value")?;
        let functions = calls.iter().map(|&call| Ok(EagerOp::borrow(call, NAME)?.as_function()));
        Ok(AttrValue::Funcs(functions.collect::<Result<_>>()?))
    }
}
