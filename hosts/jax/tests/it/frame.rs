//! Call frames as XLA makes them, around vectors.
#![allow(unsafe_code, reason = "room: the C ABI")]
#![allow(clippy::vec_box, clippy::unnecessary_box_returns, reason = "frames point to what is in the boxes")]

use std::ffi::{CStr, c_int, c_void};
use std::ptr;

use oplink_abi::xla_ffi::{
    KIND_BUFFER, STAGE_EXECUTE, XLA_FFI_Api, XLA_FFI_Api_Version, XLA_FFI_Args, XLA_FFI_Attrs, XLA_FFI_Buffer,
    XLA_FFI_ByteSpan, XLA_FFI_CallFrame, XLA_FFI_Error, XLA_FFI_Error_Create_Args, XLA_FFI_Handler, XLA_FFI_Rets,
    XLA_FFI_Scalar, attr_type, dtype,
};

/// Makes an error that is its message, leaked.
unsafe extern "C" fn create_error(args: *mut XLA_FFI_Error_Create_Args) -> *mut XLA_FFI_Error {
    // SAFETY: the handler passes a terminated message.
    let message = unsafe { CStr::from_ptr((*args).message) };
    Box::into_raw(Box::new(message.to_string_lossy().into_owned())).cast()
}

fn api() -> Box<XLA_FFI_Api> {
    Box::new(XLA_FFI_Api {
        struct_size: size_of::<XLA_FFI_Api>(),
        extension_start: ptr::null_mut(),
        api_version: XLA_FFI_Api_Version {
            struct_size: size_of::<XLA_FFI_Api_Version>(),
            extension_start: ptr::null_mut(),
            major_version: 0,
            minor_version: 3,
        },
        internal_api: ptr::null(),
        error_create: Some(create_error),
        error_get_message: None,
        error_destroy: None,
        handler_register: ptr::null(),
        stream_get: None,
    })
}

/// One buffer with its extents and elements.
struct Floats {
    buffer: Box<XLA_FFI_Buffer>,
    dims: Vec<i64>,
    elements: Vec<f32>,
}

impl Floats {
    fn new(dims: &[i64], value: f32) -> Self {
        let count = dims.iter().product::<i64>() as usize;
        let (mut dims, mut elements) = (dims.to_vec(), vec![value; count]);
        let buffer = Box::new(XLA_FFI_Buffer {
            struct_size: size_of::<XLA_FFI_Buffer>(),
            extension_start: ptr::null_mut(),
            dtype: dtype::F32,
            data: elements.as_mut_ptr().cast(),
            rank: dims.len() as i64,
            dims: dims.as_mut_ptr(),
        });
        Self { buffer, dims, elements }
    }
}

