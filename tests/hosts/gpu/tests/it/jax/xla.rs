//! An XLA that is made up: call frames over the host's memory or a GPU's, with the functions that handlers call.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{CStr, CString, c_int, c_void};
use std::ptr;

use oplink_abi::xla_ffi::*;
use oplink_api::{DType, Tensor};
use oplink_host_gpu_tests::gpu::{Gpu, Memory};
use oplink_host_gpu_tests::{LIBRARIES, PLUGIN};
use oplink_host_jax::{JaxPlugin, cuda_handler, handler};

static JAX: JaxPlugin = JaxPlugin::new(&PLUGIN, LIBRARIES);

/// An attr of a call.
#[derive(Clone, Copy)]
pub(crate) enum Attr {
    Float(&'static str, f32),
    Text(&'static str, &'static str),
}

/// What a call's context knows.
struct Context {
    stream: *mut c_void,
    is_of_gpu: bool,
}

unsafe extern "C" fn error_create(args: *mut XLA_FFI_Error_Create_Args) -> *mut XLA_FFI_Error {
    // SAFETY: the handler passes a terminated message.
    let message = unsafe { CStr::from_ptr((*args).message) }.to_owned();
    Box::into_raw(Box::new(message)).cast()
}

unsafe extern "C" fn error_get_message(args: *mut XLA_FFI_Error_GetMessage_Args) {
    // SAFETY: the error is one of `error_create`.
    unsafe { (*args).message = (*(*args).error.cast::<CString>()).as_ptr() }
}

unsafe extern "C" fn error_destroy(args: *mut XLA_FFI_Error_Destroy_Args) {
    // SAFETY: the error is one of `error_create`, freed once.
    drop(unsafe { Box::from_raw((*args).error.cast::<CString>()) });
}

unsafe extern "C" fn stream_get(args: *mut XLA_FFI_Stream_Get_Args) -> *mut XLA_FFI_Error {
    // SAFETY: the handler passes the context of its call.
    let context = unsafe { &*(*args).ctx.cast::<Context>() };
    if !context.is_of_gpu {
        return Box::into_raw(Box::new(c"the call is on no GPU".to_owned())).cast();
    }
    // SAFETY: the place is the handler's.
    unsafe { (*args).stream = context.stream };
    ptr::null_mut()
}

fn extension<T>() -> (usize, *mut XLA_FFI_Extension_Base) {
    (size_of::<T>(), ptr::null_mut())
}

fn api() -> XLA_FFI_Api {
    let (struct_size, extension_start) = extension::<XLA_FFI_Api>();
    let (version_size, _) = extension::<XLA_FFI_Api_Version>();
    XLA_FFI_Api {
        struct_size,
        extension_start,
        api_version: XLA_FFI_Api_Version {
            struct_size: version_size,
            extension_start,
            major_version: API_MAJOR,
            minor_version: API_MINOR,
        },
        internal_api: ptr::null(),
        error_create: Some(error_create),
        error_get_message: Some(error_get_message),
        error_destroy: Some(error_destroy),
        handler_register: ptr::null(),
        stream_get: Some(stream_get),
    }
}

pub(crate) fn number_of(dtype: DType) -> c_int {
    match dtype {
        DType::Float => dtype::F32,
        DType::Double => dtype::F64,
        DType::Half => dtype::F16,
        DType::Int32 => dtype::S32,
        DType::Bool => dtype::PRED,
        other => panic!("no number for {other}"),
    }
}

/// A result that a program was made for.
pub(crate) type Promised = (DType, Vec<i64>);

/// Calls an op's handler for the CPU, or for CUDA on a GPU's stream. The results' bytes, or the error's text.
pub(crate) fn call(
    op: &str,
    inputs: &[Tensor],
    promised: &[Promised],
    attrs: &[Attr],
    gpu: Option<&Gpu>,
) -> Result<Vec<Vec<u8>>, String> {
    let call = Call { op, inputs, promised, attrs };
    match gpu {
        Some(gpu) => call.on_gpu(gpu, gpu.stream(), true),
        None => call.on_cpu(),
    }
}

/// A call of an op.
pub(crate) struct Call<'a> {
    pub(crate) op: &'a str,
    pub(crate) inputs: &'a [Tensor],
    pub(crate) promised: &'a [Promised],
    pub(crate) attrs: &'a [Attr],
}

