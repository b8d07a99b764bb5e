//! Functions that nodes of a trace call: bodies of conditions and loops, traced and made into functions of the graph.

use oplink_api::call::{Arg, Call};
use oplink_api::{AttrValue, DType, Error, FuncAttr, NodeInfo, Op, Output, PartialShape, Result, ResultExt};
use oplink_graph::FunctionOptions;
use oplink_ops::{Identity, If, StatelessIf, StatelessWhile, While};

use super::{Trace, with_current, within};
use crate::run::call;
use crate::tape;
use crate::value::Value;

/// A body that was traced: what it gives of the arguments and of what it takes from around it.
pub(super) struct Body {
    trace: Trace,
    arguments: Vec<Output>,
    results: Vec<Output>,
}

impl Body {
    /// Traces a body of arguments of these dtypes and shapes inside the trace of this thread.
    pub(super) fn trace(
        arguments: &[(DType, PartialShape)],
        body: impl FnOnce(Vec<Value>) -> Result<Vec<Value>>,
    ) -> Result<Self> {
        let mut trace = with_current(|outer| Ok(outer.of_body()))?;
        let (mut values, mut fed) = (Vec::new(), Vec::new());
        for (dtype, shape) in arguments {
            let (value, output) = trace.placeholder("argument", *dtype, shape.clone())?;
            values.push(value);
            fed.push(output);
        }
        let traced = tape::suspended(|| {
            within(trace, || {
                let results = body(values)?.into_iter().map(Value::ok).collect::<Result<Vec<_>>>()?;
                // A result may be a constant or a value from around, which become outputs here.
                results.into_iter().map(|result| call::<Identity>([result])).collect::<Result<Vec<_>>>()
            })
        });
        let (results, mut trace) = traced?;
        let results = results.iter().map(|result| trace.output(result)).collect::<Result<_>>()?;
        with_current(|outer| {
            outer.next_function = trace.next_function;
            Ok(())
        })?;
        trace.watched.iter().for_each(tape::watch_on_all);
        Ok(Self { trace, arguments: fed, results })
    }

    /// Dtypes and shapes of the results.
    pub(super) fn results(&self) -> Vec<(DType, PartialShape)> {
        let described = |&output: &Output| {
            (self.trace.graph.dtype(output).unwrap_or(DType::Invalid), self.trace.graph.shape(output))
        };
        self.results.iter().map(described).collect()
    }

    /// Whether a call of it changes a variable, or does something else than to give values.
    pub(super) fn has_effects(&self) -> bool {
        !self.trace.effects.is_empty()
    }

    /// The values that bodies take from around them, each once.
    pub(super) fn taken(bodies: &mut [Self; 2]) -> Result<Vec<Value>> {
        let [first, second] = bodies;
        let others: Vec<Value> = second.trace.taken.iter().map(|(value, _)| value.clone()).collect();
        others.iter().try_for_each(|value| first.trace.output(value).map(|_| ()))?;
        let all: Vec<Value> = first.trace.taken.iter().map(|(value, _)| value.clone()).collect();
        all.iter().try_for_each(|value| second.trace.output(value).map(|_| ()))?;
        Ok(all)
    }

    /// Adds the body to the trace of this thread, as a function of its arguments and of `taken`; what nodes name it by,
    /// and whether it has state. It gives its results, and behind them what it took where `gives_taken`.
    pub(super) fn add(mut self, name: &str, taken: &[Value], gives_taken: bool) -> Result<(FuncAttr, bool)> {
        let behind = taken.iter().map(|value| self.trace.output(value)).collect::<Result<Vec<_>>>()?;
        let inputs = [&self.arguments[..], &behind].concat();
        let outputs = [&self.results[..], if gives_taken { &behind } else { &[] }].concat();
        let trace = &self.trace;
        with_current(|outer| {
            if let Some(library) = trace.graph.library() {
                library.function.iter().try_for_each(|function| outer.graph.add_function(function))?;
            }
            outer.asks_for_devices |= trace.asks_for_devices;
            let name = format!("{name}_{}", outer.next_function);
            outer.next_function += 1;
            let options = FunctionOptions { control_outputs: &trace.effects, ..FunctionOptions::default() };
            let function = trace.graph.to_function(&name, &inputs, &outputs, &options)?;
            outer.graph.add_function(&function)?;
            let is_stateful = function.signature.is_some_and(|signature| signature.is_stateful);
            Ok((FuncAttr { name, ..FuncAttr::default() }, is_stateful))
        })
    }
}

