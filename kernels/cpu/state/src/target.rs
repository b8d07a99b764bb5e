//! The variable that an op changes.

use oplink::prelude::*;
use oplink::resource::{Variable, VariableGuard};

/// The variable that an op changes: a reference, which is its output too, or a resource, where it has none.
pub(super) struct Target<'c> {
    handle: Input<'c>,
    output_ref: Option<OutputSlot<'c>>,
}

impl<'c> Target<'c> {
    pub(super) fn new(handle: Input<'c>, output_ref: Option<OutputSlot<'c>>) -> Self {
        Self { handle, output_ref }
    }

    /// Of ops that name a reference and a resource differently: the one that there is.
    pub(super) fn of(
        reference: Option<Input<'c>>,
        resource: Option<Input<'c>>,
        output_ref: Option<OutputSlot<'c>>,
    ) -> Result<Self> {
        let handle = reference.or(resource).ok_or_else(|| Error::internal("the op has no variable to change"))?;
        Ok(Self::new(handle, output_ref))
    }

    /// Changes the variable, to which nobody else has access meanwhile, and sets the output to the reference.
    pub(super) fn update(self, change: impl FnOnce(&mut VariableGuard<'_>) -> Result<()>) -> Result<()> {
        let variable = self.handle.resource::<Variable>()?;
        change(&mut variable.lock())?;
        self.forward();
        Ok(())
    }

    /// The variable.
    pub(super) fn variable(&self) -> Result<std::sync::Arc<Variable>> {
        self.handle.resource()
    }

    /// Sets the output, where the op has one, to the reference.
    pub(super) fn forward(self) {
        if let Some(mut output) = self.output_ref {
            output.set(self.handle.take());
        }
    }
}
