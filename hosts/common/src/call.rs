//! Calls that are kept for the next one like them: with their kernels, what is left of their tensors, and the shapes
//! that the outputs had.
#![allow(unsafe_code, reason = "room: memory of a host")]

use std::cell::{Cell, UnsafeCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use oplink_api::{Error, Result, Shape, Tensor};
use smallvec::SmallVec;

use crate::memory;
use crate::prepare::PreparedKernel;
use crate::run::{OutputMemory, Slots};
use crate::signature::{CallFrame, Signature};

/// Ops whose last call a thread keeps.
const LAST: usize = 64;
/// Earlier calls that a thread keeps: pairs of places, of which a call may have either.
const EARLIER: usize = 256;

/// Inputs as tensors.
pub type Tensors = SmallVec<[Tensor; 4]>;

/// What is kept of a call, beside its kernel.
struct Kept {
    signature: Signature,
    slots: Slots,
    shapes: Vec<Shape>,
}

impl Kept {
    /// Makes what is left of the tensors inputs again. False where one cannot be.
    ///
    /// # Safety
    /// The elements of the inputs are at the frame's addresses, of the dtypes and shapes that the call had, and nobody
    /// writes them until the run ends.
    #[inline]
    unsafe fn renew(&mut self, kernel: &PreparedKernel, frame: &impl CallFrame) -> bool {
        let mut inputs = self.slots.inputs.iter_mut().zip(&kernel.node.input_dtypes).enumerate();
        // SAFETY: the contract of this function.
        inputs.all(|(at, (tensor, dtype))| unsafe { memory::borrow_again(tensor, *dtype, frame.data(at)) })
    }

    /// Runs the kernel once more, on the inputs of a call like this one. `None` where an input cannot be one.
    ///
    /// # Safety
    /// As [`renew`](Self::renew).
    #[inline]
    unsafe fn run(
        &mut self,
        kernel: &PreparedKernel,
        frame: &impl CallFrame,
        memory: &impl OutputMemory,
    ) -> Option<Result<()>> {
        // SAFETY: the contract of this function.
        let is_renewed = unsafe { self.renew(kernel, frame) };
        is_renewed.then(|| kernel.run_again(&mut self.slots, &mut self.shapes, memory))
    }
}

/// A call that a thread keeps.
struct Call {
    kernel: Arc<PreparedKernel>,
    kept: Kept,
}

type Place = Cell<Option<Box<Call>>>;

/// The calls that a thread keeps.
struct Calls {
    last: [Place; LAST],
    earlier: [Place; EARLIER],
}

thread_local! {
    static CALLS: Calls =
        const { Calls { last: [const { Cell::new(None) }; LAST], earlier: [const { Cell::new(None) }; EARLIER] } };
}

/// Runs the kernel of a call; its outputs are in the host's memory then. See [`PreparedKernel::run`]. The op has the
/// number `op` among those of its table, and `id` tells it from all others. `prepare` gives the kernel, and the inputs
/// as tensors, where no call like this one is kept.
///
/// # Errors
/// Those of `prepare` and of the kernel.
///
/// # Safety
/// The frame gives the address of each input's elements in row-major order, of the dtypes and shapes that it tells,
/// aligned or not; nobody writes them during the call.
#[inline]
pub unsafe fn call(
    (op, id): (usize, usize),
    frame: &impl CallFrame,
    memory: &impl OutputMemory,
    prepare: impl FnOnce() -> Result<(Arc<PreparedKernel>, Tensors)>,
) -> Result<()> {
    let mut prepare = Some(prepare);
    let result = CALLS.try_with(|calls| {
        let last = &calls.last[op % LAST];
        if let Some(mut call) = last.take() {
            if call.kernel.is_kept() && call.kept.signature.is_of(id, frame) {
                // SAFETY: the contract of this function.
                if let Some(result) = unsafe { call.kept.run(&call.kernel, frame, memory) } {
                    if call.kept.slots.are_free() {
                        last.set(Some(call));
                    }
                    return Some(result);
                }
            } else {
                last.set(Some(call));
            }
        }
        let prepare = prepare.take()?;
        // SAFETY: the contract of this function.
        Some(unsafe { calls.run_other(last, id, frame, memory, prepare) })
    });
    // A thread that ends keeps nothing.
    let unkept = || match prepare {
        Some(prepare) => prepare().and_then(|(kernel, inputs)| kernel.run(inputs, memory)),
        None => Err(Error::internal("a call was prepared, and not run")),
    };
    result.ok().flatten().unwrap_or_else(unkept)
}

impl Calls {
    /// Runs the kernel of a call that is unlike the last one of its op, whose place it takes.
    ///
    /// # Safety
    /// As [`call`].
    #[inline(never)]
    unsafe fn run_other(
        &self,
        last: &Place,
        id: usize,
        frame: &impl CallFrame,
        memory: &impl OutputMemory,
        prepare: impl FnOnce() -> Result<(Arc<PreparedKernel>, Tensors)>,
    ) -> Result<()> {
        let signature = Signature::of(id, frame);
        if let Some(mut call) = self.take_earlier(&signature) {
            // SAFETY: the contract of this function.
            if let Some(result) = unsafe { call.kept.run(&call.kernel, frame, memory) } {
                self.keep(last, call);
                return result;
            }
        }
        let (kernel, inputs) = prepare()?;
        let mut slots = Slots::new(inputs, kernel.node.output_dtypes.len());
        let shapes = kernel.run_first(&mut slots, memory)?;
        self.keep(last, Box::new(Call { kernel, kept: Kept { signature, slots, shapes } }));
        Ok(())
    }

    /// Takes an earlier call of these words from its place.
    fn take_earlier(&self, signature: &Signature) -> Option<Box<Call>> {
        let position = signature.position(EARLIER);
        [position, position ^ 1].into_iter().find_map(|at| {
            let call = self.earlier[at].take()?;
            if call.kept.signature == *signature {
                return Some(call).filter(|call| call.kernel.is_kept());
            }
            self.earlier[at].set(Some(call));
            None
        })
    }

    /// Keeps a call as the last one, unless it cannot be used again. The one before is an earlier one then, and what
    /// was in its place goes to the other of the pair.
    fn keep(&self, last: &Place, call: Box<Call>) {
        if !call.kept.slots.are_free() || !call.kept.signature.is_whole() {
            return;
        }
        if let Some(before) = last.replace(Some(call)) {
            let position = before.kept.signature.position(EARLIER);
            if let Some(other) = self.earlier[position].replace(Some(before)) {
                self.earlier[position ^ 1].set(Some(other));
            }
        }
    }
}

/// The kernel of a node, with what is kept of its last call.
pub struct NodeCalls {
    kernel: PreparedKernel,
    /// Whoever changed it to true has `last`.
    is_taken: AtomicBool,
    last: UnsafeCell<Option<Kept>>,
}

// SAFETY: `last` is used by one thread at a time, the one that changed `is_taken`; tensors go from thread to thread.
unsafe impl Sync for NodeCalls {}

impl std::fmt::Debug for NodeCalls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NodeCalls").field("kernel", &self.kernel).finish_non_exhaustive()
    }
}

