//! Layers along the steps of a sequence: `[batch, steps, features]` in, the last state or all of them out.

use oplink_api::{DType, Result};

use super::{Layer, Mode, initialized, kernel};
use crate::initializers::Initializer;
use crate::module::module;
use crate::value::Value;
use crate::variable::Variable;

/// A layer that goes through a sequence, forward or back.
pub trait Recurrent: Layer {
    /// What the steps of `x`, `[batch, steps, features]`, bring to the gates, for all of them at once.
    ///
    /// # Errors
    /// The input is no sequence of the layer's features.
    fn inputs(&self, x: &Value) -> Result<Value>;

    /// The state after each step, in the order of the steps taken; `steps` are those of `inputs`.
    ///
    /// # Errors
    /// Memory runs out.
    fn states(&self, steps: Vec<Value>) -> Result<Vec<Value>>;

    /// Whether all states are given, not the last only.
    fn returns_sequences(&self) -> bool;
}

/// The states of a layer as its output.
fn output(layer: &(impl Recurrent + ?Sized), x: &Value, backward: bool) -> Result<Value> {
    let mut steps = layer.inputs(x)?.unstack(1)?;
    if backward {
        steps.reverse();
    }
    let mut states = layer.states(steps)?;
    if !layer.returns_sequences() {
        let last = states.pop();
        return last.ok_or_else(|| oplink_api::Error::invalid_argument("a sequence without steps has no last state"));
    }
    if backward {
        states.reverse();
    }
    Value::stack(states, 1)
}

/// A first state: zeros of the batch of `x`.
fn zeros(x: &Value, units: usize) -> Result<Value> {
    match x.partial_shape()?.dim(0) {
        Some(batch) => Value::zeros(DType::Float, [batch, units]),
        None => (x.slice(crate::s![.., ..1])?.zeros_like()? + Value::zeros(DType::Float, [1, units])?).ok(),
    }
}

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
}

module!(Lstm { kernel, recurrent_kernel, bias });

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
        })
    }

    /// The same, giving all states.
    #[must_use]
    pub fn return_sequences(self) -> Self {
        Self { returns_sequences: true, ..self }
    }
}

impl Recurrent for Lstm {
    fn inputs(&self, x: &Value) -> Result<Value> {
        (x.matmul(&self.kernel)? + &self.bias).ok()
    }

    fn states(&self, steps: Vec<Value>) -> Result<Vec<Value>> {
        let Some(first) = steps.first() else { return Ok(Vec::new()) };
        let recurrent = self.recurrent_kernel.read()?;
        let (mut state, mut memory) = (zeros(first, self.units)?, zeros(first, self.units)?);
        let mut states = Vec::with_capacity(steps.len());
        for step in steps {
            let gates = (step + state.matmul(&recurrent)?).split(4, 1)?;
            let kept = gates[1].sigmoid()? * &memory;
            memory = (kept + gates[0].sigmoid()? * gates[2].tanh()?).ok()?;
            state = (gates[3].sigmoid()? * memory.tanh()?).ok()?;
            states.push(state.clone());
        }
        Ok(states)
    }

    fn returns_sequences(&self) -> bool {
        self.returns_sequences
    }
}

impl Layer for Lstm {
    fn forward(&self, x: &Value, _: Mode) -> Result<Value> {
        output(self, x, false)
    }
}

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
}

module!(Gru { kernel, recurrent_kernel, bias });

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
        })
    }

    /// The same, giving all states.
    #[must_use]
    pub fn return_sequences(self) -> Self {
        Self { returns_sequences: true, ..self }
    }
}

impl Recurrent for Gru {
    fn inputs(&self, x: &Value) -> Result<Value> {
        (x.matmul(&self.kernel)? + self.bias.read()?.unstack(0)?.swap_remove(0)).ok()
    }

    fn states(&self, steps: Vec<Value>) -> Result<Vec<Value>> {
        let Some(first) = steps.first() else { return Ok(Vec::new()) };
        let (recurrent, bias) = (self.recurrent_kernel.read()?, self.bias.read()?.unstack(0)?.swap_remove(1));
        let mut state = zeros(first, self.units)?;
        let mut states = Vec::with_capacity(steps.len());
        for step in steps {
            let inputs = step.split(3, 1)?;
            let inner = (state.matmul(&recurrent)? + &bias).split(3, 1)?;
            let update = (&inputs[0] + &inner[0]).sigmoid()?;
            let reset = (&inputs[1] + &inner[1]).sigmoid()?;
            let candidate = (&inputs[2] + reset * &inner[2]).tanh()?;
            state = (&update * &state + (1.0 - &update) * candidate).ok()?;
            states.push(state.clone());
        }
        Ok(states)
    }

    fn returns_sequences(&self) -> bool {
        self.returns_sequences
    }
}

impl Layer for Gru {
    fn forward(&self, x: &Value, _: Mode) -> Result<Value> {
        output(self, x, false)
    }
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
        Value::concat([output(&self.forward, x, false)?, output(&self.backward, x, true)?], -1)
    }
}
