//! What calls of functions were found to return, so that a body is looked into once for each set of attrs and shapes.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

use oplink_api::{AttrMap, PartialShape};

use crate::attr_hash::hash_attrs;

/// Calls kept; at this number all are dropped.
const MAX_CALLS: usize = 1 << 18;

/// What a call returns, as far as it was looked into.
#[derive(Clone, Debug, Default)]
pub(crate) struct CallResults {
    /// `None` where nothing is known.
    pub(crate) shapes: Option<Vec<PartialShape>>,
    /// Whether some call inside was not looked into, because it is nested too deep or calls itself.
    pub(crate) is_cut: bool,
}

/// A call with what it returns.
#[derive(Debug)]
struct Known {
    name: String,
    attrs: AttrMap,
    shapes: Vec<PartialShape>,
    depth: usize,
    results: CallResults,
}

/// The calls of a library.
#[derive(Debug, Default)]
pub(crate) struct CallShapes(Mutex<HashMap<u64, Vec<Known>>>);

impl CallShapes {
    /// What a call inside `depth` others returns, where it was found before with no less room: one that was cut says
    /// more where it is looked into further out.
    pub(crate) fn get(
        &self,
        name: &str,
        attrs: &AttrMap,
        shapes: &[PartialShape],
        depth: usize,
    ) -> Option<CallResults> {
        let known = self.known();
        let same = known.get(&hash(name, attrs, shapes))?.iter().find(|known| known.is_of(name, attrs, shapes))?;
        (!same.results.is_cut || same.depth <= depth).then(|| same.results.clone())
    }

    /// Keeps what a call inside `depth` others returns.
    pub(crate) fn insert(
        &self,
        name: &str,
        attrs: &AttrMap,
        shapes: &[PartialShape],
        depth: usize,
        results: CallResults,
    ) {
        let mut known = self.known();
        if known.len() >= MAX_CALLS {
            known.clear();
        }
        let same_hash = known.entry(hash(name, attrs, shapes)).or_default();
        same_hash.retain(|known| !known.is_of(name, attrs, shapes));
        let (name, attrs, shapes) = (name.to_owned(), attrs.clone(), shapes.to_vec());
        same_hash.push(Known { name, attrs, shapes, depth, results });
    }

    fn known(&self) -> MutexGuard<'_, HashMap<u64, Vec<Known>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn is_of(&self, name: &str, attrs: &AttrMap, shapes: &[PartialShape]) -> bool {
        self.name == name && self.shapes == shapes && self.attrs == *attrs
    }
}

fn hash(name: &str, attrs: &AttrMap, shapes: &[PartialShape]) -> u64 {
    let mut hasher = DefaultHasher::new();
    (name, hash_attrs(attrs), shapes).hash(&mut hasher);
    hasher.finish()
}
