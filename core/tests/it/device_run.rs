//! Prepared kernels on a device with memory of its own: where outputs go, and what errors tell of memory.

use std::any::Any;
use std::ffi::c_void;
use std::sync::Arc;

use expect_test::expect;
use oplink_api::descriptors::{KernelDescriptor, KernelEntry, KernelFunction, OpDescriptor};
use oplink_api::device::DeviceContext;
use oplink_api::{AsyncKernelContext, Code, DType, Error, ErrorKind, KernelContext, Result, Shape, Tensor};
use oplink_core::memory::{AllocatorOptions, DeviceAllocator};
use oplink_core::{HostEnv, PreparedKernel, node_for_flat_call};

use crate::device_memory::{DEVICE, Raw};
use crate::fixture::{leak, op, sealed, with_entries};

/// A queue whose work is done at once, of memory that nobody can read.
struct Queue(Arc<DeviceAllocator>);

impl DeviceContext for Queue {
    fn device(&self) -> &str {
        DEVICE
    }
    fn allocate(&self, dtype: DType, shape: Shape) -> Result<Tensor> {
        self.0.tensor(dtype, shape, "")
    }
    fn allocate_for(&self, owner: &str, dtype: DType, shape: Shape) -> Result<Tensor> {
        self.0.tensor(dtype, shape, owner)
    }
    fn stream(&self) -> *mut c_void {
        std::ptr::null_mut()
    }
    fn copy_to_device(&self, host: &Tensor) -> Result<Tensor> {
        self.allocate(host.dtype(), host.shape().clone())
    }
    fn copy_to_host(&self, _: &Tensor, done: Box<dyn FnOnce(Result<Tensor>) + Send>) {
        done(Err(Error::unimplemented("nobody can read it")));
    }
    fn copy_in_device(&self, source: &Tensor) -> Result<Tensor> {
        self.allocate(source.dtype(), source.shape().clone())
    }
    fn synchronize(&self) -> Result<()> {
        Ok(())
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

static SPLIT: OpDescriptor = op("Split", &["x: float", "dims: int32"], &["y: float", "size: int32"], &[], 1);

fn prepare(host_memory: &'static [&'static str], compute: fn(&mut KernelContext<'_>) -> Result<()>) -> PreparedKernel {
    prepare_function(host_memory, KernelFunction::Compute(compute))
}

fn prepare_function(host_memory: &'static [&'static str], function: KernelFunction) -> PreparedKernel {
    let entries = leak([KernelEntry::new(&[], function)]);
    let descriptor: &'static KernelDescriptor =
        leak(KernelDescriptor { host_memory, ..with_entries("Split", &[], entries, 2) });
    let registry = sealed(&[&SPLIT], &[descriptor]);
    let dtypes = [DType::Float, DType::Int32];
    let node = node_for_flat_call(registry.op("Split").unwrap(), "parts", DEVICE, &dtypes, &[]).unwrap();
    PreparedKernel::new(&registry, Arc::new(node), "CPU").unwrap()
}

/// Runs a kernel for inputs on the device and on the host, on a device with a limit.
fn run(kernel: &PreparedKernel, limit: usize) -> Result<Vec<Tensor>> {
    let options = AllocatorOptions { limit, allow_growth: true };
    let queue = Arc::new(Queue(Arc::new(DeviceAllocator::new(DEVICE, Raw::default(), options))));
    let mut inputs = [queue.copy_to_device(&Tensor::from_slice(&[1f32, 2.0]))?, Tensor::from_slice(&[3i32])];
    let mut outputs = [None, None];
    kernel.run(&mut inputs, &mut outputs, &HostEnv::new(None).with_device(queue))?;
    Ok(outputs.into_iter().flatten().collect())
}

fn allocates(context: &mut KernelContext<'_>) -> Result<()> {
    for index in 0..2 {
        let output = context.allocate_output(index, [1 << 10])?;
        context.set_output(index, output);
    }
    Ok(())
}

fn reads(context: &mut KernelContext<'_>) -> Result<()> {
    context.input(0).as_slice::<f32>().map(drop)
}

#[test]
fn outputs_that_host_memory_names_are_on_the_host() {
    let kernel = prepare(&["dims", "size"], allocates);
    let outputs = run(&kernel, 1 << 20).unwrap();
    assert_eq!([outputs[0].is_on_device(), outputs[1].is_on_device()], [true, false]);
    let host = kernel.host_memory();
    assert_eq!(
        [host.has_input(0), host.has_input(1), host.has_output(0), host.has_output(1)],
        [false, true, false, true]
    );
    let outputs = run(&prepare(&[], allocates), 1 << 20).unwrap();
    assert!(outputs.iter().all(Tensor::is_on_device));
}

fn later(mut context: AsyncKernelContext) {
    let ran = context.device().and_then(|device| device.copy_in_device(&context.inputs()[0])).map(|copied| {
        context.set_output(0, copied);
        context.set_output(1, Tensor::scalar(0i32));
    });
    context.finish(ran);
}

#[test]
fn asynchronous_kernels_reach_the_device() {
    let kernel = prepare_function(&[], KernelFunction::Async(later));
    assert!(run(&kernel, 1 << 20).unwrap()[0].is_on_device());
    let mut inputs = [Tensor::scalar(1f32), Tensor::scalar(1i32)];
    let error = kernel.run(&mut inputs, &mut [None, None], &HostEnv::new(None)).unwrap_err();
    let said = format!("the kernel asks for a device's memory and queue, but {DEVICE} works in host memory");
    assert_eq!(error.message(), said);
}

#[test]
fn errors_tell_which_inputs_are_on_the_device() {
    let error = run(&prepare(&["dims"], reads), 1 << 20).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DeviceMemory);
    expect![[r#"
        the tensor lies in the memory of /job:localhost/replica:0/task:0/device:FAKE:0; the host cannot read it: copy it to the host first
          node `parts` (op Split) on /job:localhost/replica:0/task:0/device:FAKE:0
          input 0 `x`: float [2] in the memory of /job:localhost/replica:0/task:0/device:FAKE:0
          input 1 `dims`: int32 [1]"#]]
    .assert_eq(&error.to_string());
}

#[test]
fn memory_that_runs_out_is_an_error_with_the_node_that_asked() {
    let error = run(&prepare(&["dims", "size"], allocates), 1 << 12).unwrap_err();
    assert_eq!(error.code(), Code::ResourceExhausted);
    assert!(error.message().contains("4096 bytes were asked for by `parts`"), "{error}");
    assert!(error.to_string().contains("node `parts` (op Split)"), "{error}");
}
