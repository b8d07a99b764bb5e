//! A scope whose outputs stand for values: graph functions of any op, and gradient functions, run over it.

use oplink_api::call::{Arg, Call, Outputs};
use oplink_api::{Error, Output, Result, Scope, Tensor};
use smallvec::SmallVec;

use crate::run::run;
use crate::value::{IntoValue, Value};

/// A [`Scope`] that runs what is added, or traces it: an [`Output`] of it stands for a value.
#[derive(Debug, Default)]
pub struct ValueScope {
    nodes: Vec<SmallVec<[Value; 2]>>,
}

impl ValueScope {
    /// One without values.
    pub fn new() -> Self {
        Self::default()
    }

    /// The output that stands for a value.
    pub fn output(&mut self, value: Value) -> Output {
        Output { node: self.put(std::iter::once(value).collect()), index: 0 }
    }

    /// The value that an output stands for.
    ///
    /// # Errors
    /// The output is of another scope.
    pub fn value(&self, output: Output) -> Result<Value> {
        let value = self.nodes.get(output.node as usize).and_then(|node| node.get(output.index as usize));
        value.cloned().ok_or_else(|| Error::invalid_argument("an output is used with a scope that it is not of"))
    }

    /// The number of a node with these outputs.
    pub(crate) fn put(&mut self, values: SmallVec<[Value; 2]>) -> u32 {
        self.nodes.push(values);
        self.nodes.len() as u32 - 1
    }

    fn arg(&self, arg: Arg<Output>) -> Result<Arg<Value>> {
        Ok(match arg {
            Arg::One(output) => Arg::One(self.value(output)?),
            Arg::List(outputs) => {
                Arg::List(outputs.into_iter().map(|output| self.value(output)).collect::<Result<_>>()?)
            }
        })
    }
}

impl Scope for ValueScope {
    fn add(&mut self, call: Call<Output>) -> Result<Outputs<Output>> {
        let Call { op, name, device, inputs, attrs } = call;
        let inputs = inputs.into_iter().map(|input| self.arg(input)).collect::<Result<_>>()?;
        let Outputs { values, ranges, .. } = run(Call { op, name, device, inputs, attrs })?;
        let count = values.len() as u32;
        let node = self.put(values);
        Ok(Outputs { values: (0..count).map(|index| Output { node, index }).collect(), ranges, node })
    }

    fn constant(&mut self, value: Tensor) -> Result<Output> {
        Ok(self.output(Value::from(value)))
    }
}

/// What a graph function returns, as values.
pub trait FromOutputs: Sized {
    /// The same with values in place of outputs.
    type Values;

    /// The values.
    ///
    /// # Errors
    /// An output is of another scope.
    fn values(self, scope: &ValueScope) -> Result<Self::Values>;
}

impl FromOutputs for Output {
    type Values = Value;

    fn values(self, scope: &ValueScope) -> Result<Value> {
        scope.value(self)
    }
}

impl FromOutputs for Vec<Output> {
    type Values = Vec<Value>;

    fn values(self, scope: &ValueScope) -> Result<Vec<Value>> {
        self.into_iter().map(|output| scope.value(output)).collect()
    }
}

impl FromOutputs for u32 {
    type Values = ();

    fn values(self, _: &ValueScope) -> Result<()> {
        Ok(())
    }
}

macro_rules! tuples {
    ($(($($name:ident),*);)*) => {$(
        impl<$($name: FromOutputs),*> FromOutputs for ($($name,)*) {
            type Values = ($($name::Values,)*);

            #[allow(non_snake_case, reason = "the names of types are those of the parts")]
            fn values(self, scope: &ValueScope) -> Result<Self::Values> {
                let ($($name,)*) = self;
                Ok(($($name.values(scope)?,)*))
            }
        }
    )*};
}

tuples! {
    (A, B);
    (A, B, C);
    (A, B, C, D);
    (A, B, C, D, E);
    (A, B, C, D, E, F);
    (A, B, C, D, E, F, G);
}

/// Calls graph functions on values, with whatever attrs: those of the built-in ops, of a program's own and of plugins.
///
/// ```ignore
/// let y = apply([&x], |scope, [x]| LeakyRelu::builder().alpha(0.1).build(scope, x))?;
/// ```
///
/// # Errors
/// What `call` returns; an operand that carries an error.
pub fn apply<R: FromOutputs, const N: usize>(
    inputs: [impl IntoValue; N],
    call: impl FnOnce(&mut dyn Scope, [Output; N]) -> Result<R>,
) -> Result<R::Values> {
    let mut scope = ValueScope::new();
    let mut outputs = [Output { node: 0, index: 0 }; N];
    for (output, input) in outputs.iter_mut().zip(inputs) {
        *output = scope.output(input.into_value(None)?);
    }
    call(&mut scope, outputs)?.values(&scope)
}
