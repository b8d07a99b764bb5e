//! What a device's vendor implements.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ptr::NonNull;

use oplink_api::Result;

use super::values::{
    AllocatorStatistics, Description, EventStatus, Facts, HostCallback, HostSource, HostTarget, MemoryUsage, Pattern,
    Region,
};

/// A kind of device. There is one object of it from the host's `SE_InitPlugin` until it ends the platform and every
/// device of it is ended.
pub trait Platform: Sized + Send + Sync + 'static {
    /// Its devices.
    type Device: Device;

    /// Its name: a capital letter, then capital letters and underscores. It tells several platforms of one type apart.
    const NAME: &'static str;
    /// The device type by which programs ask for it and kernels are declared for it, as `GPU`: spelled as the name is.
    const TYPE: &'static str;
    /// Whether [`Device::allocate_unified`] gives memory that the host and all devices see.
    const UNIFIED_MEMORY: bool = false;
    /// Whether the host takes large blocks and divides them, which calls [`Device::allocate`] seldom and makes regions
    /// with offsets. Otherwise every tensor is an allocation, and `deallocate` is called while work may still use it.
    const HOST_DIVIDES_MEMORY: bool = true;
    /// Whether the host takes memory as it is needed, whatever the program asks, and not most of it at the start.
    const MEMORY_GROWS: bool = false;

    /// Opens it, once: a driver is loaded here. An error is a refusal that the host tells its program.
    ///
    /// # Errors
    /// The platform cannot be used here; the host tells its program why.
    fn open() -> Result<Self>;

    /// How many devices there are.
    ///
    /// # Errors
    /// The driver fails.
    fn num_devices(&self) -> Result<usize>;

    /// Opens a device.
    ///
    /// # Errors
    /// There is no such device, or it cannot be opened.
    fn device(&self, ordinal: usize) -> Result<Self::Device>;
}

