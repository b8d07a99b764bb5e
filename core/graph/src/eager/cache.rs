//! Kernels of former calls, by op, dtypes and attrs.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, PoisonError, RwLock};

use oplink_api::{AttrValue, DType, Result};
use oplink_core::PreparedKernel;

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

struct Cached {
    op: String,
    dtypes: Vec<DType>,
    lengths: Vec<Option<usize>>,
    attrs: Vec<(String, AttrValue)>,
    kernel: Arc<PreparedKernel>,
}

/// Shared by all threads of a context.
#[derive(Default)]
pub(super) struct KernelCache {
    by_hash: RwLock<HashMap<u64, Vec<Cached>>>,
}

impl KernelCache {
    /// The kernel for the call, made by `make` at the first one. Calls with tensors or functions among the attrs are
    /// not kept: they seldom come again and hold memory.
    pub(super) fn get_or_make(
        &self,
        signature: &Signature<'_>,
        make: impl FnOnce() -> Result<PreparedKernel>,
    ) -> Result<Arc<PreparedKernel>> {
        let Some(hash) = signature.hash() else { return make().map(Arc::new) };
        let found = |kernels: &HashMap<u64, Vec<Cached>>| {
            let same = kernels.get(&hash)?.iter().find(|cached| signature.is_of(cached))?;
            Some(same.kernel.clone())
        };
        if let Some(kernel) = found(&self.by_hash.read().unwrap_or_else(PoisonError::into_inner)) {
            return Ok(kernel);
        }
        let kernel = Arc::new(make()?);
        let mut kernels = self.by_hash.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(kernel) = found(&kernels) {
            return Ok(kernel);
        }
        if kernels.len() >= MAX_KERNELS {
            kernels.clear();
        }
        kernels.entry(hash).or_default().push(signature.cached(kernel.clone()));
        Ok(kernel)
    }
}

impl KernelCache {
    /// Drops the kernels of an op.
    pub(super) fn remove(&self, op: &str) {
        let mut kernels = self.by_hash.write().unwrap_or_else(PoisonError::into_inner);
        kernels.values_mut().for_each(|same_hash| same_hash.retain(|cached| cached.op != op));
        kernels.retain(|_, same_hash| !same_hash.is_empty());
    }

    /// Drops all kernels.
    pub(super) fn clear(&self) {
        self.by_hash.write().unwrap_or_else(PoisonError::into_inner).clear();
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

    fn is_of(&self, cached: &Cached) -> bool {
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
