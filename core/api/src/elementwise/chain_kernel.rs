//! Chains in kernels that take their arguments by name.

use std::slice;

use super::Chain;
use crate::{Env, InputList, KernelContext, OutputSlot, Result};

impl Chain {
    /// Sets the node's only output to the last step's result for its only argument, a list of inputs that broadcast
    /// against each other.
    ///
    /// # Errors
    /// The shapes do not fit: then the error says at which step. Memory runs out.
    pub fn compute(&self, inputs: InputList<'_>, output: &mut OutputSlot<'_>, env: Env<'_>) -> Result<()> {
        let outputs = slice::from_mut(output.slot_mut());
        self.run(&mut KernelContext::new(env.node(), inputs.into_slots(), outputs, env.env()))
    }
}