/// A device: memory, and streams of work on it. Called from any thread, several at once.
///
/// Streams, events and timers are the vendor's own types. They end by being dropped, each before its device; what they
/// wait for then is theirs to say, but a dropped stream must have let go of the host's memory.
///
/// Work is put into a stream without waiting for it and done in the order in which it was put there. An error that is
/// known at once is returned; one that comes later is kept and told by [`stream_status`](Self::stream_status),
/// [`event_status`](Self::event_status) or the functions that wait.
///
/// # Safety
/// Hosts rely on these:
/// - [`HostSource`] and [`HostTarget`] are used only until the host learns that the copy is done: an event behind it is
///   [complete](EventStatus::Complete) or an error, a function that waits for it returned, its stream is dropped.
/// - [`allocate_host`](Self::allocate_host) and [`allocate_unified`](Self::allocate_unified) give memory of so many
///   bytes that nobody else uses until it is taken back.
pub unsafe trait Device: Sized + Send + Sync + 'static {
    /// A queue of work.
    type Stream: Send + Sync + 'static;
    /// A mark in a stream.
    type Event: Send + Sync + 'static;
    /// Measures the time between two points of a stream.
    type Timer: Send + Sync + 'static;

    /// What it is, for people.
    fn description(&self) -> Description {
        Description::default()
    }

    /// What is known of it.
    fn facts(&self) -> Facts {
        Facts::default()
    }

    /// Gives memory of so many bytes; `None` where there is not enough. Hosts divide it: the address is to be aligned
    /// for every element, 256 bytes for TensorFlow.
    fn allocate(&self, bytes: u64) -> Option<Region>;

    /// Takes back what `allocate` gave.
    fn deallocate(&self, region: Region);

    /// Gives memory of the host from which asynchronous copies are fast; `None` where there is not enough.
    fn allocate_host(&self, bytes: u64) -> Option<NonNull<u8>> {
        super::host_memory::allocate_host_memory(bytes)
    }

    /// Takes back what `allocate_host` gave.
    ///
    /// # Safety
    /// `allocate_host` of this device gave it, and it is taken back once.
    unsafe fn deallocate_host(&self, memory: NonNull<u8>) {
        // SAFETY: the caller's contract; this is the counterpart of the default above.
        unsafe { super::host_memory::deallocate_host_memory(memory) }
    }

    /// Gives memory that the host and all devices see; `None` where there is not enough, or none such.
    fn allocate_unified(&self, bytes: u64) -> Option<NonNull<u8>> {
        let _ = bytes;
        None
    }

    /// Takes back what `allocate_unified` gave.
    ///
    /// # Safety
    /// `allocate_unified` of this device gave it, and it is taken back once.
    unsafe fn deallocate_unified(&self, memory: NonNull<u8>) {
        let _ = memory;
    }

    /// What its allocator tells; `None` where it tells nothing.
    fn allocator_statistics(&self) -> Option<AllocatorStatistics> {
        None
    }

    /// How much memory there is; `None` where that is not known. TensorFlow needs it to limit what it takes.
    fn memory_usage(&self) -> Option<MemoryUsage>;

    /// Makes a stream.
    ///
    /// # Errors
    /// The driver fails.
    fn create_stream(&self) -> Result<Self::Stream>;

    /// Makes a stream wait for what `other` has been given so far.
    ///
    /// # Errors
    /// The driver refuses the work.
    fn wait_for_stream(&self, stream: &Self::Stream, other: &Self::Stream) -> Result<()>;

    /// Whether the stream's work failed, without waiting.
    ///
    /// # Errors
    /// That of the stream's work.
    fn stream_status(&self, stream: &Self::Stream) -> Result<()>;

    /// Makes an event.
    ///
    /// # Errors
    /// The driver fails.
    fn create_event(&self) -> Result<Self::Event>;

    /// How far the event is, without waiting.
    fn event_status(&self, event: &Self::Event) -> EventStatus;

    /// Puts the event behind what the stream has been given so far. An event that is recorded again is pending again.
    ///
    /// # Errors
    /// The driver refuses the work.
    fn record_event(&self, stream: &Self::Stream, event: &Self::Event) -> Result<()>;

    /// Makes a stream wait for where the event was recorded last; not at all for one that never was.
    ///
    /// # Errors
    /// The driver refuses the work.
    fn wait_for_event(&self, stream: &Self::Stream, event: &Self::Event) -> Result<()>;

    /// Waits for where the event was recorded last. An error is one of the work before it.
    ///
    /// # Errors
    /// That of the work before the event.
    fn block_for_event(&self, event: &Self::Event) -> Result<()>;

    /// Makes a timer.
    ///
    /// # Errors
    /// The driver fails.
    fn create_timer(&self) -> Result<Self::Timer>;

    /// Starts the timer when the stream gets there.
    ///
    /// # Errors
    /// The driver refuses the work.
    fn start_timer(&self, stream: &Self::Stream, timer: &Self::Timer) -> Result<()>;

    /// Stops the timer when the stream gets there.
    ///
    /// # Errors
    /// The driver refuses the work.
    fn stop_timer(&self, stream: &Self::Stream, timer: &Self::Timer) -> Result<()>;

    /// From start to stop; 0 where it has not been stopped.
    fn nanoseconds(&self, timer: &Self::Timer) -> u64;

    /// Copies to the host, in a stream. The target is as long as the source.
    ///
    /// # Errors
    /// The driver refuses the copy.
    fn copy_to_host(&self, stream: &Self::Stream, target: HostTarget, source: Region) -> Result<()>;

    /// Copies from the host, in a stream. The target is as long as the source.
    ///
    /// # Errors
    /// The driver refuses the copy.
    fn copy_to_device(&self, stream: &Self::Stream, target: Region, source: HostSource) -> Result<()>;

    /// Copies within the device, in a stream. The target is as long as the source. TensorFlow calls it for copies
    /// between devices of one platform too: then one of the regions lies in the other device's memory.
    ///
    /// # Errors
    /// The driver refuses the copy.
    fn copy_in_device(&self, stream: &Self::Stream, target: Region, source: Region) -> Result<()>;

    /// Fills memory, in a stream.
    ///
    /// # Errors
    /// The driver refuses the work.
    fn fill(&self, stream: &Self::Stream, target: Region, pattern: Pattern) -> Result<()>;

    /// Copies to the host, done on return.
    ///
    /// # Errors
    /// The copy fails.
    fn copy_to_host_now(&self, target: HostTarget, source: Region) -> Result<()> {
        self.on_new_stream(|stream| self.copy_to_host(stream, target, source))
    }

    /// Copies from the host, done on return.
    ///
    /// # Errors
    /// The copy fails.
    fn copy_to_device_now(&self, target: Region, source: HostSource) -> Result<()> {
        self.on_new_stream(|stream| self.copy_to_device(stream, target, source))
    }

    /// Copies within the device, done on return.
    ///
    /// # Errors
    /// The copy fails.
    fn copy_in_device_now(&self, target: Region, source: Region) -> Result<()> {
        self.on_new_stream(|stream| self.copy_in_device(stream, target, source))
    }

    /// Puts work into a stream of its own and waits for it.
    ///
    /// # Errors
    /// No stream can be made, or the work fails.
    fn on_new_stream(&self, work: impl FnOnce(&Self::Stream) -> Result<()>) -> Result<()> {
        let stream = self.create_stream()?;
        work(&stream)?;
        self.block_until_done(&stream)
    }

    /// Waits for what the stream has been given so far. An error is one of its work.
    ///
    /// # Errors
    /// That of the stream's work.
    fn block_until_done(&self, stream: &Self::Stream) -> Result<()>;

    /// Waits for what all streams of the device have been given so far. An error is one of their work.
    ///
    /// # Errors
    /// That of the device's work.
    fn synchronize(&self) -> Result<()>;

    /// Calls the host when the stream gets there.
    ///
    /// # Errors
    /// The driver refuses the work.
    fn call_back(&self, stream: &Self::Stream, callback: HostCallback) -> Result<()>;
}

/// Whether hosts take this for the name of a platform or a device type.
pub const fn is_name(name: &str) -> bool {
    let bytes = name.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !(bytes[at].is_ascii_uppercase() || at > 0 && bytes[at] == b'_') {
            return false;
        }
        at += 1;
    }
    at > 0
}

#[cfg(test)]
mod tests {
    use super::is_name;

    #[test]
    fn names_are_those_that_tensorflow_takes() {
        assert!(["A", "SIM", "ACME_CHIP", "X_"].into_iter().all(is_name));
        assert!(!["", "_A", "Sim", "GPU0", "A-B", "A B", "Ä"].into_iter().any(is_name));
    }
}