/// Adds a call of functions to the trace of this thread, for tapes to record.
pub(super) fn add_call(call: Call<Value>, has_effects: bool, inputs: Vec<Value>) -> Result<Vec<Value>> {
    let (outputs, node) = with_current(|trace| trace.add_that(call, !has_effects))?;
    if tape::is_recording() {
        tape::record(&node, inputs, &outputs.values);
    }
    Ok(outputs.values.into_vec())
}

/// The attrs of dtypes and shapes.
pub(super) fn types_and_shapes(described: &[(DType, PartialShape)]) -> (AttrValue, AttrValue) {
    let (types, shapes) = described.iter().cloned().unzip();
    (AttrValue::Types(types), AttrValue::Shapes(shapes))
}

/// What tapes know a call of functions by: an output of it.
pub(crate) fn function_call<'a>(node: &NodeInfo, outputs: &'a [Value]) -> Option<&'a Value> {
    let ops = [If::NAME, StatelessIf::NAME, While::NAME, StatelessWhile::NAME];
    let first = outputs.first().filter(|output| output.as_traced().is_some());
    first.filter(|_| ops.contains(&node.op.name.as_ref()))
}

/// The gradients by the inputs of a call that are wanted, of those of its outputs.
pub(crate) fn gradients_of_call(call: &Value, sums: &[Option<Value>], wanted: &[bool]) -> Result<Vec<Option<Value>>> {
    with_current(|trace| {
        let node = match call.as_traced() {
            Some(traced) if trace.owns(call) => traced.output.node,
            _ => {
                let message = "a gradient passes through a `cond` or `while_loop` of another trace: ask for it where the \
                               condition or loop is";
                return Err(Error::invalid_argument(message));
            }
        };
        let output = |trace: &mut Trace, sum: &Option<Value>| sum.as_ref().map(|sum| trace.output(sum)).transpose();
        let sums = sums.iter().map(|sum| output(trace, sum)).collect::<Result<Vec<_>>>()?;
        let gradients = trace.graph.add_gradients_of_call(node, &sums, wanted)?;
        gradients.into_iter().enumerate().map(|(at, gradient)| trace.of_input(node, at, gradient)).collect()
    })
    .context_with(|| "while a traced function was differentiated")
}

impl Trace {
    /// The gradient by an input of a node, which has the input's shape, or that of the variable which it is a handle
    /// of.
    fn of_input(&mut self, node: u32, at: usize, gradient: Option<Output>) -> Result<Option<Value>> {
        let Some(gradient) = gradient else { return Ok(None) };
        let input = self.graph.nodes()[node as usize].inputs()[at];
        let shape = match self.graph.dtype(input) {
            Some(DType::Resource) => {
                let held = self.graph.nodes()[input.node as usize].handle_shapes(input.index as usize).first();
                held.map_or_else(PartialShape::unknown, |(_, shape)| shape.clone())
            }
            _ => self.graph.shape(input),
        };
        self.graph.set_shape(gradient, &shape)?;
        Ok(Some(self.value(gradient)))
    }
}

/// A call without attrs.
pub(super) fn named(op: &'static str, inputs: impl IntoIterator<Item = Arg<Value>>) -> Call<Value> {
    Call { op, name: None, device: None, inputs: inputs.into_iter().collect(), attrs: Vec::new() }
}
