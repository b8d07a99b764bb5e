//! The variables that an optimiser's op updates: the one to train, and the slots that hold its state.

use std::sync::Arc;

use oplink::prelude::*;
use oplink::resource::{Variable, VariableGuard};

/// The variables of a step, with the names of their inputs: first the one to train.
#[derive(Debug)]
pub struct Slots<'a, const N: usize> {
    variables: [Arc<Variable>; N],
    names: [&'a str; N],
}

/// The values of [`Slots`], while nobody else can change them.
pub type Locked<'a, const N: usize> = [VariableGuard<'a>; N];

impl<'a, const N: usize> Slots<'a, N> {
    /// The variables behind these inputs.
    ///
    /// # Errors
    /// One of them does not exist.
    pub fn of(inputs: [&Input<'a>; N]) -> Result<Self> {
        let mut variables = Vec::with_capacity(N);
        for input in inputs {
            let variable = input.resource();
            variables.push(variable.map_err(|error| error.context(format!("input `{}`", input.name())))?);
        }
        let variables = variables.try_into().map_err(|_| Error::internal("a variable for each input"))?;
        Ok(Self { variables, names: inputs.map(Input::name) })
    }

    /// Locks the variables together. Their values exist, are of this dtype, and have one shape.
    ///
    /// # Errors
    /// They do not.
    pub fn lock(&self, dtype: DType) -> Result<Locked<'_, N>> {
        let guards = Variable::lock_all(self.variables.each_ref().map(|variable| &**variable))?;
        for (guard, name) in guards.iter().zip(self.names) {
            let value = guard.value().map_err(|error| error.context(format!("input `{name}`")))?;
            ensure!(value.dtype() == dtype, "variable `{name}` holds {}, not {dtype}", value.dtype());
            let (shape, first) = (value.shape(), guards[0].value()?.shape());
            ensure!(shape == first, "variable `{name}` has the shape {shape}, the one to train {first}");
        }
        Ok(guards)
    }
}

/// Elements of a row of a variable whose gradient has a row for each of `indices`.
///
/// # Errors
/// The shapes do not fit.
pub fn row_length(variable: &Shape, gradient: &Shape, indices: &Shape) -> Result<usize> {
    ensure!(variable.rank() > 0, "the variable must be at least a vector, it is a scalar");
    ensure!(indices.rank() == 1, "indices must be a vector, it has shape {indices}");
    let fits = gradient.rank() == variable.rank() && gradient[1..] == variable[1..] && gradient[0] == indices[0];
    ensure!(fits, "a gradient of shape {gradient} does not give {} rows of a variable of shape {variable}", indices[0]);
    Ok(variable[1..].iter().product())
}
