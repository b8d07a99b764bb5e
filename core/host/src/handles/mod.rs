//! Handles to tensors: owned by the client, or lent for a run.
//!
//! A lent handle shares the tensor of a run's slot without counting a reference: most kernels delete their handles
//! before they return. What is left then becomes the client's own. A call makes several handles: their memory is kept
//! for the next.
#![allow(unsafe_code, reason = "room: the C ABI")]

mod memory;
#[cfg(test)]
mod tests;

use std::cell::Cell;
use std::mem::{MaybeUninit, forget};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicU8, Ordering};

use oplink_api::Tensor;
use smallvec::SmallVec;

use memory::Blocks;

/// The client's: the handle holds a reference, and its memory goes with it.
const OWNED: u8 = 0;
/// The tensor is a slot's, which holds the reference; the memory is the run's.
const LENT: u8 = 1;
/// The handle holds a reference; the memory is the run's still.
const HOLDING: u8 = 2;
/// Deleted; the memory is the run's still.
const DELETED: u8 = 3;

/// Where a handle points. The tensor comes first: a handle is a pointer to one.
#[repr(C)]
struct Place {
    tensor: MaybeUninit<Tensor>,
    state: AtomicU8,
    /// The run that lends it.
    run: *const (),
}

thread_local! {
    /// The innermost run of this thread.
    static RUN: Cell<*const ()> = const { Cell::new(ptr::null()) };
}

/// A handle of the client's own.
#[inline]
pub(crate) fn make(tensor: Tensor) -> *mut Tensor {
    let place = memory::take();
    // SAFETY: the block is this handle's.
    unsafe { place.write(Place { tensor: MaybeUninit::new(tensor), state: AtomicU8::new(OWNED), run: ptr::null() }) }
    place.as_ptr().cast()
}

/// Deletes a handle.
///
/// # Safety
/// [`make`] or [`Lender::lend`] made it, and nobody uses it any more.
#[inline]
pub(crate) unsafe fn free(handle: *mut Tensor) {
    // SAFETY: not null and alive, by contract.
    let place = unsafe { NonNull::new_unchecked(handle.cast::<Place>()) };
    // SAFETY: the handle is alive (Safety section), and points to a `Place`.
    let of = unsafe { place.as_ref() };
    let state = of.state.load(Ordering::Relaxed);
    if state == LENT && of.run == RUN.get() {
        // The run goes on, on this very thread: it sees this when it ends.
        of.state.store(DELETED, Ordering::Relaxed);
        return;
    }
    // SAFETY: nobody uses the handle any more (Safety section).
    unsafe { free_anywhere(place, state) }
}

/// As [`free`]; the run, where there is one, may end meanwhile on another thread.
///
/// # Safety
/// As [`free`].
unsafe fn free_anywhere(place: NonNull<Place>, mut state: u8) {
    // SAFETY: alive, by contract.
    let of = unsafe { place.as_ref() };
    // SAFETY: readable, as above. Dropped below where the handle holds a reference.
    let held = unsafe { ptr::from_ref(&of.tensor).read() };
    while state != OWNED {
        match of.state.compare_exchange(state, DELETED, Ordering::AcqRel, Ordering::Acquire) {
            // The run releases the memory, and may have done so by now.
            Ok(LENT) => return,
            Ok(_) => break,
            Err(now) => state = now,
        }
    }
    // SAFETY: the handle held a reference of its own; the memory of an owned one is nobody else's.
    unsafe {
        if state == OWNED {
            memory::give(place);
        }
        drop(held.assume_init());
    }
}

/// Makes a handle hold another tensor.
///
/// # Safety
/// The handle is alive, and nobody else uses it meanwhile.
pub(crate) unsafe fn replace(handle: *mut Tensor, tensor: Tensor) {
    // SAFETY: the handle is alive and used by nobody else (Safety section), and points to a `Place`.
    let of = unsafe { &mut *handle.cast::<Place>() };
    let held = std::mem::replace(&mut of.tensor, MaybeUninit::new(tensor));
    let lent = *of.state.get_mut() == LENT;
    if lent {
        *of.state.get_mut() = HOLDING;
    } else {
        // SAFETY: the handle held a reference of its own.
        drop(unsafe { held.assume_init() });
    }
}

/// Whether a handle holds a reference of its own.
///
/// # Safety
/// The handle is alive.
pub(crate) unsafe fn is_holding(handle: *const Tensor) -> bool {
    // SAFETY: the handle is alive (Safety section), and points to a `Place`.
    unsafe { (*handle.cast::<Place>()).state.load(Ordering::Acquire) != LENT }
}