impl Call<'_> {
    fn bytes(&self) -> impl Iterator<Item = usize> {
        let size = |(dtype, dims): &Promised| dims.iter().product::<i64>() as usize * dtype.size().expect("plain");
        self.promised.iter().map(size)
    }

    fn on_cpu(&self) -> Result<Vec<Vec<u8>>, String> {
        let mut words: Vec<Vec<u64>> = self.bytes().map(|bytes| vec![u64::MAX; bytes / 8 + 1]).collect();
        let inputs: Vec<*mut c_void> = self.inputs.iter().map(|input| input.as_ptr().cast_mut().cast()).collect();
        let outputs: Vec<*mut c_void> = words.iter_mut().map(|words| words.as_mut_ptr().cast()).collect();
        let position = self.position();
        let handler = handler(&JAX, position).expect("a handler");
        self.run(handler, &inputs, &outputs, Context { stream: ptr::null_mut(), is_of_gpu: false })?;
        let bytes = |(words, bytes): (&Vec<u64>, usize)| {
            words.iter().flat_map(|word| word.to_ne_bytes()).take(bytes).collect::<Vec<u8>>()
        };
        Ok(words.iter().zip(self.bytes()).map(bytes).collect())
    }

    /// On memory of `gpu` and a stream that the call gives.
    pub(crate) fn on_gpu(&self, gpu: &Gpu, stream: *mut c_void, is_of_gpu: bool) -> Result<Vec<Vec<u8>>, String> {
        let upload = |input: &Tensor| match input.dtype() {
            DType::Bool => panic!("no input is a bool"),
            _ => gpu.upload(input.as_bytes().expect("plain")),
        };
        let inputs: Vec<Memory> = self.inputs.iter().map(upload).collect();
        let outputs: Vec<Memory> = self.bytes().map(|bytes| gpu.allocate(bytes)).collect();
        let addresses = |all: &[Memory]| all.iter().map(Memory::address).collect::<Vec<_>>();
        let handler = cuda_handler(&JAX, self.position()).expect("a handler");
        self.run(handler, &addresses(&inputs), &addresses(&outputs), Context { stream, is_of_gpu })?;
        let made = outputs.iter().map(|output| gpu.download(output)).collect();
        for (given, memory) in self.inputs.iter().zip(&inputs) {
            assert_eq!(gpu.download(memory), given.as_bytes().expect("plain"), "inputs stay as they are");
        }
        Ok(made)
    }

    /// The error of a call without memory on a stream.
    pub(crate) fn refused_on(&self, stream: *mut c_void) -> String {
        let handler = cuda_handler(&JAX, self.position()).expect("a handler");
        let nowhere = vec![ptr::null_mut(); self.promised.len()];
        self.run(handler, &[], &nowhere, Context { stream, is_of_gpu: true }).expect_err("an error")
    }

    fn position(&self) -> usize {
        let ops = &PLUGIN.table().expect("declarations").ops;
        ops.iter().position(|op| op.descriptor.name == self.op).expect("the op")
    }

    fn run(
        &self,
        handler: XLA_FFI_Handler,
        inputs: &[*mut c_void],
        outputs: &[*mut c_void],
        mut context: Context,
    ) -> Result<(), String> {
        let shape = |input: &Tensor| input.shape().iter().map(|&dim| dim as i64).collect::<Vec<_>>();
        let given = self.inputs.iter().map(|input| (input.dtype(), shape(input)));
        let mut arguments: Vec<(XLA_FFI_Buffer, Vec<i64>)> = buffers(given, inputs);
        let mut results = buffers(self.promised.iter().cloned(), outputs);
        let pointers = |all: &mut Vec<(XLA_FFI_Buffer, Vec<i64>)>| {
            all.iter_mut().map(|(buffer, _)| ptr::from_mut(buffer).cast::<c_void>()).collect::<Vec<_>>()
        };
        let (mut argument_places, mut result_places) = (pointers(&mut arguments), pointers(&mut results));
        let mut kinds = vec![KIND_BUFFER; arguments.len().max(results.len())];
        let mut attrs = Attrs::new(self.attrs);
        let api = api();
        let extension_start = ptr::null_mut();
        let mut frame = XLA_FFI_CallFrame {
            struct_size: size_of::<XLA_FFI_CallFrame>(),
            extension_start,
            api: &raw const api,
            ctx: (&raw mut context).cast(),
            stage: STAGE_EXECUTE,
            args: XLA_FFI_Args {
                struct_size: size_of::<XLA_FFI_Args>(),
                extension_start,
                size: arguments.len() as i64,
                types: kinds.as_mut_ptr(),
                args: argument_places.as_mut_ptr(),
            },
            rets: XLA_FFI_Rets {
                struct_size: size_of::<XLA_FFI_Rets>(),
                extension_start,
                size: results.len() as i64,
                types: kinds.as_mut_ptr(),
                rets: result_places.as_mut_ptr(),
            },
            attrs: attrs.raw(),
            future: ptr::null_mut(),
        };
        // SAFETY: the frame and all that it points to live during the call.
        let error = unsafe { handler(&raw mut frame) };
        if error.is_null() {
            return Ok(());
        }
        // SAFETY: the error is one of `error_create`, taken once.
        Err(unsafe { Box::from_raw(error.cast::<CString>()) }.to_string_lossy().into_owned())
    }
}

