//! Scratch memory that the threads of one kernel share.

use std::sync::{Mutex, PoisonError};

use oplink::{Element, KernelEnv, Result, Shape, Tensor};

/// Buffers of one length, one for each thread.
pub struct Scratch<'a, L> {
    free: Mutex<Vec<&'a mut [L]>>,
    length: usize,
}

impl<L: Element> Scratch<'_, L> {
    /// Calls `body` with buffers of `length` elements in the environment's memory, one for each of its threads.
    pub fn with<R>(env: &dyn KernelEnv, length: usize, body: impl FnOnce(&Scratch<'_, L>) -> Result<R>) -> Result<R> {
        let mut memory = Tensor::allocate(L::DTYPE, Shape::new(&[env.intra_op_threads(), length]), env.allocator())?;
        let free = memory.as_mut_slice::<L>()?.chunks_exact_mut(length.max(1)).collect();
        body(&Scratch { free: Mutex::new(free), length })
    }

    /// Lends `body` a buffer with arbitrary values.
    pub fn lend<R>(&self, body: impl FnOnce(&mut [L]) -> R) -> R {
        let lock = || self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = lock().pop();
        // bounded: as long as the tensor that other threads' buffers are in
        let Some(buffer) = taken else { return body(&mut vec![L::default(); self.length]) };
        let result = body(buffer);
        lock().push(buffer);
        result
    }
}
