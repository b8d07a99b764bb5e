//! Memory of handles to tensors: each thread keeps some for the next ones, since a kernel's call makes and frees several.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::cell::RefCell;
use std::mem::MaybeUninit;

use oplink_api::Tensor;

/// Handles whose memory a thread keeps.
const KEPT: usize = 32;

type Place = Box<MaybeUninit<Tensor>>;

thread_local! {
    static FREE: RefCell<Vec<Place>> = const { RefCell::new(Vec::new()) };
}

/// A tensor at an address of its own.
#[inline]
pub(crate) fn make(tensor: Tensor) -> *mut Tensor {
    let kept = FREE.try_with(|free| free.borrow_mut().pop()).ok().flatten();
    let mut place = kept.unwrap_or_else(Box::new_uninit);
    place.write(tensor);
    Box::into_raw(place).cast()
}

/// Drops a tensor and keeps its memory, or frees it where enough is kept.
///
/// # Safety
/// [`make`] made it, and nobody uses it any more.
#[inline]
pub(crate) unsafe fn free(tensor: *mut Tensor) {
    // SAFETY: `make` wrote a tensor there; the place is a box of the same layout.
    let place: Place = unsafe {
        tensor.drop_in_place();
        Box::from_raw(tensor.cast())
    };
    let _ = FREE.try_with(move |free| {
        let mut free = free.borrow_mut();
        if free.len() < KEPT {
            free.push(place);
        }
    });
}