fn buffers(given: impl Iterator<Item = Promised>, places: &[*mut c_void]) -> Vec<(XLA_FFI_Buffer, Vec<i64>)> {
    given
        .zip(places)
        .map(|((dtype, mut dims), &data)| {
            let (struct_size, extension_start) = extension::<XLA_FFI_Buffer>();
            let (rank, place) = (dims.len() as i64, dims.as_mut_ptr());
            let dtype = number_of(dtype);
            (XLA_FFI_Buffer { struct_size, extension_start, dtype, data, rank, dims: place }, dims)
        })
        .collect()
}

/// Attrs as XLA lays them out.
struct Attrs {
    types: Vec<c_int>,
    _values: Vec<(XLA_FFI_ByteSpan, Box<Value>)>,
    names: Vec<*mut XLA_FFI_ByteSpan>,
    places: Vec<*mut c_void>,
}

/// A value that lies still.
enum Value {
    Float(XLA_FFI_Scalar, #[expect(dead_code, reason = "the scalar points to it")] Box<f32>),
    Text(XLA_FFI_ByteSpan),
}

impl Attrs {
    fn new(given: &[Attr]) -> Self {
        let span = |text: &'static str| XLA_FFI_ByteSpan { ptr: text.as_ptr().cast(), len: text.len() };
        let value = |attr: &Attr| match *attr {
            Attr::Float(name, value) => {
                let mut kept = Box::new(value);
                let place = (&raw mut *kept).cast();
                (span(name), Box::new(Value::Float(XLA_FFI_Scalar { dtype: dtype::F32, value: place }, kept)))
            }
            Attr::Text(name, text) => (span(name), Box::new(Value::Text(span(text)))),
        };
        let mut values: Vec<_> = given.iter().map(value).collect();
        let kind = |attr: &Attr| match attr {
            Attr::Float(..) => attr_type::SCALAR,
            Attr::Text(..) => attr_type::STRING,
        };
        let names = values.iter_mut().map(|(name, _)| ptr::from_mut(name)).collect();
        let place = |(_, value): &mut (XLA_FFI_ByteSpan, Box<Value>)| match &mut **value {
            Value::Float(scalar, _) => ptr::from_mut(scalar).cast(),
            Value::Text(span) => ptr::from_mut(span).cast(),
        };
        let places = values.iter_mut().map(place).collect();
        Self { types: given.iter().map(kind).collect(), _values: values, names, places }
    }

    fn raw(&mut self) -> XLA_FFI_Attrs {
        let (struct_size, extension_start) = extension::<XLA_FFI_Attrs>();
        let size = self.types.len() as i64;
        let (types, names, attrs) = (self.types.as_mut_ptr(), self.names.as_mut_ptr(), self.places.as_mut_ptr());
        XLA_FFI_Attrs { struct_size, extension_start, size, types, names, attrs }
    }
}
