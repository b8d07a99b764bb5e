//! The resource behind an iterator's handle.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use oplink::prelude::*;

use crate::dataset::{DatasetHandle, Elements, Run};

/// Time between two looks at the step of a run that waits.
const LOOK: Duration = Duration::from_millis(20);

/// A position in a dataset, which runs move one after the other.
#[derive(Clone)]
pub struct IteratorResource(pub(super) Arc<Shared>);

/// What all handles of an iterator share.
pub(super) struct Shared {
    dtypes: Vec<DType>,
    shapes: Vec<PartialShape>,
    state: Mutex<State>,
    released: Condvar,
}

#[derive(Default)]
struct State {
    elements: Option<Elements>,
    /// Whether a run has the elements.
    busy: bool,
}

impl Resource for IteratorResource {
    fn type_name(&self) -> &'static str {
        "iterator"
    }
}

impl IteratorResource {
    pub(super) fn new(dtypes: &[DType], shapes: &[PartialShape]) -> Self {
        let (dtypes, shapes) = (dtypes.to_vec(), shapes.to_vec());
        Self(Arc::new(Shared { dtypes, shapes, state: Mutex::default(), released: Condvar::new() }))
    }

    /// Dtypes of the components, as declared.
    pub(super) fn dtypes(&self) -> &[DType] {
        &self.0.dtypes
    }

    /// Shapes of the components, as declared.
    pub(super) fn shapes(&self) -> &[PartialShape] {
        &self.0.shapes
    }

    /// Checks that a node declares the elements as they are; one without dtypes or shapes says nothing of them.
    pub(super) fn check(&self, dtypes: &[DType], shapes: &[PartialShape]) -> Result<()> {
        let (has, wanted) = (self.dtypes(), dtypes);
        let same = wanted.is_empty() || has == wanted;
        ensure!(same, "the iterator has elements of {has:?}, the node declares {wanted:?}");
        let fits = self.shapes().iter().zip(shapes).all(|(has, wanted)| has.is_compatible_with(wanted));
        ensure!(fits, "the iterator has elements of other shapes than the node declares");
        Ok(())
    }

    /// Starts with the first element of a dataset.
    pub(super) fn start(&self, run: &Run<'_>, dataset: &DatasetHandle) -> Result<()> {
        dataset.check(&self.0.dtypes, &self.0.shapes)?;
        let elements = dataset.iterate(run)?;
        let mut held = self.acquire(run)?;
        let before = held.elements.replace(elements);
        drop(held);
        drop(before);
        Ok(())
    }

    /// Does something with the elements. Runs that come meanwhile wait.
    pub(super) fn with<R>(&self, run: &Run<'_>, work: impl FnOnce(&mut Elements) -> Result<R>) -> Result<R> {
        let mut held = self.acquire(run)?;
        match &mut held.elements {
            Some(elements) => work(elements),
            None => Err(Error::new(
                Code::FailedPrecondition,
                ErrorKind::InvalidArgument,
                "the iterator has no dataset yet: run the op MakeIterator first (in TensorFlow `iterator.initializer`)",
            )),
        }
    }

    /// As [`start`](Self::start) with the dataset that `make` gives, where there is none yet.
    pub(super) fn start_once(&self, run: &Run<'_>, make: impl FnOnce() -> Result<DatasetHandle>) -> Result<()> {
        let mut held = self.acquire(run)?;
        if held.elements.is_none() {
            let dataset = make()?;
            dataset.check(&self.0.dtypes, &self.0.shapes)?;
            held.elements = Some(dataset.iterate(run)?);
        }
        Ok(())
    }

    /// Takes the elements, after the runs that have them.
    fn acquire(&self, run: &Run<'_>) -> Result<Held<'_>> {
        let mut state = self.0.state();
        while state.busy {
            run.check()?;
            let waited = self.0.released.wait_timeout(state, LOOK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        state.busy = true;
        let elements = state.elements.take();
        drop(state);
        Ok(Held { shared: &self.0, elements })
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The elements of an iterator while a run has them; they go back when this is dropped.
struct Held<'a> {
    shared: &'a Shared,
    elements: Option<Elements>,
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        let mut state = self.shared.state();
        state.elements = self.elements.take();
        state.busy = false;
        drop(state);
        self.shared.released.notify_one();
    }
}