/// An attr: a float, or a text.
pub(crate) enum Value {
    Float(f32),
    Text(&'static str),
}

/// A frame with all that it points to.
pub(crate) struct Frame {
    raw: XLA_FFI_CallFrame,
    inputs: Vec<Floats>,
    outputs: Vec<Floats>,
    _api: Box<XLA_FFI_Api>,
    _kinds: Vec<c_int>,
    _pointers: Vec<Vec<*mut c_void>>,
    _attrs: Attrs,
}

/// Attrs with all that they point to.
#[derive(Default)]
struct Attrs {
    kinds: Vec<c_int>,
    names: Vec<Box<XLA_FFI_ByteSpan>>,
    spans: Vec<Box<XLA_FFI_ByteSpan>>,
    scalars: Vec<(Box<XLA_FFI_Scalar>, Box<f32>)>,
    name_pointers: Vec<*mut XLA_FFI_ByteSpan>,
    values: Vec<*mut c_void>,
}

fn span(text: &'static str) -> Box<XLA_FFI_ByteSpan> {
    Box::new(XLA_FFI_ByteSpan { ptr: text.as_ptr().cast(), len: text.len() })
}

impl Attrs {
    fn new(attrs: &[(&'static str, Value)]) -> Self {
        let mut made = Self::default();
        for (name, value) in attrs {
            made.names.push(span(name));
            match value {
                Value::Float(value) => {
                    let mut place = Box::new(*value);
                    let scalar = XLA_FFI_Scalar { dtype: dtype::F32, value: (&raw mut *place).cast() };
                    made.kinds.push(attr_type::SCALAR);
                    made.scalars.push((Box::new(scalar), place));
                    made.values.push(
                        made.scalars.last().map_or(ptr::null_mut(), |(s, _)| ptr::from_ref(&**s).cast_mut().cast()),
                    );
                }
                Value::Text(text) => {
                    made.kinds.push(attr_type::STRING);
                    made.spans.push(span(text));
                    made.values
                        .push(made.spans.last().map_or(ptr::null_mut(), |s| ptr::from_ref(&**s).cast_mut().cast()));
                }
            }
        }
        made.name_pointers = made.names.iter().map(|name| ptr::from_ref(&**name).cast_mut()).collect();
        made
    }
}

impl Frame {
    /// A call with inputs and outputs of these extents; each input's elements are its position, counted from 1.
    pub(crate) fn new(inputs: &[&[i64]], outputs: &[&[i64]], attrs: &[(&'static str, Value)]) -> Self {
        let inputs: Vec<_> = inputs.iter().zip(1u16..).map(|(dims, at)| Floats::new(dims, f32::from(at))).collect();
        let outputs: Vec<_> = outputs.iter().map(|dims| Floats::new(dims, 0.0)).collect();
        let (api, mut attrs) = (api(), Attrs::new(attrs));
        let mut kinds = vec![KIND_BUFFER; inputs.len().max(outputs.len()).max(1)];
        let of = |all: &[Floats]| all.iter().map(|one| ptr::from_ref(&*one.buffer).cast_mut().cast()).collect();
        let mut pointers: Vec<Vec<*mut c_void>> = vec![of(&inputs), of(&outputs)];
        let raw = XLA_FFI_CallFrame {
            struct_size: size_of::<XLA_FFI_CallFrame>(),
            extension_start: ptr::null_mut(),
            api: &raw const *api,
            ctx: ptr::null_mut(),
            stage: STAGE_EXECUTE,
            args: XLA_FFI_Args {
                struct_size: size_of::<XLA_FFI_Args>(),
                extension_start: ptr::null_mut(),
                size: inputs.len() as i64,
                types: kinds.as_mut_ptr(),
                args: pointers[0].as_mut_ptr(),
            },
            rets: XLA_FFI_Rets {
                struct_size: size_of::<XLA_FFI_Rets>(),
                extension_start: ptr::null_mut(),
                size: outputs.len() as i64,
                types: kinds.as_mut_ptr(),
                rets: pointers[1].as_mut_ptr(),
            },
            attrs: XLA_FFI_Attrs {
                struct_size: size_of::<XLA_FFI_Attrs>(),
                extension_start: ptr::null_mut(),
                size: attrs.kinds.len() as i64,
                types: attrs.kinds.as_mut_ptr(),
                names: attrs.name_pointers.as_mut_ptr(),
                attrs: attrs.values.as_mut_ptr(),
            },
            future: ptr::null_mut(),
        };
        Self { raw, inputs, outputs, _api: api, _kinds: kinds, _pointers: pointers, _attrs: attrs }
    }

    /// Calls a handler.
    pub(crate) fn call(&mut self, handler: XLA_FFI_Handler) -> Result<(), String> {
        // SAFETY: the frame is alive with all that it points to.
        let error = unsafe { handler(&raw mut self.raw) };
        // SAFETY: an error is what `create_error` made.
        if error.is_null() { Ok(()) } else { Err(*unsafe { Box::from_raw(error.cast::<String>()) }) }
    }

    /// The elements of an output.
    pub(crate) fn output(&self, index: usize) -> &[f32] {
        assert_eq!(self.outputs[index].dims.len() as i64, self.outputs[index].buffer.rank);
        &self.outputs[index].elements
    }

    /// The elements of an input.
    pub(crate) fn input(&self, index: usize) -> &[f32] {
        &self.inputs[index].elements
    }

    /// Gives an input other elements, at another address.
    pub(crate) fn set_input(&mut self, index: usize, value: f32) {
        let input = &mut self.inputs[index];
        let old = std::mem::take(&mut input.elements);
        input.elements = vec![value; old.len()];
        input.buffer.data = input.elements.as_mut_ptr().cast();
    }

    /// Gives an input another dtype, of the same size.
    pub(crate) fn set_input_dtype(&mut self, index: usize, number: c_int) {
        self.inputs[index].buffer.dtype = number;
    }
}
