//! Loops on PyTorch's threads.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::any::Any;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr;
use std::sync::{Mutex, PoisonError};

use crate::functions::Torch;

/// A loop's body, and the first panic in it.
struct Loop<'a> {
    body: &'a (dyn Fn(std::ops::Range<usize>) + Sync),
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

/// Runs `body` on ranges that cover `0..count`; returns when all are done.
pub(crate) fn parallel_for(torch: &Torch, count: usize, grain: usize, body: &(dyn Fn(std::ops::Range<usize>) + Sync)) {
    let of_loop = Loop { body, panic: Mutex::new(None) };
    let (count_c, grain_c) = (count as i64, grain.max(1) as i64);
    let data = (&raw const of_loop).cast::<c_void>().cast_mut();
    // SAFETY: `run` takes the loop, which outlives the call; libtorch calls it on ranges of `0..count`.
    let code = unsafe { (torch.torch_parallel_for)(0, count_c, grain_c, run, data) };
    if let Some(panic) = of_loop.panic.into_inner().unwrap_or_else(PoisonError::into_inner) {
        resume_unwind(panic);
    }
    assert!(code == 0, "PyTorch refused a parallel loop");
}

/// # Safety
/// `data` is a [`Loop`].
unsafe extern "C" fn run(begin: i64, end: i64, data: *mut c_void) {
    // SAFETY: the Safety section.
    let of_loop = unsafe { &*data.cast::<Loop<'_>>() };
    let range = usize::try_from(begin).unwrap_or(0)..usize::try_from(end).unwrap_or(0);
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| (of_loop.body)(range))) {
        of_loop.panic.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(panic);
    }
}

/// The threads that loops may use.
pub(crate) fn threads(torch: &Torch) -> usize {
    let mut count = 0;
    // SAFETY: the place is written to.
    let code = unsafe { (torch.torch_get_num_threads)(ptr::from_mut(&mut count)) };
    if code == 0 { (count as usize).max(1) } else { 1 }
}
