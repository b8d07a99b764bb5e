//! The platform and its devices, as the kit wants them.
#![allow(unsafe_code, reason = "room: what a device promises of the host's memory")]

use std::ptr::NonNull;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use oplink::device::{
    AllocatorStatistics, Description, Device, EventStatus, Facts, HostCallback, HostSource, HostTarget, MemoryUsage,
    Pattern, Platform, Region,
};
use oplink::{Error, Result};

use crate::counters::{COUNTERS, Counters, MOST_DEVICES, add, subtract};
use crate::event::{Event, Timer};
use crate::faults::{self, Fault, check, panic_if_strikes, strikes};
use crate::memory::Memory;
use crate::settings::Settings;
use crate::stream::{Progress, Stream};

/// The platform.
pub(crate) struct SimPlatform {
    settings: Settings,
}

impl Platform for SimPlatform {
    type Device = SimDevice;
    const NAME: &'static str = "OPLINK_SIM";
    const TYPE: &'static str = "SIM";
    const MEMORY_GROWS: bool = true;

    fn open() -> Result<Self> {
        faults::read_environment()?;
        check(Fault::OpenFails, 0)?;
        let settings = Settings::read()?;
        if settings.devices > MOST_DEVICES {
            return Err(Error::invalid_argument(format!("OPLINK_SIM_DEVICES is more than {MOST_DEVICES}")));
        }
        Ok(Self { settings })
    }

    fn num_devices(&self) -> Result<usize> {
        check(Fault::DeviceCountFails, 0)?;
        Ok(self.settings.devices)
    }

    fn device(&self, ordinal: usize) -> Result<SimDevice> {
        check(Fault::CreateDeviceFails, ordinal)?;
        let counters = &COUNTERS[ordinal];
        let memory = Memory::new(self.settings.memory, counters)?;
        add(&counters.devices_live);
        Ok(SimDevice { ordinal, settings: self.settings, memory, counters, streams: Mutex::default() })
    }
}

/// A device.
pub(crate) struct SimDevice {
    ordinal: usize,
    settings: Settings,
    memory: Arc<Memory>,
    counters: &'static Counters,
    streams: Mutex<Vec<Weak<Progress>>>,
}

impl SimDevice {
    /// Puts work that uses the memory into a stream, unless a fault refuses it; another fault makes it fail.
    fn put(
        &self,
        stream: &Stream,
        (refused, fails): (Fault, Fault),
        work: impl FnOnce(&Memory) -> Result<()> + Send + 'static,
    ) -> Result<()> {
        check(refused, self.ordinal)?;
        let (memory, ordinal) = (self.memory.clone(), self.ordinal);
        stream.put(move || check(fails, ordinal).and_then(|()| work(&memory)))
    }

    /// The memory.
    pub(crate) fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Puts a kernel's work into a stream.
    pub(crate) fn launch(
        &self,
        stream: &Stream,
        work: impl FnOnce(&Memory) -> Result<()> + Send + 'static,
    ) -> Result<()> {
        add(&self.counters.kernels);
        let ordinal = self.ordinal;
        self.put(stream, (Fault::KernelRefused, Fault::KernelFails), move |memory| {
            panic_if_strikes(Fault::KernelPanics, ordinal, || {
                format!("fault KernelPanics on the simulated device {ordinal}")
            });
            work(memory)
        })
    }
}

impl Drop for SimDevice {
    fn drop(&mut self) {
        subtract(&self.counters.devices_live);
    }
}

// SAFETY: work on the host's memory owns it and is dropped before the stream's thread counts it as done; a stream that
// is dropped ends its thread first.
unsafe impl Device for SimDevice {
    type Stream = Stream;
    type Event = Event;
    type Timer = Timer;

    fn description(&self) -> Description {
        let name = format!("simulated accelerator {}", self.ordinal);
        Description { hardware_name: Some(name), vendor: Some("oplink".to_owned()), pci_bus_id: None }
    }

    fn facts(&self) -> Facts {
        Facts { numa_node: Some(0), memory_bandwidth: Some(1 << 30), gflops: Some(1.0) }
    }

    fn allocate(&self, bytes: u64) -> Option<Region> {
        panic_if_strikes(Fault::AllocationPanics, self.ordinal, || "fault AllocationPanics".to_owned());
        if strikes(Fault::AllocationFails, self.ordinal) {
            return None;
        }
        let region = self.memory.allocate(usize::try_from(bytes).ok()?)?;
        add(&self.counters.allocations);
        add(&self.counters.allocations_live);
        self.counters.bytes_live.fetch_add(bytes, std::sync::atomic::Ordering::SeqCst);
        Some(region)
    }

    fn deallocate(&self, region: Region) {
        if self.memory.deallocate(region) {
            subtract(&self.counters.allocations_live);
            self.counters.bytes_live.fetch_sub(region.bytes, std::sync::atomic::Ordering::SeqCst);
        }
    }

    fn allocate_host(&self, bytes: u64) -> Option<NonNull<u8>> {
        if strikes(Fault::HostAllocationFails, self.ordinal) {
            return None;
        }
        let memory = oplink::device::allocate_host_memory(bytes)?;
        add(&self.counters.host_allocations_live);
        Some(memory)
    }

    unsafe fn deallocate_host(&self, memory: NonNull<u8>) {
        subtract(&self.counters.host_allocations_live);
        // SAFETY: `allocate_host` gave it.
        unsafe { oplink::device::deallocate_host_memory(memory) }
    }

