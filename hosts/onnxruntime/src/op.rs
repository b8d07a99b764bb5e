//! Custom ops: a struct of functions for each op and combination of dtypes, which all are the same functions.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{CString, c_char, c_int};
use std::ptr;

use oplink_abi::onnxruntime::{MEMORY_TYPE_DEFAULT, ORT_API_VERSION, OrtCustomOp, characteristic};
use oplink_api::AttrMap;
use oplink_api::resolve::DeclaredOp;
use oplink_api::spec::ArgSpec;
use oplink_hosts_common::{HostedOp, NodeCalls};

use crate::combinations::dtype_of;
use crate::kernel::NodeKernel;
use crate::{dtypes, infer, kernel};

/// What is registered for one combination. ONNX Runtime passes the address of its first field.
#[repr(C)]
pub(crate) struct CustomOp {
    base: OrtCustomOp,
    pub(crate) op: &'static HostedOp,
    pub(crate) combination: AttrMap,
    name: CString,
    is_on_gpu: bool,
}

impl CustomOp {
    /// With kernels for the CPU. Lives as long as the process, since sessions keep its address.
    pub(crate) fn leaked(op: &'static HostedOp, combination: AttrMap) -> &'static Self {
        Self::with_kernels::<NodeCalls>(op, combination, false)
    }

    /// The same for the execution provider of CUDA.
    #[cfg(feature = "gpu")]
    pub(crate) fn leaked_on_gpu(op: &'static HostedOp, combination: AttrMap) -> &'static Self {
        Self::with_kernels::<crate::cuda::GpuNodeKernel>(op, combination, true)
    }

    fn with_kernels<K: NodeKernel>(op: &'static HostedOp, combination: AttrMap, is_on_gpu: bool) -> &'static Self {
        let name = CString::new(op.descriptor.name).unwrap_or_default();
        Box::leak(Box::new(Self { base: base::<K>(), op, combination, name, is_on_gpu }))
    }

    pub(crate) fn as_ptr(&self) -> *const OrtCustomOp {
        ptr::from_ref(self).cast()
    }

    /// # Safety
    /// The address is one that [`as_ptr`](Self::as_ptr) gave.
    pub(crate) unsafe fn of<'a>(raw: *const OrtCustomOp) -> &'a Self {
        // SAFETY: it is the first field of a struct that lives as long as the process.
        unsafe { &*raw.cast::<Self>() }
    }

    fn number(&self, args: &[ArgSpec], index: usize) -> c_int {
        args.get(index).and_then(|arg| dtypes::to_ort(dtype_of(arg, &self.combination))).unwrap_or(0)
    }
}

fn base<K: NodeKernel>() -> OrtCustomOp {
    OrtCustomOp {
        version: ORT_API_VERSION,
        create_kernel: None,
        get_name: Some(name),
        get_execution_provider_type: Some(provider),
        get_input_type: Some(input_type),
        get_input_type_count: Some(num_inputs),
        get_output_type: Some(output_type),
        get_output_type_count: Some(num_outputs),
        kernel_compute: None,
        kernel_destroy: Some(kernel::destroy::<K>),
        get_input_characteristic: Some(input_characteristic),
        get_output_characteristic: Some(output_characteristic),
        get_input_memory_type: Some(memory_type),
        get_variadic_input_min_arity: Some(input_arity),
        get_variadic_input_homogeneity: Some(is_homogeneous),
        get_variadic_output_min_arity: Some(output_arity),
        get_variadic_output_homogeneity: Some(is_homogeneous),
        create_kernel_v2: Some(kernel::create::<K>),
        kernel_compute_v2: Some(kernel::compute::<K>),
        infer_output_shape: Some(infer::infer),
        get_start_version: Some(start_version),
        get_end_version: Some(end_version),
        later: [ptr::null(); 4],
    }
}

type Raw = *const OrtCustomOp;

// SAFETY contract of the functions below: ONNX Runtime passes what was registered.

unsafe extern "C" fn name(op: Raw) -> *const c_char {
    // SAFETY: the contract above.
    unsafe { CustomOp::of(op) }.name.as_ptr()
}

unsafe extern "C" fn provider(op: Raw) -> *const c_char {
    // SAFETY: the contract above.
    let is_on_gpu = unsafe { CustomOp::of(op) }.is_on_gpu;
    if is_on_gpu { c"CUDAExecutionProvider".as_ptr() } else { ptr::null() }
}

unsafe extern "C" fn input_type(op: Raw, index: usize) -> c_int {
    // SAFETY: the contract above.
    let op = unsafe { CustomOp::of(op) };
    op.number(&op.op.spec().inputs, index)
}

unsafe extern "C" fn num_inputs(op: Raw) -> usize {
    // SAFETY: the contract above.
    unsafe { CustomOp::of(op) }.op.spec().inputs.len()
}

unsafe extern "C" fn output_type(op: Raw, index: usize) -> c_int {
    // SAFETY: the contract above.
    let op = unsafe { CustomOp::of(op) };
    op.number(&op.op.spec().outputs, index)
}

unsafe extern "C" fn num_outputs(op: Raw) -> usize {
    // SAFETY: the contract above.
    unsafe { CustomOp::of(op) }.op.spec().outputs.len()
}

fn characteristic_of(args: &[ArgSpec], index: usize) -> c_int {
    let is_list = args.get(index).is_some_and(ArgSpec::is_sequence);
    if is_list { characteristic::VARIADIC } else { characteristic::REQUIRED }
}

unsafe extern "C" fn input_characteristic(op: Raw, index: usize) -> c_int {
    // SAFETY: the contract above.
    characteristic_of(&unsafe { CustomOp::of(op) }.op.spec().inputs, index)
}

unsafe extern "C" fn output_characteristic(op: Raw, index: usize) -> c_int {
    // SAFETY: the contract above.
    characteristic_of(&unsafe { CustomOp::of(op) }.op.spec().outputs, index)
}

unsafe extern "C" fn memory_type(op: Raw, index: usize) -> c_int {
    // SAFETY: the contract above.
    let op = unsafe { CustomOp::of(op) };
    match op.is_on_gpu {
        #[cfg(feature = "gpu")]
        true => crate::cuda::memory_type(op, index),
        _ => {
            let _ = index;
            MEMORY_TYPE_DEFAULT
        }
    }
}

/// The least length of the last argument, where that is a list.
fn arity(op: &HostedOp, args: &[ArgSpec]) -> c_int {
    let number = args.last().and_then(|arg| arg.number_attr.as_deref());
    let least = number.and_then(|number| op.spec().attr(number)).and_then(|attr| attr.minimum);
    c_int::try_from(least.unwrap_or(0)).unwrap_or(1).max(1)
}

unsafe extern "C" fn input_arity(op: Raw) -> c_int {
    // SAFETY: the contract above.
    let op = unsafe { CustomOp::of(op) }.op;
    arity(op, &op.spec().inputs)
}

unsafe extern "C" fn output_arity(op: Raw) -> c_int {
    // SAFETY: the contract above.
    let op = unsafe { CustomOp::of(op) }.op;
    arity(op, &op.spec().outputs)
}

unsafe extern "C" fn is_homogeneous(_: Raw) -> c_int {
    1
}

unsafe extern "C" fn start_version(_: Raw) -> c_int {
    1
}

unsafe extern "C" fn end_version(_: Raw) -> c_int {
    c_int::MAX
}
