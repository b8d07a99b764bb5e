//! Work that is recorded and enqueued again: CUDA graphs.
//!
//! A graph names memory by its address. So whatever tensor a piece of recorded work uses is kept as long as the graph.

use std::cell::Cell;
use std::collections::HashSet;
use std::fmt;
use std::mem;
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use oplink_api::device::RecordedWork;
use oplink_api::{Code, Error, ErrorKind, Result, Tensor};

use super::{CudaDeviceContext, Shared};
use crate::cuda::driver::Graph;

thread_local! {
    /// The record that this thread makes, by its address; 0 for none.
    static RECORDS: Cell<usize> = const { Cell::new(0) };
}

/// The share of the GPU's memory that recorded work may keep.
const MOST_KEPT: usize = 4;

/// What is kept while work is recorded.
#[derive(Default)]
pub(super) struct Capture {
    /// Held for writing while work is recorded, and for reading by whoever enqueues: so a record has the work of its
    /// own thread alone.
    turn: RwLock<()>,
    kept: Mutex<Kept>,
}

/// The tensors that recorded work uses.
#[derive(Default)]
struct Kept {
    tensors: Vec<Tensor>,
    /// Where they begin.
    addresses: HashSet<usize>,
    bytes: usize,
}

impl Capture {
    /// To be held while something is enqueued: waits while another thread records.
    pub(super) fn turn(&self) -> Option<RwLockReadGuard<'_, ()>> {
        (!self.is_on()).then(|| self.turn.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether this thread records.
    fn is_on(&self) -> bool {
        RECORDS.get() == std::ptr::from_ref(self).addr()
    }

    /// Keeps a tensor that enqueued work uses, where that is recorded.
    pub(super) fn keep(&self, tensor: &Tensor) {
        if self.is_on() {
            let kept = &mut *self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            let address = tensor.device_memory().map_or(0, |memory| memory.block.handle().addr() + memory.offset);
            if kept.addresses.insert(address) {
                kept.bytes = kept.bytes.saturating_add(tensor.num_bytes());
            }
            kept.tensors.push(tensor.clone());
        }
    }

    /// Begins to record on this thread; `None` where it does so already.
    fn begin(&self) -> Option<Recording<'_>> {
        drop(self.turn()?);
        let turn = self.turn.write().unwrap_or_else(PoisonError::into_inner);
        RECORDS.set(std::ptr::from_ref(self).addr());
        Some(Recording { _turn: turn })
    }

    /// Refuses what cannot be a part of recorded work.
    pub(super) fn refuse(&self, device: &str, what: &str) -> Result<()> {
        if !self.is_on() {
            return Ok(());
        }
        let message = format!("{device}: {what} cannot be recorded: do it before or after CudaDeviceContext::record");
        Err(Error::new(Code::FailedPrecondition, ErrorKind::Device, message))
    }

    fn take(&self) -> Kept {
        mem::take(&mut *self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// While it lives, this thread records.
struct Recording<'a> {
    _turn: RwLockWriteGuard<'a, ()>,
}

impl Drop for Recording<'_> {
    fn drop(&mut self) {
        RECORDS.set(0);
    }
}

/// Recorded work of a GPU of CUDA, with the memory that it uses.
pub struct CudaGraph {
    /// Goes before the memory and the stream.
    graph: Option<Graph>,
    kept: Vec<Tensor>,
    shared: Arc<Shared>,
}

impl CudaGraph {
    /// Enqueues the work. It reads and writes the memory of the tensors that it was recorded with.
    ///
    /// # Errors
    /// The driver's.
    pub fn launch(&self) -> Result<()> {
        let _turn = self.shared.capture.turn();
        self.shared.capture.refuse(self.shared.gpu.name(), "recorded work")?;
        self.graph.as_ref().map_or(Ok(()), |graph| graph.launch(&self.shared.gpu))
    }
}

impl RecordedWork for CudaGraph {
    fn launch(&self) -> Result<()> {
        Self::launch(self)
    }
}

impl Drop for CudaGraph {
    fn drop(&mut self) {
        // What was recorded is given back to the driver next, on this thread.
        let _ = self.shared.gpu.enter();
    }
}

impl fmt::Debug for CudaGraph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CudaGraph").field("tensors", &self.kept.len()).finish_non_exhaustive()
    }
}

impl CudaDeviceContext {
    /// Records what `work` enqueues on the compute stream, instead of doing it: launches, products, convolutions and
    /// copies within the GPU. Other threads wait meanwhile before they enqueue. Programs and libraries are loaded
    /// when they are first used: do the work once before, so that this is not part of the record.
    ///
    /// # Errors
    /// The work's own; copies to and from the host and waiting, which cannot be recorded; work that would keep more
    /// than a quarter of the GPU's memory; the driver's.
    pub fn record(&self, work: impl FnOnce() -> Result<()>) -> Result<CudaGraph> {
        let Shared { gpu, streams, capture, .. } = &*self.shared;
        let Some(turn) = capture.begin() else {
            return Err(Error::internal(format!("{}: work is being recorded already", gpu.name())));
        };
        let worked = Graph::begin(gpu, &streams.compute).and_then(|()| {
            let worked = work();
            let graph = Graph::end(gpu, &streams.compute);
            worked.and(graph)
        });
        let Kept { tensors, bytes, .. } = capture.take();
        drop(turn);
        let (graph, most) = (worked?, self.memory().statistics().limit.unwrap_or(usize::MAX) / MOST_KEPT);
        if bytes > most {
            let message = format!(
                "{}: recorded work would keep {bytes} bytes of memory, {most} are the most: do it in parts",
                gpu.name()
            );
            return Err(Error::new(Code::ResourceExhausted, ErrorKind::Device, message));
        }
        Ok(CudaGraph { graph, kept: tensors, shared: self.shared.clone() })
    }
}
