//! The gradient of a whole function, or of an op, as a function.

use oplink_api::{AttrValue, DType, FuncAttr, Output, PartialShape, Result};
use oplink_core::node_from_attrs;

use super::body::zeros_of;
use super::is_trainable;
use crate::build::NewNode;
use crate::functions::Body;
use crate::gradients::Differentiation;
use crate::{Graph, GraphScope};

/// The name scope of the gradient's nodes.
const PREFIX: &str = "gradients/";

impl Body {
    /// A body of a single op, with these attrs, whose arguments are the op's inputs and whose results its outputs.
    ///
    /// # Errors
    /// The op is not declared, or does not allow an attr.
    pub(crate) fn of_op(mut graph: Graph, op: &FuncAttr) -> Result<Self> {
        let attrs: Vec<(&str, AttrValue)> = op.attrs.iter().map(|(name, value)| (name, value.clone())).collect();
        let info = node_from_attrs(graph.op(&op.name)?, "op", "", attrs.iter().cloned())?;
        let (input_dtypes, output_dtypes) = (info.input_dtypes, info.output_dtypes);
        let mut arguments = Vec::with_capacity(input_dtypes.len());
        for &dtype in &input_dtypes {
            arguments.push(graph.scope().placeholder("argument", dtype, PartialShape::unknown())?);
        }
        let new = NewNode { op: &op.name, name: "op", device: "", inputs: &[], control_inputs: &[], attrs: &attrs };
        let node = graph.add_flat(new, &arguments)?;
        let results = (0..output_dtypes.len() as u32).map(|index| Output { node, index }).collect();
        let effects = if info.op.flags.stateful { vec![node] } else { Vec::new() };
        Ok(Self { graph, arguments, results, effects, input_dtypes, output_dtypes })
    }

    /// The gradient of a body as a body: it takes the arguments and a gradient of each result, and returns a gradient
    /// of each argument, zeros where none arrives.
    ///
    /// # Errors
    /// An op has no gradient; those of the functions that the body calls.
    pub(crate) fn into_gradient(self) -> Result<Self> {
        let Self { mut graph, arguments: xs, results, effects, mut input_dtypes, output_dtypes } = self;
        let (mut arguments, mut ys, mut dys) = (xs.clone(), Vec::new(), Vec::new());
        for (&result, &dtype) in results.iter().zip(&output_dtypes) {
            let shape = graph.shape(result);
            let dy = graph.scope().placeholder("dy", dtype, shape)?;
            arguments.push(dy);
            if is_trainable(dtype) {
                ys.push(result);
                dys.push(dy);
            }
        }
        let found = Differentiation { ys: &ys, xs: &xs, dys: &dys, prefix: PREFIX }.add_to(&mut graph)?;
        let mut gradients = Vec::with_capacity(xs.len());
        for ((found, &x), &dtype) in found.into_iter().zip(&xs).zip(&input_dtypes) {
            gradients.push(match found {
                Some(gradient) => gradient,
                None => zeros(&mut graph, x, dtype)?,
            });
        }
        let output_dtypes_of_gradient = input_dtypes.clone();
        input_dtypes.extend(output_dtypes);
        Ok(Self {
            graph,
            arguments,
            results: gradients,
            effects,
            input_dtypes,
            output_dtypes: output_dtypes_of_gradient,
        })
    }
}

fn zeros(graph: &mut Graph, x: Output, dtype: DType) -> Result<Output> {
    let shape = graph.shape(x);
    zeros_of(&mut GraphScope::inside(graph, PREFIX), x, dtype, &shape)
}
