//! Memory that calls ask for.
#![allow(unsafe_code, reason = "counts what the allocator is asked for")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use crate::frame::{Frame, Value};
use crate::ops::handler_of;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: blocks are those of the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the layout and the block are those of the caller, whose contract is the system allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the layout and the block are those of the caller, whose contract is the system allocator's.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn allocations(body: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.get();
    body();
    ALLOCATIONS.get() - before
}

#[test]
fn a_call_like_an_earlier_one_allocates_nothing() {
    let mut frames = [
        (handler_of("JaxAdd"), Frame::new(&[&[4], &[4]], &[&[4]], &[])),
        (handler_of("JaxAdd"), Frame::new(&[&[2, 3], &[2, 3]], &[&[2, 3]], &[])),
        (handler_of("JaxScale"), Frame::new(&[&[4]], &[&[4]], &[("scale", Value::Float(3.0))])),
        (handler_of("JaxScale"), Frame::new(&[&[4]], &[&[4]], &[("mode", Value::Text("twice"))])),
    ];
    let mut round = || frames.iter_mut().for_each(|(handler, frame)| frame.call(*handler).unwrap());
    assert!(allocations(&mut round) > 0, "the first calls prepare kernels");
    round();
    assert_eq!(allocations(&mut round), 0);
}
