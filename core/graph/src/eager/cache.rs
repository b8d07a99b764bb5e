//! Kernels of former calls, by op, dtypes and attrs.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use oplink_api::Result;
use oplink_core::PreparedKernel;

use super::recent;
use super::signature::{Cached, Signature};

/// Kernels kept; at this number all are dropped and the cache starts anew, so that calls with ever new attrs do not
/// fill the memory.
const MAX_KERNELS: usize = 4096;

type ByHash = HashMap<u64, Vec<Arc<Cached>>>;

/// Shared by all threads of a context. What a thread called last it finds without a lock; see [`recent`].
pub(super) struct KernelCache {
    by_hash: RwLock<ByHash>,
    /// A number that no other state of any cache has.
    state: AtomicU64,
}

impl Default for KernelCache {
    fn default() -> Self {
        Self { by_hash: RwLock::default(), state: AtomicU64::new(new_state()) }
    }
}

fn new_state() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}

impl KernelCache {
    /// The kernel for the call, made by `make` at the first one. Calls with tensors or functions among the attrs are
    /// not kept: they seldom come again and hold memory.
    pub(super) fn get_or_make(
        &self,
        signature: &Signature<'_>,
        make: impl FnOnce() -> Result<PreparedKernel>,
    ) -> Result<Arc<PreparedKernel>> {
        let state = self.state.load(Ordering::Acquire);
        if let Some(kernel) = recent::find(state, signature) {
            return Ok(kernel);
        }
        let Some(hash) = signature.hash() else { return make().map(Arc::new) };
        let cached = self.get_or_make_shared(hash, signature, make)?;
        if cached.kernel.is_function() {
            recent::keep(state, signature, &cached);
        }
        Ok(cached.kernel.clone())
    }

    #[inline(never)]
    fn get_or_make_shared(
        &self,
        hash: u64,
        signature: &Signature<'_>,
        make: impl FnOnce() -> Result<PreparedKernel>,
    ) -> Result<Arc<Cached>> {
        let found = |kernels: &ByHash| kernels.get(&hash)?.iter().find(|cached| signature.is_of(cached)).cloned();
        if let Some(cached) = found(&self.by_hash.read().unwrap_or_else(PoisonError::into_inner)) {
            return Ok(cached);
        }
        let kernel = Arc::new(make()?);
        let mut kernels = self.by_hash.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(cached) = found(&kernels) {
            return Ok(cached);
        }
        if kernels.len() >= MAX_KERNELS {
            kernels.clear();
        }
        let cached = Arc::new(signature.cached(kernel));
        kernels.entry(hash).or_default().push(cached.clone());
        Ok(cached)
    }

    /// Drops the kernels of an op.
    pub(super) fn remove(&self, op: &str) {
        let mut kernels = self.by_hash.write().unwrap_or_else(PoisonError::into_inner);
        kernels.values_mut().for_each(|same_hash| same_hash.retain(|cached| cached.op != op));
        kernels.retain(|_, same_hash| !same_hash.is_empty());
        self.state.store(new_state(), Ordering::Release);
    }

    /// Drops all kernels.
    pub(super) fn clear(&self) {
        let mut kernels = self.by_hash.write().unwrap_or_else(PoisonError::into_inner);
        kernels.clear();
        self.state.store(new_state(), Ordering::Release);
    }
}
