//! Calls that are kept for the next one like them: with their kernels, what is left of their tensors, and the shapes
//! that the outputs had.
#![allow(unsafe_code, reason = "room: memory of a host")]

use std::cell::Cell;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};

use oplink_api::{Result, Shape, Tensor};
use smallvec::SmallVec;

use crate::memory;
use crate::prepare::PreparedKernel;
use crate::run::{OutputMemory, Slots};
use crate::signature::Signature;

/// Calls that a thread keeps: pairs of places, of which a call may have either.
const KEPT: usize = 256;

/// Inputs as tensors.
pub type Tensors = SmallVec<[Tensor; 4]>;

thread_local! {
    static CALLS: [Cell<Option<Box<Call>>>; KEPT] = const { [const { Cell::new(None) }; KEPT] };
}

/// What is kept of a call.
struct Call {
    signature: Signature,
    /// `None` where who keeps the call has the kernel.
    kernel: Option<Arc<PreparedKernel>>,
    slots: Slots,
    shapes: Vec<Shape>,
}

impl Call {
    #[inline]
    fn is_like(&self, signature: &Signature) -> bool {
        self.signature == *signature && self.kernel.as_ref().is_none_or(|kernel| kernel.is_kept())
    }

    /// Makes what is left of the tensors inputs again. False where one cannot be.
    ///
    /// # Safety
    /// The elements of the inputs are at the addresses, of the dtypes and shapes that the call had, and nobody writes
    /// them until the run ends.
    #[inline]
    unsafe fn renew(&mut self, kernel: &PreparedKernel, data: impl Fn(usize) -> *const u8) -> bool {
        let mut inputs = self.slots.inputs.iter_mut().zip(&kernel.node.input_dtypes).enumerate();
        // SAFETY: the contract of this function.
        inputs.all(|(at, (tensor, dtype))| unsafe { memory::borrow_again(tensor, *dtype, data(at)) })
    }
}

/// Runs the kernel of a call; its outputs are in the host's memory then. See [`PreparedKernel::run`]. `prepare` gives
/// the kernel, and the inputs as tensors, where no call like this one is kept.
///
/// # Errors
/// Those of `prepare` and of the kernel.
///
/// # Safety
/// `data` gives the address of each input's elements in row-major order, of the dtypes and shapes that the signature
/// tells, aligned or not; nobody writes them during the call.
#[inline]
pub unsafe fn call(
    signature: Signature,
    data: impl Fn(usize) -> *const u8,
    memory: &dyn OutputMemory,
    prepare: impl FnOnce() -> Result<(Arc<PreparedKernel>, Tensors)>,
) -> Result<()> {
    let position = signature.position(KEPT);
    if let Some(mut call) = take(position, &signature)
        && let Some(kernel) = call.kernel.take()
    {
        // SAFETY: the contract of this function.
        if unsafe { call.renew(&kernel, data) } {
            let result = kernel.run_again(&mut call.slots, &mut call.shapes, memory);
            call.kernel = Some(kernel);
            keep(position, call);
            return result;
        }
    }
    first(signature, memory, prepare)
}

/// Takes the call like this one from its place, or from the other of the pair.
#[inline]
fn take(position: usize, signature: &Signature) -> Option<Box<Call>> {
    let find = |calls: &[Cell<Option<Box<Call>>>; KEPT]| {
        [position, position ^ 1].into_iter().find_map(|place| {
            let call = calls[place].take()?;
            if call.is_like(signature) {
                return Some(call);
            }
            calls[place].set(Some(call));
            None
        })
    };
    // A thread that ends keeps nothing.
    CALLS.try_with(find).ok().flatten()
}

/// Keeps a call, unless its slots cannot be used again; what was in its place goes to the other of the pair.
#[inline]
fn keep(position: usize, call: Box<Call>) {
    if !call.slots.are_free() {
        return;
    }
    // A thread that ends keeps nothing.
    let _ = CALLS.try_with(|calls| {
        if let Some(other) = calls[position].replace(Some(call)) {
            calls[position ^ 1].set(Some(other));
        }
    });
}

/// A call that is like none that is kept.
#[cold]
fn first(
    signature: Signature,
    memory: &dyn OutputMemory,
    prepare: impl FnOnce() -> Result<(Arc<PreparedKernel>, Tensors)>,
) -> Result<()> {
    let position = signature.position(KEPT);
    let (kernel, tensors) = prepare()?;
    let mut slots = Slots::new(tensors, kernel.node.output_dtypes.len());
    let shapes = kernel.run_first(&mut slots, memory)?;
    if signature.is_whole() {
        keep(position, Box::new(Call { signature, kernel: Some(kernel), slots, shapes }));
    }
    Ok(())
}

/// The kernel of a node, with what is kept of its last call.
#[derive(Debug)]
pub struct NodeCalls {
    kernel: PreparedKernel,
    last: AtomicPtr<Call>,
}

impl NodeCalls {
    /// Of a kernel that was not called yet.
    pub fn new(kernel: PreparedKernel) -> Self {
        Self { kernel, last: AtomicPtr::new(ptr::null_mut()) }
    }

    /// The kernel.
    pub fn kernel(&self) -> &PreparedKernel {
        &self.kernel
    }

    /// As [`call`](call()) of this kernel.
    ///
    /// # Errors
    /// Those of `tensors` and of the kernel.
    ///
    /// # Safety
    /// As [`call`](call()).
    #[inline]
    pub unsafe fn call(
        &self,
        signature: Signature,
        data: impl Fn(usize) -> *const u8,
        memory: &dyn OutputMemory,
        tensors: impl FnOnce() -> Result<Tensors>,
    ) -> Result<()> {
        if let Some(mut call) = self.take()
            && call.is_like(&signature)
            // SAFETY: the contract of this function.
            && unsafe { call.renew(&self.kernel, data) }
        {
            let result = self.kernel.run_again(&mut call.slots, &mut call.shapes, memory);
            self.keep(call);
            return result;
        }
        let mut slots = Slots::new(tensors()?, self.kernel.node.output_dtypes.len());
        let shapes = self.kernel.run_first(&mut slots, memory)?;
        if signature.is_whole() {
            self.keep(Box::new(Call { signature, kernel: None, slots, shapes }));
        }
        Ok(())
    }

    /// Takes the last call, which no other thread has then.
    #[inline]
    fn take(&self) -> Option<Box<Call>> {
        let last = self.last.swap(ptr::null_mut(), Ordering::Acquire);
        // SAFETY: a pointer that is not null came from a box in `keep`, and is nowhere else now.
        (!last.is_null()).then(|| unsafe { Box::from_raw(last) })
    }

    /// Keeps a call, unless its slots cannot be used again.
    #[inline]
    fn keep(&self, call: Box<Call>) {
        if call.slots.are_free() {
            let before = self.last.swap(Box::into_raw(call), Ordering::AcqRel);
            if !before.is_null() {
                // SAFETY: a pointer that is not null came from a box here, and is nowhere else now.
                drop(unsafe { Box::from_raw(before) });
            }
        }
    }
}

impl Drop for NodeCalls {
    fn drop(&mut self) {
        drop(self.take());
    }
}
