//! How much a staging area may hold, and the area of a node.

use std::sync::Arc;

use oplink::AsyncKernelContext;
use oplink::prelude::*;

use crate::named::{Unnamed, info};

/// How much an area may hold; without a limit, any number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    elements: Option<usize>,
    bytes: Option<usize>,
}

impl Limits {
    /// Whether an area with so many elements and bytes has room for one more element, or with `None` for a part of an
    /// element, which is not counted.
    ///
    /// # Errors
    /// The new tensors alone are larger than the area may be.
    pub(super) fn have_room(&self, elements: Option<usize>, bytes: usize, more: usize) -> Result<bool> {
        if let Some(limit) = self.bytes.filter(|limit| more > *limit) {
            let message = format!("tensors of {more} bytes do not fit the staging area's memory limit of {limit}");
            return Err(Error::resource_exhausted(message));
        }
        let fits = elements.is_none_or(|elements| self.elements.is_none_or(|limit| elements < limit));
        Ok(fits && self.bytes.is_none_or(|limit| bytes.saturating_add(more) <= limit))
    }
}

/// The bytes of tensors.
pub(super) fn bytes_of<'a>(tensors: impl IntoIterator<Item = &'a Tensor>) -> usize {
    tensors.into_iter().map(Tensor::num_bytes).fold(0, usize::saturating_add)
}

/// Where the area of a node is, and what it may hold: what the node's attrs tell.
pub(super) struct Place {
    container: String,
    shared_name: String,
    limits: Limits,
    /// Tensors of an element.
    pub(super) width: usize,
}

impl Place {
    pub(super) fn new((container, shared_name): (&str, &str), capacity: i64, memory_limit: i64, width: usize) -> Self {
        let limit = |limit: i64| usize::try_from(limit).ok().filter(|&limit| limit > 0);
        let limits = Limits { elements: limit(capacity), bytes: limit(memory_limit) };
        Self { container: container.to_owned(), shared_name: shared_name.to_owned(), limits, width }
    }
}

/// The [`Place`] of a run of an op.
macro_rules! place {
    ($run:expr, $op:ty) => {
        $run.arguments::<$op>().map(|(_, attrs)| {
            let name = (attrs.container, attrs.shared_name);
            $crate::staging::limits::Place::new(name, attrs.capacity, attrs.memory_limit, attrs.dtypes.len())
        })
    };
}
pub(super) use place;

/// The area that the node of a run names, which `make` makes where there is none yet.
pub(super) fn area<R: Resource>(
    run: &AsyncKernelContext,
    kind: &str,
    place: &Place,
    make: impl FnOnce(Limits) -> Result<R>,
) -> Result<Arc<R>> {
    let info = info(run.node(), &place.container, &place.shared_name, kind, Unnamed::NodeName)?;
    run.step()?.resources().handle(info).get_or_create(|| make(place.limits))
}
