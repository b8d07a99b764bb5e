//! Graph and eager calls.

use crate::call::{Arg, Call, FlatCall, IntoTensor, IntoTensors, Operand, Operands, Outputs, default_host};
use crate::{Error, Output, Result, Scope, Tensor};

/// Makes an input of a graph call.
///
/// # Errors
/// As [`Operand::to_output`].
pub fn graph_arg(value: impl Operand, scope: &mut dyn Scope) -> Result<Arg<Output>> {
    value.to_output(scope).map(Arg::One)
}

/// Makes the inputs of a list of a graph call.
///
/// # Errors
/// As [`Operand::to_output`].
pub fn graph_args(values: impl Operands, scope: &mut dyn Scope) -> Result<Arg<Output>> {
    values.to_outputs(scope).map(Arg::List)
}

/// Makes an input of an eager call of an op without lists.
#[inline]
pub fn flat_arg(value: impl IntoTensor) -> Tensor {
    value.into_tensor()
}

/// Makes an input of an eager call.
pub fn eager_arg(value: impl IntoTensor) -> Arg<Tensor> {
    Arg::One(value.into_tensor())
}

/// Makes the inputs of a list of an eager call.
pub fn eager_args(values: impl IntoTensors) -> Arg<Tensor> {
    Arg::List(values.into_tensors())
}

/// A call that collects attrs before its inputs are known.
#[derive(Clone, Debug)]
#[must_use]
pub struct CallBuilder {
    op: &'static str,
    name: Option<String>,
    device: Option<String>,
    attrs: Vec<(&'static str, crate::AttrValue)>,
}

impl CallBuilder {
    pub const fn new(op: &'static str) -> Self {
        Self { op, name: None, device: None, attrs: Vec::new() }
    }

    pub fn name(mut self, name: String) -> Self {
        self.name = Some(name);
        self
    }

    pub fn device(mut self, device: String) -> Self {
        self.device = Some(device);
        self
    }

    pub fn attr(mut self, name: &'static str, value: impl Into<crate::AttrValue>) -> Self {
        self.attrs.push((name, value.into()));
        self
    }

    /// Adds the node.
    ///
    /// # Errors
    /// As [`Scope::add`].
    pub fn add<const N: usize>(self, scope: &mut dyn Scope, inputs: [Arg<Output>; N]) -> Result<Outputs<Output>> {
        scope.add(self.with(inputs))
    }

    /// Runs the op on the default runtime.
    ///
    /// # Errors
    /// As [`EagerHost::execute`](crate::call::EagerHost::execute); no runtime is linked.
    pub fn execute<const N: usize>(self, inputs: [Arg<Tensor>; N]) -> Result<Outputs<Tensor>> {
        default_host()?.execute(self.with(inputs))
    }

    /// Runs an op without lists on the default runtime.
    ///
    /// # Errors
    /// As [`execute`](Self::execute).
    #[inline]
    pub fn execute_flat<const N: usize, const M: usize>(self, mut inputs: [Tensor; N]) -> Result<[Tensor; M]> {
        let (name, device) = (self.name.as_deref(), self.device.as_deref());
        let call = FlatCall { op: self.op, name, device, inputs: &mut inputs, attrs: &self.attrs };
        let mut outputs = [const { None }; M];
        default_host()?.execute_flat(call, &mut outputs)?;
        if outputs.iter().any(Option::is_none) {
            return Err(missing_output(self.op));
        }
        Ok(outputs.map(|output| output.unwrap_or_else(Tensor::empty)))
    }

    fn with<V, const N: usize>(self, inputs: [Arg<V>; N]) -> Call<V> {
        let Self { op, name, device, attrs } = self;
        Call { op, name, device, inputs: inputs.into_iter().collect(), attrs }
    }
}

#[cold]
fn missing_output(op: &str) -> Error {
    Error::internal(format!("an output of {op} is missing"))
}
