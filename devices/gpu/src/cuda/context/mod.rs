//! The queue of a GPU's compute work, and the copies to and from it.
//!
//! Compute work has a stream, copies in each direction have one of their own. Copies to the GPU wait for the compute
//! work before (the memory may be in use by it), and compute work after waits for them; copies to the host wait for the
//! compute work before. Nothing waits for the whole GPU. What a copy uses is kept until its event has passed.
//!
//! Where a piece of work fails, the driver gives the same error to every call from then on, so nothing is kept to be
//! told.

mod capture;
mod convolution;
mod download;
mod events;
mod library;
mod upload;

use std::any::Any;
use std::ffi::c_void;
use std::sync::Arc;
use std::time::Duration;

use cudarc::driver::CudaStream;
use cudarc::driver::sys::CUevent_flags;
use oplink_api::device::{ConvolutionSpec, DeviceContext, DeviceProgram, MatMulSpec, ProgramArg, RecordedWork};
use oplink_api::tensor::Allocator;
use oplink_api::{Code, DType, Error, ErrorKind, Result, Shape, Tensor};
use oplink_core::HelperThread;
use oplink_core::memory::{AllocatorOptions, DeviceAllocator, HostAllocator};

use oplink_cuda::{Gpu, MOST_BLOCKS, Place, Programs};

use super::driver::{self, DeviceRegions, PinnedPages};
use crate::downloads::{Done, Downloads};
use capture::Capture;
pub use capture::CudaGraph;
use convolution::Convolutions;
use download::Download;
use events::Events;
use library::Library;
use upload::Uploads;

/// The streams of a GPU. Dropping them waits for their work first.
struct Streams {
    compute: Arc<CudaStream>,
    to_device: Arc<CudaStream>,
    to_host: Arc<CudaStream>,
}

impl Streams {
    fn new(gpu: &Gpu) -> Result<Self> {
        Ok(Self { compute: gpu.stream()?, to_device: gpu.stream()?, to_host: gpu.stream()? })
    }

    /// Waits for all that was enqueued; what fails first is the error.
    fn wait(&self, gpu: &Gpu) -> Result<()> {
        let waited = [&self.to_device, &self.compute, &self.to_host].map(|stream| stream.synchronize());
        waited.into_iter().try_for_each(|waited| gpu.tell("waiting for enqueued work", waited))
    }
}

/// What the context and its thread share. The order of the fields is that in which it is taken down: what the copies
/// use, then what they were made of.
struct Shared {
    capture: Capture,
    uploads: Uploads,
    downloads: Downloads<Download>,
    /// Events of copies to the host, for which a thread sleeps.
    ends: Events,
    events: Events,
    library: Library,
    convolutions: Convolutions,
    programs: Programs,
    pages: Arc<PinnedPages>,
    pinned: Arc<dyn Allocator>,
    memory: Arc<DeviceAllocator>,
    streams: Streams,
    gpu: Arc<Gpu>,
}

impl Drop for Shared {
    fn drop(&mut self) {
        // Memory and events of work in flight go next; nobody is left who could be told of a failure.
        let _ = self.streams.wait(&self.gpu);
    }
}

/// The [`DeviceContext`] of a GPU of CUDA.
pub struct CudaDeviceContext {
    /// Ends before what it shares with the context.
    thread: HelperThread,
    shared: Arc<Shared>,
}

impl CudaDeviceContext {
    pub(super) fn new(gpu: Arc<Gpu>, limit: usize, allow_growth: bool) -> Result<Self> {
        let streams = Streams::new(&gpu)?;
        let regions = DeviceRegions::new(gpu.clone(), streams.compute.clone());
        let memory = Arc::new(DeviceAllocator::new(gpu.name(), regions, AllocatorOptions { limit, allow_growth }));
        let pages = Arc::new(PinnedPages::new(gpu.clone()));
        let shared = Arc::new(Shared {
            capture: Capture::default(),
            uploads: Uploads::default(),
            downloads: Downloads::default(),
            ends: Events::new(gpu.clone(), CUevent_flags::CU_EVENT_BLOCKING_SYNC),
            events: Events::new(gpu.clone(), CUevent_flags::CU_EVENT_DISABLE_TIMING),
            library: Library::default(),
            convolutions: Convolutions::default(),
            programs: Programs::new(gpu.clone()),
            pinned: Arc::new(HostAllocator::of_raw(format!("pinned host memory of {}", gpu.name()), pages.clone())),
            pages,
            memory,
            streams,
            gpu,
        });
        let of_thread = shared.clone();
        let thread = HelperThread::spawn("copies to host", move || of_thread.hand_out());
        let thread = thread.map_err(|error| {
            let message = format!("{}: no thread for copies to the host: {error}", shared.gpu.name());
            Error::new(Code::ResourceExhausted, ErrorKind::Device, message)
        })?;
        let context = Self { thread, shared };
        context.free_memory_on_demand();
        Ok(context)
    }