    fn allocator_statistics(&self) -> Option<AllocatorStatistics> {
        Some(self.memory.statistics())
    }

    fn memory_usage(&self) -> Option<MemoryUsage> {
        (!strikes(Fault::MemoryUsageUnknown, self.ordinal)).then(|| self.memory.usage())
    }

    fn create_stream(&self) -> Result<Stream> {
        check(Fault::CreateStreamFails, self.ordinal)?;
        let stream = Stream::new(self.ordinal, &self.settings, self.counters)?;
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        streams.retain(|stream| stream.strong_count() > 0);
        streams.push(Arc::downgrade(&stream.progress));
        Ok(stream)
    }

    fn wait_for_stream(&self, stream: &Stream, other: &Stream) -> Result<()> {
        check(Fault::StreamDependencyFails, self.ordinal)?;
        add(&self.counters.events_live);
        let event = Event::new(self.settings.timeout, self.counters);
        event.record(other)?;
        event.hold_back(stream)
    }

    fn stream_status(&self, stream: &Stream) -> Result<()> {
        check(Fault::StreamStatusFails, self.ordinal)?;
        stream.progress.take_error()
    }

    fn create_event(&self) -> Result<Event> {
        check(Fault::CreateEventFails, self.ordinal)?;
        add(&self.counters.events);
        add(&self.counters.events_live);
        Ok(Event::new(self.settings.timeout, self.counters))
    }

    fn event_status(&self, event: &Event) -> EventStatus {
        let fault = |fault| strikes(fault, self.ordinal);
        match () {
            () if fault(Fault::EventStatusError) => EventStatus::Error,
            () if fault(Fault::EventStatusUnknown) => EventStatus::Unknown,
            () if fault(Fault::EventStaysPending) => EventStatus::Pending,
            () => event.status(),
        }
    }

    fn record_event(&self, stream: &Stream, event: &Event) -> Result<()> {
        check(Fault::RecordEventFails, self.ordinal)?;
        add(&self.counters.events_recorded);
        event.record(stream)
    }

    fn wait_for_event(&self, stream: &Stream, event: &Event) -> Result<()> {
        check(Fault::WaitForEventFails, self.ordinal)?;
        event.hold_back(stream)
    }

    fn block_for_event(&self, event: &Event) -> Result<()> {
        check(Fault::BlockForEventFails, self.ordinal)?;
        event.wait()
    }

    fn create_timer(&self) -> Result<Timer> {
        check(Fault::CreateTimerFails, self.ordinal)?;
        add(&self.counters.timers_live);
        Ok(Timer::new(self.counters))
    }

    fn start_timer(&self, stream: &Stream, timer: &Timer) -> Result<()> {
        check(Fault::StartTimerFails, self.ordinal)?;
        timer.start(stream)
    }

    fn stop_timer(&self, stream: &Stream, timer: &Timer) -> Result<()> {
        check(Fault::StopTimerFails, self.ordinal)?;
        timer.stop(stream)
    }

    fn nanoseconds(&self, timer: &Timer) -> u64 {
        timer.nanoseconds()
    }

    fn copy_to_host(&self, stream: &Stream, mut target: HostTarget, source: Region) -> Result<()> {
        panic_if_strikes(Fault::CopyToHostPanics, self.ordinal, || "fault CopyToHostPanics".to_owned());
        add(&self.counters.copies_to_host);
        self.put(stream, (Fault::CopyToHostRefused, Fault::CopyToHostFails), move |memory| {
            target.write(&memory.bytes(source)?);
            Ok(())
        })
    }

    fn copy_to_device(&self, stream: &Stream, target: Region, source: HostSource) -> Result<()> {
        add(&self.counters.copies_to_device);
        let faults = (Fault::CopyToDeviceRefused, Fault::CopyToDeviceFails);
        self.put(stream, faults, move |memory| memory.set_bytes(target, source.bytes()))
    }

    fn copy_in_device(&self, stream: &Stream, target: Region, source: Region) -> Result<()> {
        add(&self.counters.copies_in_device);
        let faults = (Fault::CopyInDeviceRefused, Fault::CopyInDeviceFails);
        let (from, to) = (self.memory.of(source), self.memory.of(target));
        self.put(stream, faults, move |_| to.set_bytes(target, &from.bytes(source)?))
    }

    fn fill(&self, stream: &Stream, target: Region, pattern: Pattern) -> Result<()> {
        add(&self.counters.fills);
        let pattern = match pattern {
            Pattern::Byte(byte) => vec![byte],
            Pattern::Word(word) => word.to_ne_bytes().to_vec(),
        };
        self.put(stream, (Fault::FillRefused, Fault::FillFails), move |memory| {
            let bytes: Vec<u8> = pattern.iter().copied().cycle().take(target.bytes as usize).collect();
            memory.set_bytes(target, &bytes)
        })
    }

    fn block_until_done(&self, stream: &Stream) -> Result<()> {
        check(Fault::BlockUntilDoneFails, self.ordinal)?;
        stream.progress.wait()
    }

    fn synchronize(&self) -> Result<()> {
        add(&self.counters.synchronizations);
        check(Fault::SynchronizeFails, self.ordinal)?;
        let streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner).clone();
        streams.iter().filter_map(Weak::upgrade).map(|stream| stream.wait()).fold(Ok(()), Result::and)
    }

    fn call_back(&self, stream: &Stream, callback: HostCallback) -> Result<()> {
        check(Fault::CallbackRefused, self.ordinal)?;
        add(&self.counters.callbacks);
        stream.put(move || callback.call())
    }
}
