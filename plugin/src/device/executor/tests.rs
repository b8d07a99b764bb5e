//! What the host's calls make of the vendor's, by a platform that writes down what it is told.

use std::any::Any;
use std::ffi::c_void;
use std::ptr;
use std::sync::{Arc, Mutex};

use oplink_abi::{SP_Device, SP_DeviceMemoryBase, SP_Stream};
use oplink_api::device::DeviceContext;
use oplink_api::{DType, Error, Result, Shape, Tensor};

use super::{copies, streams};
use crate::device::handles::{DeviceHandle, PlatformHandle};
use crate::device::kernel_streams::KernelStreams;
use crate::device::{
    Device, EventStatus, HostCallback, HostSource, HostTarget, KernelStream, MemoryUsage, Pattern, Platform, Region,
};

struct Scribes;

/// Streams are numbers.
#[derive(Default)]
struct Scribe {
    streams: Mutex<usize>,
    written: Mutex<Vec<String>>,
    refuses_to_wait: bool,
}

impl Platform for Scribes {
    type Device = Scribe;
    const NAME: &'static str = "SCRIBES";
    const TYPE: &'static str = "SCRIBE";

    fn open() -> Result<Self> {
        Ok(Self)
    }

    fn num_devices(&self) -> Result<usize> {
        Ok(1)
    }

    fn device(&self, _: usize) -> Result<Scribe> {
        Ok(Scribe::default())
    }
}

impl Scribe {
    fn write(&self, line: String) -> Result<()> {
        self.written.lock().unwrap().push(line);
        Ok(())
    }
}

// SAFETY: copies use no memory of the host.
#[rustfmt::skip]
unsafe impl Device for Scribe {
    type Stream = usize;
    type Event = ();
    type Timer = ();

    fn create_stream(&self) -> Result<usize> {
        let mut streams = self.streams.lock().unwrap();
        *streams += 1;
        Ok(*streams)
    }

    fn wait_for_stream(&self, stream: &usize, other: &usize) -> Result<()> {
        if self.refuses_to_wait {
            return Err(Error::internal("no waiting"));
        }
        self.write(format!("{stream} waits for {other}"))
    }

    fn copy_to_device(&self, stream: &usize, _: Region, _: HostSource) -> Result<()> {
        self.write(format!("copy in {stream}"))
    }

    fn allocate(&self, _: u64) -> Option<Region> { None }
    fn deallocate(&self, _: Region) {}
    fn memory_usage(&self) -> Option<MemoryUsage> { None }
    fn stream_status(&self, _: &usize) -> Result<()> { Ok(()) }
    fn create_event(&self) -> Result<()> { Ok(()) }
    fn event_status(&self, (): &()) -> EventStatus { EventStatus::Complete }
    fn record_event(&self, _: &usize, (): &()) -> Result<()> { Ok(()) }
    fn wait_for_event(&self, _: &usize, (): &()) -> Result<()> { Ok(()) }
    fn block_for_event(&self, (): &()) -> Result<()> { Ok(()) }
    fn create_timer(&self) -> Result<()> { Ok(()) }
    fn start_timer(&self, _: &usize, (): &()) -> Result<()> { Ok(()) }
    fn stop_timer(&self, _: &usize, (): &()) -> Result<()> { Ok(()) }
    fn nanoseconds(&self, (): &()) -> u64 { 0 }
    fn copy_to_host(&self, _: &usize, _: HostTarget, _: Region) -> Result<()> { Ok(()) }
    fn copy_in_device(&self, _: &usize, _: Region, _: Region) -> Result<()> { Ok(()) }
    fn fill(&self, _: &usize, _: Region, _: Pattern) -> Result<()> { Ok(()) }
    fn block_until_done(&self, _: &usize) -> Result<()> { Ok(()) }
    fn synchronize(&self) -> Result<()> { Ok(()) }
    fn call_back(&self, _: &usize, callback: HostCallback) -> Result<()> { callback.call() }
}

/// A kernel's view of the device.
struct Context(SP_Stream);

// SAFETY: nobody reads behind the handle.
unsafe impl Send for Context {}
// SAFETY: nobody reads behind the handle, from whatever thread.
unsafe impl Sync for Context {}

