//! The resource behind a stack's handle.

use std::sync::{Mutex, MutexGuard, PoisonError};

use oplink::prelude::*;
use oplink::resource::ResourceInfo;

/// Tensors of one dtype, of which the last pushed is the first popped.
pub struct Stack {
    name: String,
    dtype: DType,
    max_size: Option<usize>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    tensors: Vec<Tensor>,
    closed: bool,
}

impl Stack {
    /// A handle to a new stack, which goes with its last handle.
    pub(super) fn handle(name: &str, dtype: DType, max_size: Option<usize>) -> Result<ResourceHandle> {
        let handle = ResourceHandle::new(ResourceInfo {
            name: name.to_owned(),
            type_name: "stack".into(),
            ..ResourceInfo::default()
        });
        handle.get_or_create(|| Ok(Self { name: name.to_owned(), dtype, max_size, state: Mutex::default() }))?;
        Ok(handle)
    }

    /// Puts a tensor on top.
    pub(super) fn push(&self, tensor: Tensor) -> Result<()> {
        let (name, dtype) = (&self.name, self.dtype);
        ensure!(tensor.dtype() == dtype, "stack `{name}` holds tensors of {dtype}, not of {}", tensor.dtype());
        let mut state = self.open()?;
        let full = self.max_size.is_some_and(|most| state.tensors.len() >= most);
        ensure!(!full, "stack `{name}` has as many tensors as it can hold, {}", state.tensors.len());
        state.tensors.push(tensor);
        Ok(())
    }

    /// Takes the topmost tensor away.
    pub(super) fn pop(&self) -> Result<Tensor> {
        let popped = self.open()?.tensors.pop();
        popped
            .ok_or_else(|| Error::invalid_argument(format!("stack `{}` is empty, there is nothing to pop", self.name)))
    }

    /// Lets all tensors go.
    pub(super) fn close(&self) {
        let mut state = self.state();
        state.closed = true;
        let tensors = std::mem::take(&mut state.tensors);
        drop(state);
        drop(tensors);
    }

    fn open(&self) -> Result<MutexGuard<'_, State>> {
        let state = self.state();
        ensure!(!state.closed, "stack `{}` was closed", self.name);
        Ok(state)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Resource for Stack {
    fn type_name(&self) -> &'static str {
        "stack"
    }
}
