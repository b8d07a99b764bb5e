//! Long short-term memory.

use oplink_api::Result;

use super::{Recurrent, recurrent_layer};
use crate::layers::kernel;
use crate::module::module;
use crate::value::Value;
use crate::variable::Variable;

/// Long short-term memory.
#[derive(Debug)]
pub struct Lstm {
    /// `[features, 4 · units]`: input gate, forget gate, candidate, output gate.
    pub kernel: Variable,
    /// `[units, 4 · units]`.
    pub recurrent_kernel: Variable,
    /// `[4 · units]`: zeros, ones for the forget gate.
    pub bias: Variable,
    units: usize,
    returns_sequences: bool,
    unrolls: bool,
}

module!(Lstm { kernel, recurrent_kernel, bias });

recurrent_layer!(Lstm);

impl Lstm {
    /// A layer of so many units that gives its last state.
    ///
    /// # Errors
    /// Memory runs out; a function is being traced.
    pub fn new(features: usize, units: usize) -> Result<Self> {
        let bias: Vec<f32> =
            (0..4 * units).map(|at| if (units..2 * units).contains(&at) { 1.0 } else { 0.0 }).collect();
        Ok(Self {
            kernel: kernel("kernel", &[features, 4 * units])?,
            recurrent_kernel: kernel("recurrent_kernel", &[units, 4 * units])?,
            bias: Variable::new("bias", Value::new(bias))?,
            units,
            returns_sequences: false,
            unrolls: true,
        })
    }
}

impl Recurrent for Lstm {
    fn inputs(&self, x: &Value) -> Result<Value> {
        (x.matmul(&self.kernel)? + &self.bias).ok()
    }

    /// The state and the memory.
    fn num_states(&self) -> usize {
        2
    }

    fn units(&self) -> usize {
        self.units
    }

    fn weights(&self) -> Result<Vec<Value>> {
        Ok(vec![self.recurrent_kernel.read()?])
    }

    fn step(&self, weights: &[Value], input: &Value, states: &[Value]) -> Result<Vec<Value>> {
        let gates = (input + states[0].matmul(&weights[0])?).split(4, 1)?;
        let kept = gates[1].sigmoid()? * &states[1];
        let memory = (kept + gates[0].sigmoid()? * gates[2].tanh()?).ok()?;
        Ok(vec![(gates[3].sigmoid()? * memory.tanh()?).ok()?, memory])
    }

    fn returns_sequences(&self) -> bool {
        self.returns_sequences
    }

    fn unrolls(&self) -> bool {
        self.unrolls
    }
}
