//! Custom ops of the CUDA execution provider: kernels for GPUs on its stream.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::Mutex;

use oplink_abi::onnxruntime::{MEMORY_TYPE_CPU_INPUT, MEMORY_TYPE_DEFAULT, OrtKernelContext, OrtValue};
use oplink_api::{DType, NodeInfo, Result, Shape, Tensor};
use oplink_hosts_common::cuda::{Call, ForeignStream, PreparedGpuKernel};
use oplink_hosts_common::{CallKey, HostedOp, OutputMemory};
use smallvec::SmallVec;

use crate::functions::Ort;
use crate::kernel::NodeKernel;
use crate::op::CustomOp;
use crate::values::{Outputs, described, view};

/// A kernel of a node, with the inputs that ONNX Runtime leaves in the host's memory.
pub(crate) struct GpuNodeKernel {
    kernel: PreparedGpuKernel,
    on_host: SmallVec<[bool; 4]>,
}

/// Where ONNX Runtime is to leave an input: on the CPU if every kernel for GPUs reads it there.
pub(crate) fn memory_type(op: &CustomOp, input: usize) -> c_int {
    if op.op.is_gpu_input_on_host(input) { MEMORY_TYPE_CPU_INPUT } else { MEMORY_TYPE_DEFAULT }
}

impl NodeKernel for GpuNodeKernel {
    const KIND: &'static str = " for GPUs";

    fn prepare(op: &HostedOp, key: &CallKey) -> Result<Self> {
        let kernel = op.prepare_on_gpu(key)?;
        let lengths = key.lengths.iter().enumerate();
        let of = |(input, &length): (usize, &u32)| (0..length).map(move |_| op.is_gpu_input_on_host(input));
        Ok(Self { kernel, on_host: lengths.flat_map(of).collect() })
    }

    fn node(&self) -> &NodeInfo {
        self.kernel.node()
    }

    /// Enqueues the kernel.
    unsafe fn run(&self, ort: &Ort, context: *mut OrtKernelContext) -> Result<()> {
        let mut stream = ptr::null_mut();
        // SAFETY: the context is alive; the place is written to. The provider's stream outlives its runs.
        let call = unsafe {
            ort.check((ort.gpu_stream)(context, &raw mut stream))?;
            Call::begin(stream, None)?
        };
        let mut inputs: SmallVec<[Tensor; 4]> = SmallVec::new();
        for (at, is_on_host) in self.on_host.iter().enumerate() {
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
        self.kernel.run(inputs, &outputs, call.stream())
    }
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
