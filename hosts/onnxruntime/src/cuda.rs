//! Custom ops of the CUDA execution provider: kernels for GPUs on its stream.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::Mutex;

use oplink_abi::onnxruntime::{
    MEMORY_TYPE_CPU_INPUT, MEMORY_TYPE_DEFAULT, OrtApi, OrtCustomOp, OrtKernelContext, OrtKernelInfo, OrtStatus,
    OrtValue,
};
use oplink_api::{DType, Result, Shape, Tensor, ensure};
use oplink_hosts_common::cuda::{Call, ForeignStream, PreparedGpuKernel};
use oplink_hosts_common::{OutputMemory, guarded, silent};
use smallvec::SmallVec;

use crate::functions::{Ort, ort};
use crate::kernel::key;
use crate::op::CustomOp;
use crate::values::{Outputs, described, view};

/// A kernel of a node, with the inputs that ONNX Runtime leaves in the host's memory.
struct NodeKernel {
    kernel: PreparedGpuKernel,
    on_host: SmallVec<[bool; 4]>,
}

/// Where ONNX Runtime is to leave an input: on the CPU if every kernel for GPUs reads it there.
pub(crate) fn memory_type(op: &CustomOp, input: usize) -> c_int {
    if op.op.is_gpu_input_on_host(input) { MEMORY_TYPE_CPU_INPUT } else { MEMORY_TYPE_DEFAULT }
}

/// Makes the kernel of a node.
///
/// # Safety
/// ONNX Runtime passes what was registered, its table, and a live construction.
pub(crate) unsafe extern "C" fn create(
    op: *const OrtCustomOp,
    _: *const OrtApi,
    info: *const OrtKernelInfo,
    kernel: *mut *mut c_void,
) -> *mut OrtStatus {
    let Some(ort) = ort() else { return ptr::null_mut() };
    // SAFETY: the contract of this function.
    let op = unsafe { CustomOp::of(op) };
    let what = || format!("the kernel of {} for GPUs, while it was constructed,", op.op.descriptor.name);
    // SAFETY: the construction is alive during the call (Safety section); the place takes an address.
    let result = guarded(what, || unsafe {
        kernel.write(ptr::null_mut());
        let made = make(ort, op, info)?;
        kernel.write(Box::into_raw(Box::new(made)).cast());
        Ok(())
    });
    ort.status(result)
}

/// # Safety
/// The construction is alive.
unsafe fn make(ort: &Ort, op: &CustomOp, info: *const OrtKernelInfo) -> Result<NodeKernel> {
    // SAFETY: the contract of this function.
    let (key, outputs) = unsafe { key(ort, op, info) }?;
    let kernel = op.op.prepare_on_gpu(&key)?;
    let (name, wanted) = (op.op.descriptor.name, kernel.node().output_dtypes.len());
    ensure!(wanted == outputs, "a node of {name} has {outputs} outputs, its attrs make {wanted}");
    let lengths = key.lengths.iter().enumerate();
    let of = |(input, &length): (usize, &u32)| (0..length).map(move |_| op.op.is_gpu_input_on_host(input));
    Ok(NodeKernel { kernel, on_host: lengths.flat_map(of).collect() })
}

/// Frees a kernel.
///
/// # Safety
/// ONNX Runtime passes what `create` made, once.
pub(crate) unsafe extern "C" fn destroy(kernel: *mut c_void) {
    if !kernel.is_null() {
        // SAFETY: `create` made it as a box of this type.
        silent((), || drop(unsafe { Box::from_raw(kernel.cast::<NodeKernel>()) }));
    }
}

/// Enqueues a kernel.
///
/// # Safety
/// ONNX Runtime passes what `create` made, and the live context of a run.
pub(crate) unsafe extern "C" fn compute(kernel: *mut c_void, context: *mut OrtKernelContext) -> *mut OrtStatus {
    // SAFETY: the contract of this function.
    let (Some(ort), Some(kernel)) = (ort(), unsafe { kernel.cast::<NodeKernel>().as_ref() }) else {
        return ptr::null_mut();
    };
    let what = || format!("the kernel of {} for GPUs", kernel.kernel.node().op.name);
    // SAFETY: the context is alive during the call (Safety section).
    ort.status(guarded(what, || unsafe { run(ort, kernel, context) }))
}

/// # Safety
/// The context is alive.
unsafe fn run(ort: &Ort, node: &NodeKernel, context: *mut OrtKernelContext) -> Result<()> {
    let mut stream = ptr::null_mut();
    // SAFETY: the context is alive; the place is written to. The provider's stream outlives its runs.
    let call = unsafe {
        ort.check((ort.gpu_stream)(context, &raw mut stream))?;
        Call::begin(stream, None)?
    };
    let mut inputs: SmallVec<[Tensor; 4]> = SmallVec::new();
    for (at, is_on_host) in node.on_host.iter().enumerate() {
        let mut value = ptr::null();
        // SAFETY: the context is alive, and its values as long as the run; ONNX Runtime gives their memory again to
        // later work of the stream only.
        unsafe {
            ort.check((ort.input)(context, at, &raw mut value))?;
            inputs.push(if *is_on_host { view(ort, value)? } else { on_gpu(ort, value, call.stream())? });
        }
    }
    let outputs =
        DeviceOutputs { outputs: Outputs { ort, context: Mutex::new(context) }, stream: call.stream().clone() };
    node.kernel.run(inputs, &outputs, call.stream())
}

/// An input on the GPU.
///
/// # Safety
/// The value is null, or alive as long as the call and its elements are in the GPU's memory.
unsafe fn on_gpu(ort: &Ort, value: *const OrtValue, stream: &ForeignStream) -> Result<Tensor> {
    let mut data = ptr::null_mut::<c_void>();
    // SAFETY: the contract of this function; the place is written to. The elements are only read.
    unsafe {
        let (dtype, shape) = described(ort, value)?;
        ort.check((ort.tensor_data)(value.cast_mut(), &raw mut data))?;
        stream.tensor(dtype, shape, data.cast())
    }
}

/// The outputs of one run, in the GPU's memory.
struct DeviceOutputs<'a> {
    outputs: Outputs<'a>,
    stream: ForeignStream,
}

impl OutputMemory for DeviceOutputs<'_> {
    fn allocate(&self, index: usize, dtype: DType, shape: &Shape) -> Result<Tensor> {
        let (value, mut data) = (self.outputs.value(index, shape)?, ptr::null_mut::<c_void>());
        let ort = self.outputs.ort;
        // SAFETY: the value is alive until the run ends, and its memory is this run's alone in the stream's order.
        unsafe {
            ort.check((ort.tensor_data)(value, &raw mut data))?;
            self.stream.tensor(dtype, shape.clone(), data.cast())
        }
    }
}