/// The handles that a run lends.
pub(crate) struct Lender {
    lent: SmallVec<[NonNull<Place>; 4]>,
    memory: Blocks,
}

impl Lender {
    #[inline]
    pub(crate) fn new() -> Self {
        Self { lent: SmallVec::new(), memory: Blocks::none() }
    }

    /// A handle to the tensor of a slot, which keeps it until the run ends or [`Lender::hold`] is called. `run` is what
    /// [`Running`] was begun with.
    #[inline]
    pub(crate) fn lend(&mut self, tensor: &Tensor, run: *const ()) -> *mut Tensor {
        let (start, dims) = (ptr::from_ref(tensor).addr(), tensor.shape().dims().as_ptr().addr());
        if !(start..start + size_of::<Tensor>()).contains(&dims) {
            return make(tensor.clone()); // the shape lies in a block of its own
        }
        // SAFETY: a copy that nobody drops while it is lent; the slot keeps the original alive.
        let copy = unsafe { ptr::from_ref(tensor).cast::<MaybeUninit<Tensor>>().read() };
        let place = self.memory.take();
        // SAFETY: the block is this handle's.
        unsafe { place.write(Place { tensor: copy, state: AtomicU8::new(LENT), run }) }
        self.lent.push(place);
        place.as_ptr().cast()
    }

    /// Whether a handle to this memory is in use.
    pub(crate) fn lends(&self, tensor: &Tensor) -> bool {
        self.lent.iter().any(|place| {
            // SAFETY: the run's memory, until the run ends; a lent tensor is alive in its slot.
            let of = unsafe { place.as_ref() };
            let state = of.state.load(Ordering::Acquire);
            // SAFETY: neither deleted, so that it is a tensor.
            state != DELETED && unsafe { of.tensor.assume_init_ref() }.shares_memory_with(tensor)
        })
    }

    /// Makes handles to the tensor of a slot hold a reference, before the slot gives it up.
    pub(crate) fn hold(&self, tensor: &Tensor) {
        for place in &self.lent {
            // SAFETY: the block is the run's until the run ends.
            let of = unsafe { place.as_ref() };
            // SAFETY: called where the state is lent, so that the slot's tensor is alive.
            let shares = || unsafe { of.tensor.assume_init_ref() }.shares_memory_with(tensor);
            if of.state.load(Ordering::Acquire) == LENT && shares() {
                hold_as(*place, tensor, HOLDING);
            }
        }
    }

    /// Ends the lending: handles that are left become the client's.
    #[inline]
    pub(crate) fn end(&mut self) {
        for &place in &self.lent {
            // SAFETY: the run's memory until here.
            let of = unsafe { place.as_ref() };
            if of.state.load(Ordering::Acquire) != DELETED && give_up(place) {
                continue;
            }
            // SAFETY: deleted: nobody uses it, and what it held is gone.
            unsafe { self.memory.give(place) }
        }
        self.lent.clear();
    }
}

/// Makes a lent handle the client's; false where it was deleted meanwhile.
#[cold]
fn give_up(place: NonNull<Place>) -> bool {
    // SAFETY: the run's memory until it is given up.
    let of = unsafe { place.as_ref() };
    if of.state.load(Ordering::Acquire) == LENT {
        // SAFETY: lent, so that the slot's tensor is alive.
        let tensor = unsafe { of.tensor.assume_init_ref() };
        return hold_as(place, tensor, OWNED);
    }
    of.state.compare_exchange(HOLDING, OWNED, Ordering::AcqRel, Ordering::Acquire).is_ok()
}

/// Counts a reference for a lent handle; false where it was deleted meanwhile.
#[cold]
fn hold_as(place: NonNull<Place>, tensor: &Tensor, state: u8) -> bool {
    let reference = tensor.clone();
    // SAFETY: the run's memory until it is given up.
    let held =
        unsafe { place.as_ref() }.state.compare_exchange(LENT, state, Ordering::AcqRel, Ordering::Acquire).is_ok();
    if held {
        forget(reference); // the handle's copy is this reference from now on
    }
    held
}

/// Marks a run of this thread, from its begin to its drop.
pub(crate) struct Running(*const ());

impl Running {
    /// `run` is an address that no other run has meanwhile.
    #[inline]
    pub(crate) fn begin(run: *const ()) -> Self {
        Self(RUN.replace(run))
    }
}

impl Drop for Running {
    #[inline]
    fn drop(&mut self) {
        RUN.set(self.0);
    }
}
