//! A device with memory that the host cannot read: a thread works its queue off, with delays.

use std::any::Any;
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{ThreadId, current};
use std::time::{Duration, Instant};

use oplink_api::device::{DeviceBlock, DeviceContext, RecordedWork};
use oplink_api::tensor::Allocator;
use oplink_api::{DType, Error, KernelEnv, Result, Shape, Tensor};
use oplink_core::memory::MemoryStatistics;
use oplink_core::{Device, DeviceAttributes, HostEnv, IntraOpPool};

pub(crate) const FAKE: &str = "FAKE";

type Bytes = Arc<Mutex<Vec<u8>>>;
type Work = Box<dyn FnOnce() + Send>;
/// Work that can be done again.
type Again = Arc<dyn Fn() + Send + Sync>;

/// What happened on the device so far, and what is to go wrong.
#[derive(Default)]
pub(crate) struct Counters {
    pub(crate) to_device: AtomicUsize,
    pub(crate) to_host: AtomicUsize,
    pub(crate) kernels: AtomicUsize,
    pub(crate) recordings: AtomicUsize,
    pub(crate) launches: AtomicUsize,
    /// Whether the device records work.
    pub(crate) records: AtomicBool,
    pub(crate) blocks: AtomicUsize,
    pub(crate) fail_to_device: AtomicBool,
    pub(crate) fail_to_host: AtomicBool,
    /// Copies to the host are started and never end.
    pub(crate) hangs: AtomicBool,
    kept: Mutex<Vec<Box<dyn Any + Send>>>,
}

impl Counters {
    /// Copies to the device and to the host, and kernels, since the last call.
    pub(crate) fn take(&self) -> [usize; 3] {
        [&self.to_device, &self.to_host, &self.kernels].map(|counter| counter.swap(0, Ordering::SeqCst))
    }

    /// Whether all memory is given back: soon, since the device's thread drops what its last work held after it told
    /// that the work is done.
    pub(crate) fn holds_nothing(&self) -> bool {
        let end = Instant::now() + Duration::from_secs(10);
        while self.blocks.load(Ordering::SeqCst) != 0 {
            if Instant::now() > end {
                return false;
            }
            std::thread::yield_now();
        }
        true
    }
}

/// A device of type `FAKE`.
pub(crate) struct FakeDevice {
    name: String,
    context: Arc<dyn DeviceContext>,
    env: HostEnv,
    pub(crate) counters: Arc<Counters>,
}

impl FakeDevice {
    pub(crate) fn new(index: usize) -> Arc<Self> {
        let name = format!("/job:localhost/replica:0/task:0/device:FAKE:{index}");
        let counters: Arc<Counters> = Arc::default();
        let fake = FakeContext {
            name: name.clone(),
            queue: Arc::new(Mutex::new(start_worker())),
            counters: counters.clone(),
            recorded: Mutex::default(),
        };
        let context: Arc<dyn DeviceContext> = Arc::new(fake);
        let env = HostEnv::new(None).with_device(context.clone());
        Arc::new(Self { name, context, env, counters })
    }
}

/// A thread that does work in order, each piece after up to 100 microseconds.
fn start_worker() -> Sender<Work> {
    let (sender, receiver) = channel::<Work>();
    std::thread::spawn(move || {
        let mut state = 0x2545_f491_u32;
        for work in receiver {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            std::thread::sleep(Duration::from_micros(u64::from(state % 100)));
            work();
        }
    });
    sender
}

struct FakeBlock {
    device: String,
    bytes: Bytes,
    size: usize,
    counters: Arc<Counters>,
}

impl Drop for FakeBlock {
    fn drop(&mut self) {
        self.counters.blocks.fetch_sub(1, Ordering::SeqCst);
    }
}

impl DeviceBlock for FakeBlock {
    fn device(&self) -> &str {
        &self.device
    }

    fn handle(&self) -> *mut c_void {
        std::ptr::without_provenance_mut(0xdead_0000)
    }