impl DeviceContext for Context {
    fn device(&self) -> &'static str {
        "/device:SCRIBE:0"
    }

    fn stream(&self) -> *mut c_void {
        self.0.cast()
    }

    fn allocate(&self, _: DType, _: Shape) -> Result<Tensor> {
        Err(Error::unimplemented("no memory"))
    }

    fn copy_to_device(&self, _: &Tensor) -> Result<Tensor> {
        Err(Error::unimplemented("no copies"))
    }

    fn copy_to_host(&self, _: &Tensor, done: Box<dyn FnOnce(Result<Tensor>) + Send>) {
        done(Err(Error::unimplemented("no copies")));
    }

    fn copy_in_device(&self, _: &Tensor) -> Result<Tensor> {
        Err(Error::unimplemented("no copies"))
    }

    fn synchronize(&self) -> Result<()> {
        Ok(())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// The host's side of a device.
struct Host {
    handle: Arc<DeviceHandle<Scribes>>,
    device: SP_Device,
}

impl Host {
    fn new(device: Scribe) -> Self {
        let handle = Arc::new(DeviceHandle {
            device,
            hardware_name: None,
            vendor: None,
            pci_bus_id: None,
            kernel_streams: KernelStreams::new(),
            platform: Arc::new(PlatformHandle::new(Scribes)),
        });
        let device = SP_Device { device_handle: Arc::as_ptr(&handle).cast_mut().cast(), ..SP_Device::EMPTY };
        Self { handle, device }
    }

    fn stream(&self) -> SP_Stream {
        let mut stream = ptr::null_mut();
        // SAFETY: the device and the place are alive; there is no status.
        unsafe { streams::create_stream::<Scribes>(&raw const self.device, &raw mut stream, ptr::null_mut()) };
        stream
    }

    /// What the device is told of a copy.
    fn copy(&self, stream: SP_Stream) -> Vec<String> {
        let (values, opaque) = ([0u8; 4], ptr::without_provenance_mut(4096));
        let mut memory = SP_DeviceMemoryBase { opaque, size: 4, ..SP_DeviceMemoryBase::EMPTY };
        let (device, to, from) = (&raw const self.device, &raw mut memory, (&raw const values).cast());
        // SAFETY: the device, the stream and both memories are alive; there is no status.
        unsafe { copies::memcpy_htod::<Scribes>(device, stream, to, from, 4, ptr::null_mut()) };
        std::mem::take(&mut self.handle.device.written.lock().unwrap())
    }

    fn end(&self, stream: SP_Stream) {
        // SAFETY: a stream of the device, which is ended once.
        unsafe { streams::destroy_stream::<Scribes>(&raw const self.device, stream) };
    }
}

/// What a kernel does first.
fn run_kernel(stream: SP_Stream) {
    KernelStream::<Scribes>::of_device(&Context(stream)).expect("a stream of the platform");
}

#[test]
fn a_copy_from_the_host_waits_for_the_kernels_of_other_streams() {
    let host = Host::new(Scribe::default());
    let (compute, copies, other) = (host.stream(), host.stream(), host.stream());
    assert_eq!(host.copy(copies), ["copy in 2"]);
    for _ in 0..3 {
        run_kernel(compute);
    }
    assert_eq!(host.copy(copies), ["2 waits for 1", "copy in 2"]);
    assert_eq!(host.copy(compute), ["copy in 1"]);
    run_kernel(other);
    assert_eq!(host.copy(copies), ["2 waits for 1", "2 waits for 3", "copy in 2"]);
    host.end(compute);
    assert_eq!(host.copy(copies), ["2 waits for 3", "copy in 2"]);
    host.end(copies);
    host.end(other);
}

#[test]
fn a_copy_that_cannot_wait_is_refused() {
    let host = Host::new(Scribe { refuses_to_wait: true, ..Scribe::default() });
    let (compute, copies) = (host.stream(), host.stream());
    run_kernel(compute);
    assert!(host.copy(copies).is_empty());
    host.end(compute);
    host.end(copies);
}
