//! Long short-term memory.

use oplink_api::{DType, Result};
use oplink_ops::{BlockLSTMV2, block_lstmv2};

use super::steps::first_state;
use super::{Recurrent, recurrent_layer};
use crate::layers::kernel;
use crate::module::module;
use crate::run::has_kernel;
use crate::s;
use crate::scope::apply;
use crate::trace::is_for_export;
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
    unrolls: Option<bool>,
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
            unrolls: None,
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

    /// By `BlockLSTMV2`, whose gates are in the same order. Not in models that are written: TensorFlow takes the op's
    /// gradient for that of `BlockLSTM`, whose gates are in another.
    fn sequence(&self, x: &Value, backward: bool) -> Result<Option<Value>> {
        let dtype = x.dtype()?;
        let is_asked = self.unrolls.is_none() && matches!(dtype, DType::Half | DType::Float);
        if !is_asked || is_for_export() || !has_kernel::<BlockLSTMV2>()? {
            return Ok(None);
        }
        let steps = match x.partial_shape()?.dim(1) {
            Some(0) => return Ok(None),
            Some(count) => Value::new(count as i64),
            None => x.shape_value()?.at(1)?.cast(DType::Int64)?,
        };
        let reversed = |by_step: Value| if backward { by_step.reverse([0]) } else { Ok(by_step) };
        let before = first_state(x, self.units)?;
        let weights = Value::concat([self.kernel.read()?, self.recurrent_kernel.read()?], 0)?;
        let x = reversed(x.transpose([1, 0, 2])?)?;
        let inputs = [steps, x, before, weights, Value::zeros(dtype, [self.units])?, self.bias.read()?];
        let (.., states) = apply(inputs, |scope, [steps, x, before, weights, peephole, bias]| {
            block_lstmv2(scope, steps, x, before, before, weights, peephole, peephole, peephole, bias)
        })?;
        if self.returns_sequences {
            return reversed(states)?.transpose([1, 0, 2]).map(Some);
        }
        states.slice(s![-1]).map(Some)
    }

    fn returns_sequences(&self) -> bool {
        self.returns_sequences
    }

    fn unrolls(&self) -> bool {
        self.unrolls.unwrap_or(true)
    }
}