    /// The GPU's memory.
    pub(super) fn memory(&self) -> &Arc<DeviceAllocator> {
        &self.shared.memory
    }

    /// Copies to the host hold the tensors that they read: where memory runs out, they are waited for.
    fn free_memory_on_demand(&self) {
        let (shared, thread) = (Arc::downgrade(&self.shared), self.thread.id());
        self.shared.memory.on_exhaustion(move || {
            let waits_for_itself = thread == std::thread::current().id();
            if let Some(shared) = shared.upgrade().filter(|_| !waits_for_itself) {
                shared.downloads.wait();
            }
        });
    }

    /// How long the GPU takes for what `work` enqueues on the compute stream. Waits for it.
    ///
    /// # Errors
    /// The work's own, or the driver's.
    pub fn time(&self, work: impl FnOnce() -> Result<()>) -> Result<Duration> {
        let Shared { gpu, streams, capture, .. } = &*self.shared;
        capture.refuse(gpu.name(), "the time of work")?;
        let mark = || {
            let _turn = capture.turn();
            gpu.tell("marking the time", streams.compute.record_event(Some(CUevent_flags::CU_EVENT_DEFAULT)))
        };
        let start = mark()?;
        work()?;
        let end = mark()?;
        let milliseconds = gpu.tell("reading the time", start.elapsed_ms(&end))?;
        Ok(Duration::from_secs_f64(f64::from(milliseconds) / 1000.0))
    }
}

impl Shared {
    /// Where a tensor of this GPU lies.
    fn place(&self, tensor: &Tensor) -> Result<Place> {
        if let Some(memory) = tensor.device_memory().filter(|memory| memory.block.device() == self.gpu.name()) {
            self.capture.keep(tensor);
            return Ok(Place::of(&memory));
        }
        let place = tensor.device_memory().map_or("the host's memory", |memory| memory.block.device());
        let (name, dtype, shape) = (self.gpu.name(), tensor.dtype(), tensor.shape());
        let message = format!("{name}: a {dtype} tensor of shape {shape} lies in {place}");
        Err(Error::new(Code::InvalidArgument, ErrorKind::Device, message))
    }

    /// A tensor of the GPU's memory. After a failure of the GPU its error is returned, and not that there is no memory.
    fn allocate(&self, owner: &str, dtype: DType, shape: Shape) -> Result<Tensor> {
        self.memory.tensor(dtype, shape, owner).map_err(|error| {
            match self.gpu.enter().and_then(|()| self.streams.wait(&self.gpu)) {
                Err(failure) if error.code() == Code::ResourceExhausted => failure,
                _ => error,
            }
        })
    }

    fn launch(&self, program: &'static DeviceProgram, grid: [u32; 3], args: &[ProgramArg<'_>]) -> Result<()> {
        let mut slots = oplink_cuda::pack(program, args, |tensor| Ok(self.place(tensor)?.address))?;
        program.check_grid(self.gpu.name(), grid, MOST_BLOCKS)?;
        if grid.contains(&0) {
            return Ok(());
        }
        let function = self.programs.function(program)?;
        driver::launch(&function, &self.gpu, &self.streams.compute, grid, program.block, &mut slots).map_err(|error| {
            let what = format!("launching {grid:?} blocks of {} of {}", program.name, program.location);
            self.gpu.error(&what, error)
        })
    }
}

impl DeviceContext for CudaDeviceContext {
    fn device(&self) -> &str {
        self.shared.gpu.name()
    }

