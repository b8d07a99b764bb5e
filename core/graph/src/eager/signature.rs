//! What calls are told apart by.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use oplink_api::{AttrValue, DType};
use oplink_core::PreparedKernel;

use crate::attr_hash::hash_value;

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
    pub(super) op: String,
    dtypes: Vec<DType>,
    lengths: Vec<Option<usize>>,
    attrs: Vec<(String, AttrValue)>,
    pub(super) kernel: Arc<PreparedKernel>,
}

impl Signature<'_> {
    /// `None` for a call that is not kept.
    pub(super) fn hash(&self) -> Option<u64> {
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

    pub(super) fn cached(&self, kernel: Arc<PreparedKernel>) -> Cached {
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