impl NodeCalls {
    /// Of a kernel that was not called yet.
    pub fn new(kernel: PreparedKernel) -> Self {
        Self { kernel, is_taken: AtomicBool::new(false), last: UnsafeCell::new(None) }
    }

    /// The kernel.
    pub fn kernel(&self) -> &PreparedKernel {
        &self.kernel
    }

    /// As [`call`](call()) of this kernel.
    ///
    /// # Errors
    /// Those of `inputs` and of the kernel.
    ///
    /// # Safety
    /// As [`call`](call()).
    #[inline]
    pub unsafe fn call(
        &self,
        frame: &impl CallFrame,
        memory: &impl OutputMemory,
        inputs: impl FnOnce() -> Result<Tensors>,
    ) -> Result<()> {
        let Some(mut last) = self.take() else { return self.kernel.run(inputs()?, memory) };
        if let Some(kept) = &mut *last
            && kept.signature.is_of(0, frame)
            // SAFETY: the contract of this function.
            && let Some(result) = unsafe { kept.run(&self.kernel, frame, memory) }
        {
            if !kept.slots.are_free() {
                *last = None;
            }
            return result;
        }
        self.run_first(&mut last, frame, memory, inputs()?)
    }

    /// A call unlike the last one, whose place it takes.
    #[cold]
    fn run_first(
        &self,
        last: &mut Option<Kept>,
        frame: &impl CallFrame,
        memory: &impl OutputMemory,
        inputs: Tensors,
    ) -> Result<()> {
        let mut slots = Slots::new(inputs, self.kernel.node.output_dtypes.len());
        let shapes = self.kernel.run_first(&mut slots, memory)?;
        let signature = Signature::of(0, frame);
        let can_be_kept = slots.are_free() && signature.is_whole();
        *last = can_be_kept.then(|| Kept { signature, slots, shapes });
        Ok(())
    }

    /// The last call, where no other run has it.
    #[inline]
    fn take(&self) -> Option<Last<'_>> {
        (!self.is_taken.swap(true, Ordering::Acquire)).then(|| Last(self))
    }
}

/// The last call of a node, which this alone has until it is dropped.
struct Last<'a>(&'a NodeCalls);

impl std::ops::Deref for Last<'_> {
    type Target = Option<Kept>;

    #[inline]
    fn deref(&self) -> &Option<Kept> {
        // SAFETY: who made this changed `is_taken`, so nobody else has the call.
        unsafe { &*self.0.last.get() }
    }
}

impl std::ops::DerefMut for Last<'_> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Option<Kept> {
        // SAFETY: as above, and `self` is borrowed mutably.
        unsafe { &mut *self.0.last.get() }
    }
}

impl Drop for Last<'_> {
    #[inline]
    fn drop(&mut self) {
        self.0.is_taken.store(false, Ordering::Release);
    }
}
