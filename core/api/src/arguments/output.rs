//! Outputs that a kernel sets: allocated, in an input's memory, or made elsewhere.

use std::array;

use super::{Env, Input};
use crate::{DType, Element, Result, Shape, Tensor};

/// Where one output goes.
pub struct OutputSlot<'c> {
    slot: &'c mut Option<Tensor>,
    index: usize,
    env: &'c Env<'c>,
}

impl<'c> OutputSlot<'c> {
    /// The output at a flat position.
    #[inline]
    pub(super) fn new(slot: &'c mut Option<Tensor>, index: usize, env: &'c Env<'c>) -> Self {
        Self { slot, index, env }
    }

    /// The dtype that the output has.
    #[inline]
    pub fn dtype(&self) -> DType {
        self.env.node().output_dtypes[self.index]
    }

    /// The same output for a shorter time.
    #[inline]
    pub fn reborrow(&mut self) -> OutputSlot<'_> {
        OutputSlot { slot: self.slot, index: self.index, env: self.env }
    }

    /// Sets the output to a new tensor of this shape, of the output's dtype, and gives it to be written: in the
    /// device's memory, or in host memory where there is no device, where the kernel's `host_memory` names the output,
    /// and where its elements are objects of the host. Plain elements hold arbitrary values.
    ///
    /// # Errors
    /// Memory runs out.
    #[inline]
    pub fn allocate(&mut self, shape: impl Into<Shape>) -> Result<&mut Tensor> {
        let tensor = self.env.allocate_output(self.index, shape.into())?;
        Ok(self.slot.insert(tensor))
    }

    /// Sets the output.
    #[inline]
    pub fn set(&mut self, tensor: Tensor) {
        *self.slot = Some(tensor);
    }

    /// Sets the output to a scalar.
    #[inline]
    pub fn set_scalar<T: Element>(&mut self, value: T) {
        self.set(Tensor::scalar(value));
    }

    /// Where the output goes.
    #[inline]
    pub(crate) fn slot_mut(&mut self) -> &mut Option<Tensor> {
        self.slot
    }

    /// What the output is set to.
    #[inline]
    pub fn get(&self) -> Option<&Tensor> {
        self.slot.as_ref()
    }

    /// What the output is set to, to be written.
    #[inline]
    pub fn get_mut(&mut self) -> Option<&mut Tensor> {
        self.slot.as_mut()
    }

    /// Sets the output, of this shape, to the memory of `input` where nobody else needs that, and it has the output's
    /// dtype, this shape, and lies where the output belongs; else to a new tensor. Gives the tensor to be written, and
    /// the input where it was not taken. A taken input's values are in the output until they are overwritten.
    ///
    /// # Errors
    /// Memory runs out.
    #[inline]
    pub fn forward<'i>(&mut self, input: Input<'i>, shape: &Shape) -> Result<(&mut Tensor, Option<Input<'i>>)> {
        let mut candidates = [input];
        let taken = self.forward_any(&mut candidates, shape)?;
        let [input] = candidates;
        let output = self.written();
        Ok((output, taken.is_none().then_some(input)))
    }

    /// As [`forward`](Self::forward) for the first of several inputs that fits.
    ///
    /// # Errors
    /// Memory runs out.
    #[inline]
    pub fn forward_or_allocate<'i, const N: usize>(
        &mut self,
        inputs: [Input<'i>; N],
        shape: &Shape,
    ) -> Result<(&mut Tensor, Forwarded<'i, N>)> {
        let mut inputs = inputs;
        let taken = self.forward_any(&mut inputs, shape)?;
        Ok((self.written(), Forwarded { inputs, taken }))
    }

    /// Sets the output to the input's values, to be changed: in the input's memory where nobody else needs that, else
    /// to a copy. On the host only.
    ///
    /// # Errors
    /// Memory runs out, or the input lies in a device's memory.
    #[inline]
    pub fn forward_or_copy(&mut self, input: Input<'_>) -> Result<&mut Tensor> {
        let tensor = input.take().make_unique()?;
        Ok(self.slot.insert(tensor))
    }

    /// Sets the output to a taken candidate, whose position is returned, or to a new tensor.
    ///
    /// # Errors
    /// Memory runs out.
    pub fn forward_any(&mut self, candidates: &mut [Input<'_>], shape: &Shape) -> Result<Option<usize>> {
        let (taken, tensor) = forward_or_allocate(self.env, candidates, self.index, shape)?;
        *self.slot = Some(tensor);
        Ok(taken)
    }

    #[inline]
    fn written(&mut self) -> &mut Tensor {
        self.slot.get_or_insert_with(Tensor::empty)
    }
}

