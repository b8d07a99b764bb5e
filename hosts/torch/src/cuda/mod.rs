//! The boxed kernels of the dispatch key CUDA: kernels for GPUs on PyTorch's current stream.
#![allow(unsafe_code, reason = "room: the C ABI")]

mod functions;
mod tensors;

use oplink_abi::torch::{BoxedKernelFn, StableIValue};
use oplink_api::{Error, Result, Tensor};
use oplink_hosts_common::HostedOp;
use oplink_hosts_common::cuda::Call;
use smallvec::SmallVec;

use crate::call::{guarded_call, store, take};
use crate::register::Loaded;
use functions::cuda;
use tensors::{DeviceMemory, device_of, view};

oplink_hosts_common::position_table! {
    /// As many boxed kernels as there are ops, at least, in rows.
    pub(crate) fn kernels() -> BoxedKernelFn; boxed
}

unsafe extern "C-unwind" fn boxed<const ROW: usize, const AT: usize>(
    stack: *mut StableIValue,
    num_inputs: u64,
    num_outputs: u64,
) {
    // SAFETY: PyTorch passes the stack of a call of the op that was registered at this position.
    unsafe { guarded_call(run, ROW * 16 + AT, stack, num_inputs, num_outputs) }
}

/// # Safety
/// The stack has the inputs of a call of the op.
unsafe fn run(
    loaded: &'static Loaded,
    (_, op): (usize, &HostedOp),
    stack: &mut [StableIValue],
    num_inputs: usize,
) -> Result<()> {
    let torch = &loaded.torch;
    // SAFETY: the contract of this function.
    let taken = unsafe { take(torch, op, &stack[..num_inputs]) }?;
    let functions = cuda()?;
    let device = device_of(functions, &taken.handles)?;
    // SAFETY: PyTorch's streams are never ended.
    let call = unsafe { Call::begin(functions.stream(device)?, usize::try_from(device).ok()) }?;
    // Those that were gathered too: PyTorch gives their memory again to work of the same stream only.
    let (mut inputs, mut gathered) = (SmallVec::<[Tensor; 4]>::new(), SmallVec::<[_; 4]>::new());
    for handle in &taken.handles {
        // SAFETY: the handles outlive the run; memory that PyTorch takes back then goes to later work of the stream.
        let (input, own) = unsafe { view(functions, handle, call.stream()) }?;
        inputs.push(input);
        gathered.extend(own);
    }
    let kernel = op.prepared_on_gpu(&taken.key(inputs.iter().map(Tensor::dtype).collect()))?;
    let outputs = kernel.node().output_dtypes.len();
    let memory = DeviceMemory::new(torch, device, call.stream().clone(), outputs);
    kernel.run(inputs, &memory, call.stream())?;
    let mut handles = memory.into_handles().into_iter();
    store(torch, op, kernel.node(), stack, || {
        handles.next().flatten().ok_or_else(|| Error::internal("an output is missing"))
    })
}
