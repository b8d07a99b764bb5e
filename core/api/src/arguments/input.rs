//! Inputs that a kernel may move.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use crate::support::bound;
use crate::{Resource, ResourceHandle, Result, Tensor};

/// One input: reads as its tensor, and can be moved out, so that its memory is reused where nobody else needs it.
/// Dropping it does nothing.
pub struct Input<'c> {
    tensor: &'c mut Tensor,
    index: usize,
    name: &'c str,
}

impl<'c> Input<'c> {
    /// The input of an argument `name` in the slot at a flat position.
    #[inline]
    pub fn new(tensor: &'c mut Tensor, index: usize, name: &'c str) -> Self {
        Self { tensor, index, name }
    }

    /// The tensor, for as long as the run.
    #[inline]
    pub fn into_ref(self) -> &'c Tensor {
        self.tensor
    }

    /// Moves the tensor out. The slot keeps its shape, for messages.
    #[inline]
    pub fn take(self) -> Tensor {
        self.tensor.move_out()
    }

    /// The same input for a shorter time.
    #[inline]
    pub fn reborrow(&mut self) -> Input<'_> {
        Input { tensor: self.tensor, index: self.index, name: self.name }
    }

    /// The flat position.
    #[inline]
    pub fn index(&self) -> usize {
        self.index
    }

    /// The declared argument's name.
    #[inline]
    pub fn name(&self) -> &'c str {
        self.name
    }

    /// The tensor's slot: environments whose inputs belong to somebody else move it out and in again.
    #[inline]
    pub fn slot_mut(&mut self) -> &mut Tensor {
        self.tensor
    }

    /// The handle in a scalar input of dtype resource, or behind an input that is a reference.
    ///
    /// # Errors
    /// The input holds no handle.
    #[inline]
    pub fn handle(&self) -> Result<&ResourceHandle> {
        self.tensor.handle().map_err(|error| bound(error, "input", &self.name))
    }

    /// The resource that the input's handle refers to.
    ///
    /// # Errors
    /// There is none, or one of another type.
    #[inline]
    pub fn resource<R: Resource>(&self) -> Result<Arc<R>> {
        self.handle()?.get()
    }
}

impl Deref for Input<'_> {
    type Target = Tensor;

    #[inline]
    fn deref(&self) -> &Tensor {
        self.tensor
    }
}

impl fmt::Debug for Input<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:?}", self.name, self.tensor)
    }
}

/// The inputs of `N * T` or of a list type: reads as their tensors, which can be moved out one by one.
pub struct InputList<'c> {
    tensors: &'c mut [Tensor],
    first: usize,
    name: &'c str,
}

impl<'c> InputList<'c> {
    /// The inputs of an argument `name` in the slots from a flat position on.
    #[inline]
    pub fn new(tensors: &'c mut [Tensor], first: usize, name: &'c str) -> Self {
        Self { tensors, first, name }
    }

    /// The tensors, for as long as the run.
    #[inline]
    pub fn into_ref(self) -> &'c [Tensor] {
        self.tensors
    }

    /// One of the inputs, `None` past the end.
    #[inline]
    pub fn input(&mut self, at: usize) -> Option<Input<'_>> {
        let (index, name) = (self.first + at, self.name);
        self.tensors.get_mut(at).map(|tensor| Input { tensor, index, name })
    }

    /// The slots of the inputs.
    #[inline]
    pub(crate) fn into_slots(self) -> &'c mut [Tensor] {
        self.tensors
    }

    /// The inputs, each on its own.
    #[inline]
    pub fn into_inputs(self) -> impl ExactSizeIterator<Item = Input<'c>> {
        let Self { tensors, first, name } = self;
        tensors.iter_mut().enumerate().map(move |(at, tensor)| Input { tensor, index: first + at, name })
    }
}

impl Deref for InputList<'_> {
    type Target = [Tensor];

    #[inline]
    fn deref(&self) -> &[Tensor] {
        self.tensors
    }
}

impl fmt::Debug for InputList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:?}", self.name, self.tensors)
    }
}
