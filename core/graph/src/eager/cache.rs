//! Kernels of former calls, by op, dtypes and attrs.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use oplink_api::{AttrValue, DType, Result};
use oplink_core::PreparedKernel;

use super::recent;
use crate::attr_hash::hash_value;

/// Kernels kept; at this number all are dropped and the cache starts anew, so that calls with ever new attrs do not
/// fill the memory.
const MAX_KERNELS: usize = 4096;

/// What decides which kernel a call needs.
#[derive(Clone, Copy)]
pub(super) struct Signature<'a> {
    pub(super) op: &'a str,
    pub(super) dtypes: &'a [DType],
    /// For each argument the length of its list; empty for calls by name.
    pub(super) lengths: &'a [Option<usize>],
    pub(super) attrs: &'a [(&'a str, AttrValue)],
}

/// A kernel with the signature that it is for.
pub(super) struct Cached {
    op: String,
    dtypes: Vec<DType>,
    lengths: Vec<Option<usize>>,
    attrs: Vec<(String, AttrValue)>,
    pub(super) kernel: Arc<PreparedKernel>,
}

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

impl Signature<'_> {
    /// `None` for a call that is not kept.
    fn hash(&self) -> Option<u64> {
        if !self.attrs.iter().all(|(_, value)| is_kept(value)) {
            return None;
        }
        let mut hasher = DefaultHasher::new();
        (self.op, self.dtypes, self.lengths).hash(&mut hasher);
        for (name, value) in self.attrs {
            name.hash(&mut hasher);
            hash_value(value, &mut hasher);
        }
        Some(hasher.finish())
    }

    #[inline]
    pub(super) fn is_of(&self, cached: &Cached) -> bool {
        let attrs = || cached.attrs.iter().map(|(name, value)| (name.as_str(), value));
        cached.op == self.op
            && cached.dtypes == self.dtypes
            && cached.lengths == self.lengths
            && attrs().eq(self.attrs.iter().map(|(name, value)| (*name, value)))
    }

    fn cached(&self, kernel: Arc<PreparedKernel>) -> Cached {
        Cached {
            op: self.op.to_owned(),
            dtypes: self.dtypes.to_vec(),
            lengths: self.lengths.to_vec(),
            attrs: self.attrs.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect(),
            kernel,
        }
    }
}

/// Whether calls with such a value are kept.
fn is_kept(value: &AttrValue) -> bool {
    !matches!(value, AttrValue::Tensor(_) | AttrValue::Func(_) | AttrValue::Tensors(_) | AttrValue::Funcs(_))
}
