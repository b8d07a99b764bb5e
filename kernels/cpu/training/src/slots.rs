//! Scalar inputs of optimisers, and the reference that is their output.

use oplink::params::InputParam;
use oplink::prelude::*;

/// An input that must have rank 0, and its value.
#[derive(Debug, Clone, Copy)]
pub struct Scalar<T>(pub T);

impl<T: Element> InputParam<'_> for Scalar<T> {
    type Element = T;

    fn bind(input: &Tensor) -> Result<Self> {
        ensure!(input.rank() == 0, "it must be a scalar, it has shape {}", input.shape());
        input.to_scalar().map(Self)
    }
}

/// Forwards the reference in the op's first input to the op's output: ops on resources have none.
pub(crate) fn forward_reference(var: Input<'_>, out: Option<OutputSlot<'_>>) {
    if let Some(mut out) = out {
        out.set(var.take());
    }
}
