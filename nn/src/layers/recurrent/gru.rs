//! Gated recurrent units.

use oplink_api::Result;

use super::{Recurrent, recurrent_layer};
use crate::initializers::Initializer;
use crate::layers::{initialized, kernel};
use crate::module::module;
use crate::value::Value;
use crate::variable::Variable;

/// Gated recurrent units, with the reset gate behind the product.
#[derive(Debug)]
pub struct Gru {
    /// `[features, 3 · units]`: update gate, reset gate, candidate.
    pub kernel: Variable,
    /// `[units, 3 · units]`.
    pub recurrent_kernel: Variable,
    /// `[2, 3 · units]`: of the input, of the state.
    pub bias: Variable,
    units: usize,
    returns_sequences: bool,
    unrolls: Option<bool>,
}

module!(Gru { kernel, recurrent_kernel, bias });

recurrent_layer!(Gru);

impl Gru {
    /// A layer of so many units that gives its last state.
    ///
    /// # Errors
    /// Memory runs out; a function is being traced.
    pub fn new(features: usize, units: usize) -> Result<Self> {
        Ok(Self {
            kernel: kernel("kernel", &[features, 3 * units])?,
            recurrent_kernel: kernel("recurrent_kernel", &[units, 3 * units])?,
            bias: initialized("bias", &[2, 3 * units], Initializer::Zeros)?,
            units,
            returns_sequences: false,
            unrolls: None,
        })
    }
}

impl Recurrent for Gru {
    fn inputs(&self, x: &Value) -> Result<Value> {
        (x.matmul(&self.kernel)? + self.bias.read()?.unstack(0)?.swap_remove(0)).ok()
    }

    fn num_states(&self) -> usize {
        1
    }

    fn units(&self) -> usize {
        self.units
    }

    fn weights(&self) -> Result<Vec<Value>> {
        Ok(vec![self.recurrent_kernel.read()?, self.bias.read()?.unstack(0)?.swap_remove(1)])
    }

    fn step(&self, weights: &[Value], input: &Value, states: &[Value]) -> Result<Vec<Value>> {
        let (inputs, state) = (input.split(3, 1)?, &states[0]);
        let inner = (state.matmul(&weights[0])? + &weights[1]).split(3, 1)?;
        let update = (&inputs[0] + &inner[0]).sigmoid()?;
        let reset = (&inputs[1] + &inner[1]).sigmoid()?;
        let candidate = (&inputs[2] + reset * &inner[2]).tanh()?;
        Ok(vec![(&update * state + (1.0 - &update) * candidate).ok()?])
    }

    fn returns_sequences(&self) -> bool {
        self.returns_sequences
    }

    fn unrolls(&self) -> bool {
        self.unrolls.unwrap_or(true)
    }
}
