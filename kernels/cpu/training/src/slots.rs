//! The variables that an optimiser's op updates: the one to train, and the slots that hold its state.

use std::sync::Arc;

use oplink::prelude::*;
use oplink::{InputParam, Variable, VariableGuard};

/// The variables of a step, with the names of their inputs: first the one to train.
#[derive(Debug)]
pub struct Slots<'a, const N: usize> {
    variables: [Arc<Variable>; N],
    names: [&'a str; N],
}

/// The values of [`Slots`], while nobody else can change them.
pub type Locked<'a, const N: usize> = [VariableGuard<'a>; N];

impl<'a, const N: usize> Slots<'a, N> {
    /// The variables behind the first `N` inputs.
    ///
    /// # Errors
    /// One of them does not exist.
    pub fn of(context: &'a KernelContext<'_>) -> Result<Self> {
        let op = &*context.node().op;
        Self::find(|index| (op.inputs[index].name.as_str(), context.resource(index)))
    }

    /// The variables behind these inputs.
    ///
    /// # Errors
    /// One of them does not exist.
    pub(crate) fn of_inputs(inputs: [&Input<'a>; N]) -> Result<Self> {
        Self::find(|index| (inputs[index].name(), inputs[index].resource()))
    }

    fn find(input: impl Fn(usize) -> (&'a str, Result<Arc<Variable>>)) -> Result<Self> {
        let (mut names, mut variables) = ([""; N], Vec::with_capacity(N));
        for (index, slot) in names.iter_mut().enumerate() {
            let (name, variable) = input(index);
            variables.push(variable.map_err(|error| error.context(format!("input `{name}`")))?);
            *slot = name;
        }
        let variables = variables.try_into().map_err(|_| Error::internal("a variable for each input"))?;
        Ok(Self { variables, names })
    }

    /// As [`guards`](Self::guards), in a run of a raw kernel.
    ///
    /// # Errors
    /// Those of `guards`.
    pub fn lock(&self, _: &KernelContext<'_>, dtype: DType) -> Result<Locked<'_, N>> {
        self.guards(dtype)
    }

    /// Locks the variables together. Their values exist, are of this dtype, and have one shape.
    ///
    /// # Errors
    /// They do not.
    pub fn guards(&self, dtype: DType) -> Result<Locked<'_, N>> {
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
