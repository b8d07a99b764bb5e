//! Host memory that a device's functions give.
#![allow(unsafe_code, reason = "room: the contract of raw host memory")]

use std::alloc::Layout;
use std::collections::BTreeMap;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex};

use oplink_api::tensor::{ALIGNMENT, Allocator};
use oplink_api::{DType, Shape, Tensor};
use oplink_core::memory::{HostAllocator, RawHostMemory};

/// Lengths of what is held by address; it gives at most so many bytes.
struct Pages {
    held: Mutex<BTreeMap<usize, usize>>,
    most: usize,
}

impl Pages {
    fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { held: Mutex::default(), most })
    }

    fn has(&self, address: usize) -> bool {
        self.held.lock().unwrap().iter().any(|(start, len)| (*start..start + len).contains(&address))
    }
}

fn layout(bytes: usize) -> Layout {
    Layout::from_size_align(bytes, ALIGNMENT).unwrap()
}

// SAFETY: memory of the system with this layout, freed once.
unsafe impl RawHostMemory for Pages {
    fn allocate(&self, bytes: usize) -> Option<NonNull<u8>> {
        if self.held.lock().unwrap().values().sum::<usize>() + bytes > self.most {
            return None;
        }
        // SAFETY: the length is not 0.
        let start = NonNull::new(unsafe { std::alloc::alloc(layout(bytes)) })?;
        // SAFETY: the memory has this length.
        unsafe { start.write_bytes(0xcd, bytes) }
        self.held.lock().unwrap().insert(start.addr().get(), bytes);
        Some(start)
    }

    unsafe fn free(&self, ptr: NonNull<u8>, bytes: usize) {
        assert_eq!(self.held.lock().unwrap().remove(&ptr.addr().get()), Some(bytes));
        // SAFETY: made with this layout.
        unsafe { std::alloc::dealloc(ptr.as_ptr(), layout(bytes)) }
    }
}

fn tensor(allocator: &Arc<dyn Allocator>, bytes: usize) -> Tensor {
    Tensor::allocate(DType::UInt8, Shape::from([bytes]), Some(allocator)).unwrap()
}

#[test]
fn tensors_of_every_size_lie_in_the_devices_host_memory() {
    let pages = Pages::new(usize::MAX);
    let host = Arc::new(HostAllocator::of_raw("pinned", pages.clone()));
    let allocator: Arc<dyn Allocator> = host.clone();
    let tensors: Vec<Tensor> = [65, 1000, 100_000, 3 << 20].iter().map(|bytes| tensor(&allocator, *bytes)).collect();
    for tensor in &tensors {
        assert!(pages.has(tensor.as_ptr().addr()));
        assert_eq!(tensor.as_ptr().addr() % ALIGNMENT, 0);
        assert!(tensor.as_slice::<u8>().unwrap().iter().all(|byte| *byte == 0));
    }
    drop(tensors);
    assert_eq!(host.statistics().in_use, 0);
    let again = [65, 1000].map(|bytes| tensor(&allocator, bytes));
    assert!(again.iter().all(|tensor| pages.has(tensor.as_ptr().addr())));
    drop(again);
    host.release_unused();
    assert!(pages.held.lock().unwrap().is_empty());
}

#[test]
fn a_device_with_little_host_memory_is_asked_for_no_more_than_needed() {
    let pages = Pages::new(100 << 10);
    let allocator: Arc<dyn Allocator> = Arc::new(HostAllocator::of_raw("pinned", pages.clone()));
    let served = tensor(&allocator, 64 << 10);
    assert!(pages.has(served.as_ptr().addr()));
    let error = Tensor::allocate(DType::UInt8, Shape::from([64 << 10]), Some(&allocator)).unwrap_err();
    assert_eq!(error.kind(), oplink_api::ErrorKind::Resource);
}
