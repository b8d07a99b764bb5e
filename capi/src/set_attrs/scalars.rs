//! Setters of attrs that are one value.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int, c_uchar, c_void};

use oplink_abi::{TF_DataType, TF_OperationDescription, TF_Tensor, TFE_Op};
use oplink_api::{AttrValue, FuncAttr};
use oplink_host::guard::{slice, text};
use oplink_host::tensor::{dtype, value_of_handle};

use super::attr_setters;
use crate::eager::EagerOp;
use crate::support::{partial_shape, sized_text};

attr_setters! {
    /// Sets a string.
    kept [TF_OperationDescription TF_SetAttrString, TFE_Op TFE_OpSetAttrString] (value: *const c_void, length: usize) {
        Ok(AttrValue::String(slice(value.cast::<u8>(), length, NAME, "value")?.to_vec()))
    }

    /// Sets an integer.
    kept [TF_OperationDescription TF_SetAttrInt, TFE_Op TFE_OpSetAttrInt] (value: i64) { Ok(AttrValue::Int(value)) }

    /// Sets a number.
    kept [TF_OperationDescription TF_SetAttrFloat, TFE_Op TFE_OpSetAttrFloat] (value: f32) { Ok(AttrValue::Float(value)) }

    /// Sets a truth value; anything but 0 is true.
    kept [TF_OperationDescription TF_SetAttrBool, TFE_Op TFE_OpSetAttrBool] (value: c_uchar) {
        Ok(AttrValue::Bool(value != 0))
    }

    /// Sets a dtype.
    kept [TF_OperationDescription TF_SetAttrType, TFE_Op TFE_OpSetAttrType] (value: TF_DataType) {
        Ok(AttrValue::Type(dtype(value)?))
    }

    /// Leaves the value to the function that the node will be part of.
    kept [TF_OperationDescription TF_SetAttrPlaceholder] (placeholder: *const c_char) {
        Ok(AttrValue::Placeholder(text(placeholder, NAME, "placeholder")?.to_owned()))
    }

    /// Sets a function without attrs of its own.
    kept [TF_OperationDescription TF_SetAttrFuncName, TFE_Op TFE_OpSetAttrFunctionName]
    (value: *const c_char, length: usize) {
        let name = sized_text(value, length, NAME, "value")?.to_owned();
        Ok(AttrValue::Func(FuncAttr { name, ..FuncAttr::default() }))
    }

    /// Sets a function: the one that another call names, with that call's attrs.
    kept [TFE_Op TFE_OpSetAttrFunction] (value: *const TFE_Op) {
        Ok(AttrValue::Func(EagerOp::borrow(value, NAME)?.as_function()))
    }

    /// Sets a shape; a negative rank is an unknown one, a dim of -1 an unknown one.
    kept [TF_OperationDescription TF_SetAttrShape] (dims: *const i64, num_dims: c_int) {
        Ok(AttrValue::Shape(partial_shape(dims, num_dims, NAME)?))
    }

    /// Sets a shape; a negative rank is an unknown one, a dim of -1 an unknown one.
    reported [TFE_Op TFE_OpSetAttrShape] (dims: *const i64, num_dims: c_int) {
        Ok(AttrValue::Shape(partial_shape(dims, num_dims, NAME)?))
    }

    /// Sets a tensor, which the client may delete afterwards.
    reported [TF_OperationDescription TF_SetAttrTensor] (value: *mut TF_Tensor) {
        Ok(AttrValue::Tensor(value_of_handle(value, NAME, "value")?.deep_copy()?))
    }

    /// Sets a tensor, which the client may delete afterwards.
    reported [TFE_Op TFE_OpSetAttrTensor] (tensor: *mut TF_Tensor) {
        Ok(AttrValue::Tensor(value_of_handle(tensor, NAME, "tensor")?.deep_copy()?))
    }
}