    fn offset(&self) -> usize {
        0
    }

    fn bytes(&self) -> usize {
        self.size
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

pub(crate) struct FakeContext {
    name: String,
    queue: Arc<Mutex<Sender<Work>>>,
    counters: Arc<Counters>,
    /// The thread that records, and what it enqueued since.
    recorded: Mutex<Option<(ThreadId, Vec<Again>)>>,
}

/// Work that was recorded, with what it keeps.
struct Recorded {
    work: Vec<Again>,
    queue: Arc<Mutex<Sender<Work>>>,
    counters: Arc<Counters>,
}

impl RecordedWork for Recorded {
    fn launch(&self) -> Result<()> {
        self.counters.launches.fetch_add(1, Ordering::SeqCst);
        let work = self.work.clone();
        self.queue.lock().unwrap().send(Box::new(move || work.iter().for_each(|work| work()))).unwrap();
        Ok(())
    }
}

impl FakeContext {
    fn enqueue(&self, work: impl FnOnce() + Send + 'static) {
        self.queue.lock().unwrap().send(Box::new(work)).unwrap();
    }

    /// Enqueues what can be done again, or records it.
    fn enqueue_or_record(&self, work: impl Fn() + Send + Sync + 'static) {
        match &mut *self.recorded.lock().unwrap() {
            Some((thread, recorded)) if *thread == current().id() => recorded.push(Arc::new(work)),
            _ => self.enqueue(work),
        }
    }

    fn bytes_of(&self, tensor: &Tensor) -> Result<(Bytes, usize, usize)> {
        let memory = tensor.device_memory().ok_or_else(|| Error::invalid_argument("a host tensor on the device"))?;
        let block = memory.block.as_any().downcast_ref::<FakeBlock>().unwrap();
        if block.device != self.name {
            return Err(Error::invalid_argument(format!("a tensor of {} on {}", block.device, self.name)));
        }
        Ok((block.bytes.clone(), memory.offset, memory.bytes))
    }

    /// Enqueues what computes floats from floats.
    pub(crate) fn compute(
        &self,
        inputs: &[&Tensor],
        shape: Shape,
        function: impl Fn(&[Vec<f32>]) -> Vec<f32> + Send + Sync + 'static,
    ) -> Result<Tensor> {
        let sources: Vec<_> = inputs.iter().map(|input| self.bytes_of(input)).collect::<Result<_>>()?;
        let output = self.allocate(DType::Float, shape)?;
        let (target, ..) = self.bytes_of(&output)?;
        self.counters.kernels.fetch_add(1, Ordering::SeqCst);
        self.enqueue_or_record(move || {
            let read = |(bytes, offset, size): &(Bytes, usize, usize)| -> Vec<f32> {
                let bytes = bytes.lock().unwrap();
                let floats = bytes[*offset..][..*size].chunks_exact(4);
                floats.map(|chunk| f32::from_le_bytes(chunk.try_into().unwrap())).collect()
            };
            let inputs: Vec<Vec<f32>> = sources.iter().map(read).collect();
            *target.lock().unwrap() = function(&inputs).iter().flat_map(|x| x.to_le_bytes()).collect();
        });
        Ok(output)
    }
}

impl DeviceContext for FakeContext {
    fn device(&self) -> &str {
        &self.name
    }

    fn allocate(&self, dtype: DType, shape: Shape) -> Result<Tensor> {
        let size = shape.iter().product::<usize>() * dtype.size().unwrap();
        self.counters.blocks.fetch_add(1, Ordering::SeqCst);
        let (device, counters) = (self.name.clone(), self.counters.clone());
        let bytes = Arc::new(Mutex::new(vec![0xa5; size]));
        Tensor::on_device(dtype, shape, Box::new(FakeBlock { device, bytes, size, counters }))
    }

    fn stream(&self) -> *mut c_void {
        std::ptr::null_mut()
    }

    fn copy_to_device(&self, host: &Tensor) -> Result<Tensor> {
        if self.counters.fail_to_device.swap(false, Ordering::SeqCst) {
            return Err(Error::invalid_argument("the copy to the device broke"));
        }
        let output = self.allocate(host.dtype(), host.shape().clone())?;
        let ((target, ..), source) = (self.bytes_of(&output)?, host.as_bytes()?.to_vec());
        self.counters.to_device.fetch_add(1, Ordering::SeqCst);
        self.enqueue(move || *target.lock().unwrap() = source);
        Ok(output)
    }

    fn copy_to_host(&self, device: &Tensor, done: Box<dyn FnOnce(Result<Tensor>) + Send>) {
        let (bytes, offset, size) = match self.bytes_of(device) {
            Ok(source) => source,
            Err(error) => return done(Err(error)),
        };
        let (dtype, shape) = (device.dtype(), device.shape().clone());
        let fails = self.counters.fail_to_host.swap(false, Ordering::SeqCst);
        self.counters.to_host.fetch_add(1, Ordering::SeqCst);
        if self.counters.hangs.load(Ordering::SeqCst) {
            self.counters.kept.lock().unwrap().push(Box::new(done));
            return;
        }
        self.enqueue(move || {
            let bytes = bytes.lock().unwrap()[offset..][..size].to_vec();
            done(match fails {
                true => Err(Error::invalid_argument("the copy to the host broke")),
                false => Tensor::from_bytes(dtype, shape, &bytes),
            });
        });
    }

    fn copy_in_device(&self, source: &Tensor) -> Result<Tensor> {
        self.compute(&[source], source.shape().clone(), |inputs| inputs[0].clone())
    }

    fn copy_into(&self, source: &Tensor, target: &Tensor) -> Result<()> {
        let ((source, offset, size), (target, ..)) = (self.bytes_of(source)?, self.bytes_of(target)?);
        self.enqueue_or_record(move || {
            let bytes = source.lock().unwrap()[offset..][..size].to_vec();
            *target.lock().unwrap() = bytes;
        });
        Ok(())
    }

    fn records_work(&self) -> bool {
        self.counters.records.load(Ordering::SeqCst)
    }

    fn record(&self, work: &mut dyn FnMut() -> Result<()>) -> Result<Box<dyn RecordedWork>> {
        *self.recorded.lock().unwrap() = Some((current().id(), Vec::new()));
        let done = work();
        let recorded = self.recorded.lock().unwrap().take().map_or_else(Vec::new, |(_, recorded)| recorded);
        self.counters.recordings.fetch_add(1, Ordering::SeqCst);
        done.map(|()| {
            Box::new(Recorded { work: recorded, queue: self.queue.clone(), counters: self.counters.clone() }) as _
        })
    }

    fn synchronize(&self) -> Result<()> {
        let (sender, receiver) = channel();
        self.enqueue(move || sender.send(()).unwrap());
        receiver.recv().map_err(|_| Error::internal("the worker is gone"))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Device for FakeDevice {
    fn name(&self) -> &str {
        &self.name
    }

    fn device_type(&self) -> &'static str {
        FAKE
    }

    fn attributes(&self) -> DeviceAttributes {
        DeviceAttributes::new(&self.name, FAKE, 1 << 30)
    }

    fn env(&self) -> &dyn KernelEnv {
        &self.env
    }

    fn env_with_threads(&self, pool: &Arc<IntraOpPool>, threads: usize) -> Arc<dyn KernelEnv> {
        Arc::new(self.env.clone().with_pool(pool.clone(), threads))
    }

    fn context(&self) -> Option<&Arc<dyn DeviceContext>> {
        Some(&self.context)
    }

    fn allocator(&self) -> Option<&Arc<dyn Allocator>> {
        None
    }

    fn memory_statistics(&self) -> MemoryStatistics {
        MemoryStatistics::default()
    }
}
