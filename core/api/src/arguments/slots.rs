//! The slots of a run, given out in the declared order as handles that do not overlap.

use std::mem;

use super::{Env, Input, InputList, OutputList, OutputSlot};
use crate::{Error, NodeInfo, Result, Tensor};

#[cold]
fn missing(what: &str, name: &str) -> Error {
    Error::internal(format!("{what} `{name}` is missing"))
}

/// Slots that are not given out yet, from the position `next` on.
struct Rest<'c, T> {
    slots: &'c mut [T],
    next: usize,
}

impl<'c, T> Rest<'c, T> {
    /// The slots `start..end`; those before are skipped.
    #[inline]
    fn part(&mut self, start: usize, end: usize) -> Option<&'c mut [T]> {
        let (skip, length) = (start.checked_sub(self.next)?, end.checked_sub(start)?);
        let (_, from) = mem::take(&mut self.slots).split_at_mut_checked(skip)?;
        let (part, after) = from.split_at_mut_checked(length)?;
        (self.slots, self.next) = (after, end);
        Some(part)
    }
}

/// The inputs of a run that are not given out yet.
pub struct InputSlots<'c> {
    node: &'c NodeInfo,
    rest: Rest<'c, Tensor>,
}

impl<'c> InputSlots<'c> {
    /// All inputs of a run of `node`.
    #[inline]
    pub(crate) fn new(node: &'c NodeInfo, slots: &'c mut [Tensor]) -> Self {
        Self { node, rest: Rest { slots, next: 0 } }
    }

    /// The input at a flat position, after all that were given out.
    ///
    /// # Errors
    /// The run lacks it.
    #[inline]
    pub fn one(&mut self, index: usize, name: &'static str) -> Result<Input<'c>> {
        match self.rest.part(index, index + 1) {
            Some([tensor]) => Ok(Input::new(tensor, index, name)),
            _ => Err(missing("input", name)),
        }
    }

    /// The input of the single argument declared at `arg`, behind a list.
    ///
    /// # Errors
    /// The run lacks it.
    pub fn one_of(&mut self, arg: usize, name: &'static str) -> Result<Input<'c>> {
        let range = self.node.input_ranges.get(arg).ok_or_else(|| missing("input", name))?;
        self.one(range.start, name)
    }

    /// The inputs of the list declared at `arg`.
    ///
    /// # Errors
    /// The run lacks them.
    #[inline]
    pub fn list(&mut self, arg: usize, name: &'static str) -> Result<InputList<'c>> {
        let range = self.node.input_ranges.get(arg).ok_or_else(|| missing("input", name))?;
        let tensors = self.rest.part(range.start, range.end);
        Ok(InputList::new(tensors.ok_or_else(|| missing("input", name))?, range.start, name))
    }
}

/// The outputs of a run that are not given out yet.
pub struct OutputSlots<'c> {
    env: &'c Env<'c>,
    rest: Rest<'c, Option<Tensor>>,
}

impl<'c> OutputSlots<'c> {
    /// All outputs of a run.
    #[inline]
    pub(crate) fn new(env: &'c Env<'c>, slots: &'c mut [Option<Tensor>]) -> Self {
        Self { env, rest: Rest { slots, next: 0 } }
    }

    /// The output at a flat position, after all that were given out.
    ///
    /// # Errors
    /// The run lacks it.
    #[inline]
    pub fn one(&mut self, index: usize, name: &'static str) -> Result<OutputSlot<'c>> {
        match self.rest.part(index, index + 1) {
            Some([slot]) => Ok(OutputSlot::new(slot, index, self.env)),
            _ => Err(missing("output", name)),
        }
    }

    /// The output of the single argument declared at `arg`, behind a list.
    ///
    /// # Errors
    /// The run lacks it.
    pub fn one_of(&mut self, arg: usize, name: &'static str) -> Result<OutputSlot<'c>> {
        let range = self.env.node().output_ranges.get(arg).ok_or_else(|| missing("output", name))?;
        self.one(range.start, name)
    }

    /// The outputs of the list declared at `arg`.
    ///
    /// # Errors
    /// The run lacks them.
    #[inline]
    pub fn list(&mut self, arg: usize, name: &'static str) -> Result<OutputList<'c>> {
        let range = self.env.node().output_ranges.get(arg).ok_or_else(|| missing("output", name))?;
        let slots = self.rest.part(range.start, range.end);
        Ok(OutputList::new(slots.ok_or_else(|| missing("output", name))?, range.start, self.env))
    }
}
