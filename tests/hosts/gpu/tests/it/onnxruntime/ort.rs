//! An ONNX Runtime that is made up: its table of functions, sessions' options, constructions and runs of kernels.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};

use oplink_abi::onnxruntime::{ORT_API_VERSION, OrtApi, OrtApiBase, OrtCustomOp, function};
use oplink_host_gpu_tests::gpu::{Gpu, Memory};

/// Where a value's elements lie.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    Host(Arc<Vec<u64>>),
    Gpu(Arc<Memory>),
}

/// A tensor.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) dtype: c_int,
    pub(crate) dims: Vec<i64>,
    pub(crate) place: Place,
}

/// The construction of a kernel.
pub(crate) struct Construction {
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
    pub(crate) floats: Vec<(&'static str, f32)>,
    pub(crate) strings: Vec<(&'static str, &'static str)>,
}

/// A run of a kernel.
pub(crate) struct Run {
    pub(crate) gpu: Arc<Gpu>,
    pub(crate) inputs: Vec<Value>,
    /// The element types of outputs.
    pub(crate) promised: Vec<c_int>,
    pub(crate) outputs: RefCell<Vec<Option<Box<Value>>>>,
}

/// An op that was registered.
#[derive(Clone, Copy)]
pub(crate) struct Registered(pub(crate) *const OrtCustomOp);

// SAFETY: what is registered lives as long as the process and is only read.
unsafe impl Send for Registered {}

/// What was registered.
pub(crate) static OPS: Mutex<Vec<Registered>> = Mutex::new(Vec::new());

type Status = *mut c_void;

fn failure(message: &str) -> Status {
    Box::into_raw(Box::new(CString::new(message).unwrap_or_default())).cast()
}

/// The text of a status, which is freed.
///
/// # Safety
/// The status is null or one that nobody took.
pub(crate) unsafe fn text_of(status: Status) -> Option<String> {
    // SAFETY: the contract of this function.
    (!status.is_null()).then(|| unsafe { Box::from_raw(status.cast::<CString>()) }.to_string_lossy().into_owned())
}

unsafe extern "C" fn create_status(_: c_int, message: *const c_char) -> Status {
    // SAFETY: the message is terminated.
    failure(&unsafe { CStr::from_ptr(message) }.to_string_lossy())
}

unsafe extern "C" fn get_error_message(status: Status) -> *const c_char {
    // SAFETY: the status is one of `failure`.
    unsafe { &*status.cast::<CString>() }.as_ptr()
}

unsafe extern "C" fn release_status(status: Status) {
    // SAFETY: the status is the caller's to free.
    unsafe { text_of(status) };
}

unsafe extern "C" fn create_domain(_: *const c_char, domain: *mut *mut c_void) -> Status {
    // SAFETY: the place is the caller's.
    unsafe { domain.write(ptr::without_provenance_mut(8)) };
    ptr::null_mut()
}

unsafe extern "C" fn domain_add(_: *mut c_void, op: *const OrtCustomOp) -> Status {
    OPS.lock().unwrap_or_else(PoisonError::into_inner).push(Registered(op));
    ptr::null_mut()
}

unsafe extern "C" fn add_domain(_: *mut c_void, _: *mut c_void) -> Status {
    ptr::null_mut()
}

unsafe extern "C" fn tensor_data(value: *mut Value, data: *mut *mut c_void) -> Status {
    // SAFETY: the value is alive, the place the caller's.
    unsafe {
        data.write(match &(*value).place {
            Place::Host(words) => words.as_ptr().cast_mut().cast(),
            Place::Gpu(memory) => memory.address(),
        });
    }
    ptr::null_mut()
}

unsafe extern "C" fn tensor_info(value: *const Value, info: *mut *mut Value) -> Status {
    // SAFETY: the value is alive, the place the caller's.
    unsafe { info.write(Box::into_raw(Box::new((*value).clone()))) };
    ptr::null_mut()
}

unsafe extern "C" fn release_info(info: *mut Value) {
    // SAFETY: the info is the caller's to free.
    drop(unsafe { Box::from_raw(info) });
}

unsafe extern "C" fn element_type(info: *const Value, dtype: *mut c_int) -> Status {
    // SAFETY: the info is alive, the place the caller's.
    unsafe { dtype.write((*info).dtype) };
    ptr::null_mut()
}

unsafe extern "C" fn rank(info: *const Value, rank: *mut usize) -> Status {
    // SAFETY: the info is alive, the place the caller's.
    unsafe {
        let info = &*info;
        rank.write(info.dims.len());
    }
    ptr::null_mut()
}

unsafe extern "C" fn dimensions(info: *const Value, dims: *mut i64, length: usize) -> Status {
    // SAFETY: the info is alive, and there is room for as many extents.
    unsafe {
        let info = &*info;
        ptr::copy_nonoverlapping(info.dims.as_ptr(), dims, length);
    }
    ptr::null_mut()
}

unsafe extern "C" fn attr_float(info: *const Construction, name: *const c_char, value: *mut f32) -> Status {
    // SAFETY: the construction is alive, the name terminated, the place the caller's.
    unsafe {
        let (info, name) = (&*info, CStr::from_ptr(name).to_string_lossy());
        match info.floats.iter().find(|(known, _)| *known == name) {
            Some((_, found)) => value.write(*found),
            None => return failure("no such attr"),
        }
    }
    ptr::null_mut()
}

unsafe extern "C" fn no_int(_: *const Construction, _: *const c_char, _: *mut i64) -> Status {
    failure("no such attr")
}

unsafe extern "C" fn no_list(_: *const Construction, _: *const c_char, _: *mut c_void, _: *mut usize) -> Status {
    failure("no such attr")
}

unsafe extern "C" fn attr_string(
    info: *const Construction,
    name: *const c_char,
    text: *mut c_char,
    length: *mut usize,
) -> Status {
    // SAFETY: the construction is alive, the name terminated; there is room for as many bytes as told.
    unsafe {
        let (info, name) = (&*info, CStr::from_ptr(name).to_string_lossy());
        let Some((_, found)) = info.strings.iter().find(|(known, _)| *known == name) else {
            return failure("no such attr");
        };
        if !text.is_null() {
            ptr::copy_nonoverlapping(found.as_ptr().cast(), text, found.len());
            text.add(found.len()).write(0);
        }
        length.write(found.len() + 1);
    }
    ptr::null_mut()
}

unsafe extern "C" fn num_inputs(info: *const Construction, count: *mut usize) -> Status {
    // SAFETY: the construction is alive, the place the caller's.
    unsafe { count.write((*info).inputs) };
    ptr::null_mut()
}

unsafe extern "C" fn num_outputs(info: *const Construction, count: *mut usize) -> Status {
    // SAFETY: the construction is alive, the place the caller's.
    unsafe { count.write((*info).outputs) };
    ptr::null_mut()
}

unsafe extern "C" fn input(run: *const Run, index: usize, value: *mut *const Value) -> Status {
    // SAFETY: the run is alive, the place the caller's.
    unsafe {
        let run = &*run;
        value.write(run.inputs.get(index).map_or(ptr::null(), ptr::from_ref));
    }
    ptr::null_mut()
}

unsafe extern "C" fn output(
    run: *mut Run,
    index: usize,
    dims: *const i64,
    rank: usize,
    value: *mut *mut Value,
) -> Status {
    // SAFETY: the run is alive; there are as many extents as told.
    let (run, dims) =
        unsafe { (&*run, if rank == 0 { Vec::new() } else { std::slice::from_raw_parts(dims, rank).to_vec() }) };
    let bytes = dims.iter().product::<i64>() as usize * 8;
    let place = Place::Gpu(Arc::new(run.gpu.allocate(bytes)));
    let mut outputs = run.outputs.borrow_mut();
    let slot = outputs[index].insert(Box::new(Value { dtype: run.promised[index], dims, place }));
    // SAFETY: the place is the caller's.
    unsafe { value.write(&raw mut **slot) };
    ptr::null_mut()
}

unsafe extern "C" fn gpu_stream(run: *const Run, stream: *mut *mut c_void) -> Status {
    // SAFETY: the run is alive, the place the caller's.
    unsafe {
        let run = &*run;
        stream.write(run.gpu.stream());
    }
    ptr::null_mut()
}

extern "C" fn unused() {
    eprintln!("a function of ONNX Runtime that is not made up");
    std::process::abort();
}

struct Table(OrtApi);

// SAFETY: addresses of functions.
unsafe impl Sync for Table {}

static TABLE: Table = {
    const NONE: *const c_void = unused as *const c_void;
    let mut functions = [NONE; function::COUNT];
    functions[function::CREATE_STATUS] = create_status as *const c_void;
    functions[function::GET_ERROR_MESSAGE] = get_error_message as *const c_void;
    functions[function::RELEASE_STATUS] = release_status as *const c_void;
    functions[function::CREATE_CUSTOM_OP_DOMAIN] = create_domain as *const c_void;
    functions[function::CUSTOM_OP_DOMAIN_ADD] = domain_add as *const c_void;
    functions[function::ADD_CUSTOM_OP_DOMAIN] = add_domain as *const c_void;
    functions[function::GET_TENSOR_MUTABLE_DATA] = tensor_data as *const c_void;
    functions[function::GET_TENSOR_TYPE_AND_SHAPE] = tensor_info as *const c_void;
    functions[function::RELEASE_TENSOR_TYPE_AND_SHAPE_INFO] = release_info as *const c_void;
    functions[function::GET_TENSOR_ELEMENT_TYPE] = element_type as *const c_void;
    functions[function::GET_DIMENSIONS_COUNT] = rank as *const c_void;
    functions[function::GET_DIMENSIONS] = dimensions as *const c_void;
    functions[function::KERNEL_INFO_GET_ATTRIBUTE_FLOAT] = attr_float as *const c_void;
    functions[function::KERNEL_INFO_GET_ATTRIBUTE_INT64] = no_int as *const c_void;
    functions[function::KERNEL_INFO_GET_ATTRIBUTE_ARRAY_INT64] = no_list as *const c_void;
    functions[function::KERNEL_INFO_GET_ATTRIBUTE_ARRAY_FLOAT] = no_list as *const c_void;
    functions[function::KERNEL_INFO_GET_ATTRIBUTE_STRING] = attr_string as *const c_void;
    functions[function::KERNEL_INFO_GET_INPUT_COUNT] = num_inputs as *const c_void;
    functions[function::KERNEL_INFO_GET_OUTPUT_COUNT] = num_outputs as *const c_void;
    functions[function::KERNEL_CONTEXT_GET_INPUT] = input as *const c_void;
    functions[function::KERNEL_CONTEXT_GET_OUTPUT] = output as *const c_void;
    functions[function::KERNEL_CONTEXT_GET_GPU_COMPUTE_STREAM] = gpu_stream as *const c_void;
    Table(OrtApi { functions })
};

unsafe extern "C" fn get_api(version: u32) -> *const OrtApi {
    if version > ORT_API_VERSION { ptr::null() } else { &raw const TABLE.0 }
}

/// Where plugins get the table from.
pub(crate) static BASE: OrtApiBase = OrtApiBase { get_api: Some(get_api), get_version_string: None };
