//! Layers along the steps of a sequence: `[batch, steps, features]` in, the last state or all of them out.

mod gru;
mod lstm;
mod steps;

use oplink_api::Result;

pub use gru::Gru;
pub use lstm::Lstm;

use super::{Layer, Mode};
use crate::value::Value;

/// A layer that goes through a sequence, forward or back.
pub trait Recurrent: Layer {
    /// What the steps of `x`, `[batch, steps, features]`, bring to the gates, for all of them at once.
    ///
    /// # Errors
    /// The input is no sequence of the layer's features.
    fn inputs(&self, x: &Value) -> Result<Value>;

    /// The number of values, `[batch, units]` each, that a step gives to the next one. The first is the layer's output.
    fn num_states(&self) -> usize;

    /// The extent of a state.
    fn units(&self) -> usize;

    /// What every step computes with, read once.
    ///
    /// # Errors
    /// As [`Variable::read`](crate::Variable::read).
    fn weights(&self) -> Result<Vec<Value>>;

    /// The states behind a step: of what [`Recurrent::weights`] gave, what the step brings to the gates, and the states
    /// before it.
    ///
    /// # Errors
    /// Memory runs out.
    fn step(&self, weights: &[Value], input: &Value, states: &[Value]) -> Result<Vec<Value>>;

    /// The output of the whole sequence `x`, from the last step on where `backward`, by one op; none where no op of the
    /// scope's device does what the layer does.
    ///
    /// # Errors
    /// The input is no sequence of the layer's features.
    fn sequence(&self, x: &Value, backward: bool) -> Result<Option<Value>> {
        let _ = (x, backward);
        Ok(None)
    }

    /// Whether all states are given, not the last only.
    fn returns_sequences(&self) -> bool;

    /// Whether a traced function has the nodes of every step, not a loop.
    fn unrolls(&self) -> bool;
}

/// Two layers, one from the first step on and one from the last back, their outputs side by side.
#[derive(Debug)]
pub struct Bidirectional<L> {
    /// From the first step on.
    pub forward: L,
    /// From the last step back.
    pub backward: L,
}

impl<L: Recurrent> Bidirectional<L> {
    /// The layer of two, which give both their last states, or both all.
    pub fn new(forward: L, backward: L) -> Self {
        Self { forward, backward }
    }
}

impl<L: crate::Module> crate::Module for Bidirectional<L> {
    fn visit(&self, visitor: &mut crate::Visitor<'_>) {
        visitor.part("forward", &self.forward);
        visitor.part("backward", &self.backward);
    }
}

impl<L: Recurrent> Layer for Bidirectional<L> {
    fn forward(&self, x: &Value, _: Mode) -> Result<Value> {
        Value::concat([steps::output(&self.forward, x, false)?, steps::output(&self.backward, x, true)?], -1)
    }
}

/// The options and the layer of a recurrent layer.
macro_rules! recurrent_layer {
    ($ty:ident) => {
        impl $ty {
            /// The same, giving all states.
            #[must_use]
            pub fn return_sequences(self) -> Self {
                Self { returns_sequences: true, ..self }
            }

            /// Whether a traced function has the nodes of every step, or one loop: a loop's graph is small however long
            /// the sequence is, and the number of steps need not be known. Nodes run faster. By default a layer is the
            /// op of whole sequences that does the same, where there is one, else the nodes of every step, as it
            /// also is in models that are written. The op has no second derivative.
            #[must_use]
            pub fn unroll(self, unrolls: bool) -> Self {
                Self { unrolls: Some(unrolls), ..self }
            }
        }

        impl $crate::Layer for $ty {
            fn forward(&self, x: &Value, _: $crate::Mode) -> Result<Value> {
                super::steps::output(self, x, false)
            }
        }
    };
}

use recurrent_layer;