/// The tensor for an output, and which candidate it was. The slot of a taken candidate keeps its shape.
fn forward_or_allocate(
    env: &Env<'_>,
    candidates: &mut [Input<'_>],
    output: usize,
    shape: &Shape,
) -> Result<(Option<usize>, Tensor)> {
    for (at, input) in candidates.iter_mut().enumerate() {
        if env.can_forward((input.index(), &**input), output, shape) {
            return Ok((Some(at), input.slot_mut().move_out()));
        }
    }
    ask_or_allocate(env, candidates, output, shape)
}

/// The tensor for an output that can take no candidate's memory by what is known here: the environment may know more.
pub(crate) fn ask_or_allocate(
    env: &Env<'_>,
    candidates: &mut [Input<'_>],
    output: usize,
    shape: &Shape,
) -> Result<(Option<usize>, Tensor)> {
    if env.is_kept_on_host(output) {
        return Ok((None, env.allocate_output(output, shape.clone())?));
    }
    let found = env.env().forward_or_allocate(env.node(), candidates, output, shape.clone())?;
    if let (Some(at), _) = found {
        *candidates[at].slot_mut() = Tensor::moved_out(shape.clone());
    }
    Ok(found)
}

/// Inputs of which the output may have taken one.
#[derive(Debug)]
pub struct Forwarded<'c, const N: usize> {
    inputs: [Input<'c>; N],
    taken: Option<usize>,
}

impl<'c, const N: usize> Forwarded<'c, N> {
    /// Which input's memory is the output's now, by its position among those given.
    #[inline]
    pub fn taken(&self) -> Option<usize> {
        self.taken
    }

    /// An input by its position among those given; `None` for the one whose values are in the output.
    #[inline]
    pub fn get(&self, at: usize) -> Option<&Tensor> {
        if self.taken == Some(at) { None } else { self.inputs.get(at).map(|input| &**input) }
    }

    /// All inputs, `None` for the one whose values are in the output.
    #[inline]
    pub fn inputs(&self) -> [Option<&Tensor>; N] {
        array::from_fn(|at| self.get(at))
    }

    /// The handles again. That of a taken input reads as a tensor without elements.
    #[inline]
    pub fn into_inputs(self) -> [Input<'c>; N] {
        self.inputs
    }
}

/// Where the outputs of `N * T` or of a list type go.
pub struct OutputList<'c> {
    slots: &'c mut [Option<Tensor>],
    first: usize,
    env: &'c Env<'c>,
}

impl<'c> OutputList<'c> {
    /// The outputs from a flat position on.
    #[inline]
    pub(super) fn new(slots: &'c mut [Option<Tensor>], first: usize, env: &'c Env<'c>) -> Self {
        Self { slots, first, env }
    }

    /// The number of outputs.
    #[inline]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// One of the outputs, `None` past the end.
    #[inline]
    pub fn get(&mut self, at: usize) -> Option<OutputSlot<'_>> {
        let (index, env) = (self.first + at, self.env);
        self.slots.get_mut(at).map(|slot| OutputSlot { slot, index, env })
    }

    /// The outputs one by one.
    #[inline]
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = OutputSlot<'_>> {
        let (first, env) = (self.first, self.env);
        self.slots.iter_mut().enumerate().map(move |(at, slot)| OutputSlot { slot, index: first + at, env })
    }

    /// The outputs, each on its own.
    #[inline]
    pub fn into_slots(self) -> impl ExactSizeIterator<Item = OutputSlot<'c>> {
        let Self { slots, first, env } = self;
        slots.iter_mut().enumerate().map(move |(at, slot)| OutputSlot { slot, index: first + at, env })
    }

    /// Sets one of the outputs.
    ///
    /// # Panics
    /// `at` is past the end.
    #[inline]
    pub fn set(&mut self, at: usize, tensor: Tensor) {
        self.slots[at] = Some(tensor);
    }
}
