//! A GPU's queue and memory, which are opened when something is first done with them: that takes long, and a program
//! that only lists its devices does not wait for it.

use std::any::Any;
use std::ffi::c_void;
use std::sync::{Arc, OnceLock};

use oplink_api::device::{ConvolutionSpec, DeviceContext, DeviceProgram, MatMulSpec, ProgramArg, RecordedWork};
use oplink_api::{DType, Result, Shape, Tensor};
use oplink_core::DetachedDrop;
use oplink_core::memory::DeviceAllocator;

/// What an interface makes of a GPU.
pub(crate) struct Opened {
    pub(crate) memory: Arc<DeviceAllocator>,
    pub(crate) context: Arc<dyn DeviceContext>,
}

/// Opens the GPU.
type Open = Box<dyn Fn() -> Result<Opened> + Send + Sync>;

/// The context of a GPU that is opened once. Where that fails, every use fails so.
pub(crate) struct LazyContext {
    device: String,
    open: Open,
    opened: DetachedDrop<OnceLock<Result<Opened>>>,
}

impl LazyContext {
    /// The GPU that is `device`, which `open` opens.
    pub(crate) fn new(device: &str, open: impl Fn() -> Result<Opened> + Send + Sync + 'static) -> Self {
        Self { device: device.to_owned(), open: Box::new(open), opened: DetachedDrop::new(device, OnceLock::new()) }
    }

    fn opened(&self) -> Result<&dyn DeviceContext> {
        let opened = self.opened.get_or_init(|| (self.open)());
        opened.as_ref().map(|opened| &*opened.context).map_err(Clone::clone)
    }

    /// The memory, where the GPU is open.
    pub(crate) fn memory(&self) -> Option<&Arc<DeviceAllocator>> {
        self.opened.get()?.as_ref().ok().map(|opened| &opened.memory)
    }
}

impl DeviceContext for LazyContext {
    fn device(&self) -> &str {
        &self.device
    }

    fn allocate(&self, dtype: DType, shape: Shape) -> Result<Tensor> {
        self.opened()?.allocate(dtype, shape)
    }

    fn allocate_for(&self, owner: &str, dtype: DType, shape: Shape) -> Result<Tensor> {
        self.opened()?.allocate_for(owner, dtype, shape)
    }

    fn stream(&self) -> *mut c_void {
        self.opened().map_or(std::ptr::null_mut(), DeviceContext::stream)
    }

    fn copy_to_device(&self, host: &Tensor) -> Result<Tensor> {
        self.opened()?.copy_to_device(host)
    }

    fn copy_to_host(&self, device: &Tensor, done: Box<dyn FnOnce(Result<Tensor>) + Send>) {
        match self.opened() {
            Ok(context) => context.copy_to_host(device, done),
            Err(error) => done(Err(error)),
        }
    }

    fn copy_in_device(&self, source: &Tensor) -> Result<Tensor> {
        self.opened()?.copy_in_device(source)
    }

    fn copy_into(&self, source: &Tensor, target: &Tensor) -> Result<()> {
        self.opened()?.copy_into(source, target)
    }

    fn records_work(&self) -> bool {
        self.opened().is_ok_and(DeviceContext::records_work)
    }

    fn record(&self, work: &mut dyn FnMut() -> Result<()>) -> Result<Box<dyn RecordedWork>> {
        self.opened()?.record(work)
    }

    fn synchronize(&self) -> Result<()> {
        match self.opened.get() {
            Some(_) => self.opened()?.synchronize(),
            None => Ok(()),
        }
    }

    fn launch(&self, program: &'static DeviceProgram, grid: [u32; 3], args: &[ProgramArg<'_>]) -> Result<()> {
        self.opened()?.launch(program, grid, args)
    }

    fn matmul(&self, spec: &MatMulSpec, a: &Tensor, b: &Tensor, out: &Tensor) -> Option<Result<()>> {
        match self.opened() {
            Ok(context) => context.matmul(spec, a, b, out),
            Err(error) => Some(Err(error)),
        }
    }

    fn has_convolution(&self, spec: &ConvolutionSpec) -> bool {
        self.opened().is_ok_and(|context| context.has_convolution(spec))
    }

    fn convolve(&self, spec: &ConvolutionSpec, image: &Tensor, filter: &Tensor, output: &Tensor) -> Option<Result<()>> {
        match self.opened() {
            Ok(context) => context.convolve(spec, image, filter, output),
            Err(error) => Some(Err(error)),
        }
    }

    /// The interface's own context, which this opens.
    fn as_any(&self) -> &dyn Any {
        self.opened().map_or(self, DeviceContext::as_any)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use oplink_api::Error;
    use oplink_api::device::copy_to_host_blocking;

    use super::*;

    #[test]
    fn a_gpu_that_cannot_be_opened_says_so_at_each_use_and_not_before() {
        let tries = Arc::new(AtomicUsize::new(0));
        let counted = tries.clone();
        let context = LazyContext::new("/device:GPU:0", move || {
            counted.fetch_add(1, Relaxed);
            Err(Error::internal("LLVM Pipe cannot be opened"))
        });
        assert_eq!((context.device(), context.memory().is_some()), ("/device:GPU:0", false));
        context.synchronize().expect("nothing was done");
        assert_eq!(tries.load(Relaxed), 0);

        let host = Tensor::scalar(1.0_f32);
        let spec = MatMulSpec::dense(DType::Float, 1, [1, 1, 1], [false, false]);
        let errors = [
            context.allocate(DType::Float, Shape::new(&[1])).err(),
            context.copy_to_device(&host).err(),
            copy_to_host_blocking(&context, &host).err(),
            context.copy_in_device(&host).err(),
            context.matmul(&spec, &host, &host, &host).and_then(Result::err),
            context.synchronize().err(),
        ];
        for error in errors {
            assert_eq!(error.expect("an error").message(), "LLVM Pipe cannot be opened");
        }
        assert!(context.stream().is_null() && context.as_any().is::<LazyContext>());
        assert_eq!(tries.load(Relaxed), 1);
    }
}