    fn allocate(&self, dtype: DType, shape: Shape) -> Result<Tensor> {
        self.shared.allocate("", dtype, shape)
    }

    fn allocate_for(&self, owner: &str, dtype: DType, shape: Shape) -> Result<Tensor> {
        self.shared.allocate(owner, dtype, shape)
    }

    fn stream(&self) -> *mut c_void {
        self.shared.streams.compute.cu_stream().cast()
    }

    fn copy_to_device(&self, host: &Tensor) -> Result<Tensor> {
        host.as_bytes()?;
        let _turn = self.shared.capture.turn();
        self.shared.capture.refuse(self.device(), "a copy to the GPU")?;
        let tensor = self.allocate(host.dtype(), host.shape().clone())?;
        if host.num_bytes() > 0 {
            self.shared.upload(host, self.shared.place(&tensor)?)?;
        }
        Ok(tensor)
    }

    fn copy_to_host(&self, device: &Tensor, done: Done) {
        let recorded = self.shared.capture.refuse(self.device(), "a copy to the host");
        match recorded.and_then(|()| self.shared.place(device)) {
            Ok(_) if device.num_bytes() == 0 => done(Tensor::zeros(device.dtype(), device.shape().clone())),
            Ok(place) => self.shared.download(device, place, done),
            Err(error) => done(Err(error)),
        }
    }

    fn copy_in_device(&self, source: &Tensor) -> Result<Tensor> {
        let tensor = self.allocate(source.dtype(), source.shape().clone())?;
        self.copy_into(source, &tensor)?;
        Ok(tensor)
    }

    fn copy_into(&self, source: &Tensor, target: &Tensor) -> Result<()> {
        let Shared { gpu, streams, capture, .. } = &*self.shared;
        let _turn = capture.turn();
        let (from, to) = (self.shared.place(source)?, self.shared.place(target)?);
        if source.dtype() != target.dtype() || source.shape() != target.shape() {
            let of = |tensor: &Tensor| format!("{} tensor of shape {}", tensor.dtype(), tensor.shape());
            let message = format!("{}: a {} is to be copied into a {}", gpu.name(), of(source), of(target));
            return Err(Error::new(Code::InvalidArgument, ErrorKind::Device, message));
        }
        if source.num_bytes() == 0 || from == to {
            return Ok(());
        }
        driver::in_device(gpu, &streams.compute, to, from)
    }

    fn records_work(&self) -> bool {
        true
    }

    fn record(&self, work: &mut dyn FnMut() -> Result<()>) -> Result<Box<dyn RecordedWork>> {
        Self::record(self, work).map(|graph| Box::new(graph) as Box<dyn RecordedWork>)
    }

    fn synchronize(&self) -> Result<()> {
        self.shared.capture.refuse(self.device(), "waiting for the GPU")?;
        let waited = {
            let _turn = self.shared.capture.turn();
            self.shared.streams.wait(&self.shared.gpu)
        };
        // What the thread runs in waits for nobody.
        if !self.thread.is_current() {
            self.shared.downloads.wait();
        }
        self.shared.finish_uploads();
        waited
    }

    fn launch(&self, program: &'static DeviceProgram, grid: [u32; 3], args: &[ProgramArg<'_>]) -> Result<()> {
        let _turn = self.shared.capture.turn();
        self.shared.launch(program, grid, args)
    }

    fn matmul(&self, spec: &MatMulSpec, a: &Tensor, b: &Tensor, out: &Tensor) -> Option<Result<()>> {
        let _turn = self.shared.capture.turn();
        self.shared.matmul(spec, a, b, out).transpose()
    }

    fn has_convolution(&self, spec: &ConvolutionSpec) -> bool {
        self.shared.has_convolution(spec)
    }

    fn convolve(&self, spec: &ConvolutionSpec, image: &Tensor, filter: &Tensor, output: &Tensor) -> Option<Result<()>> {
        let _turn = self.shared.capture.turn();
        self.shared.convolve(spec, image, filter, output).transpose()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Drop for CudaDeviceContext {
    fn drop(&mut self) {
        self.shared.downloads.stop();
    }
}
