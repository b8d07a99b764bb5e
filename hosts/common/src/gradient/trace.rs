//! Gradients traced once: a scope that records the nodes that a gradient function adds.

use oplink_api::call::{Arg, Call, Outputs};
use oplink_api::resolve::{ArgDTypes, node_for_call};
use oplink_api::{AttrValue, DType, Error, NodeInfo, Output, Result, Scope, Tensor};
use smallvec::SmallVec;

use super::NodeOps;
use crate::table::HostedOp;

/// The node that stands for the inputs of the differentiated op.
pub(crate) const INPUTS: u32 = 0;
/// The node of the differentiated op.
pub(crate) const OP: u32 = 1;
/// The node that stands for the gradients of its outputs.
pub(crate) const GRADIENTS: u32 = 2;
/// The first node that is recorded.
pub(crate) const FIRST: u32 = 3;

/// What a gradient function added.
pub(crate) enum Recorded {
    Constant(Tensor),
    Node(Node),
}

/// A node of an op of the crate, of one that it lists for gradients, or of the host.
pub(crate) struct Node {
    pub(crate) op: &'static str,
    /// Attrs given.
    pub(crate) attrs: Vec<(&'static str, AttrValue)>,
    pub(crate) inputs: SmallVec<[Arg<Output>; 4]>,
}

/// A scope that records.
pub(crate) struct TraceScope<'a> {
    nodes: &'a NodeOps,
    pub(crate) recorded: Vec<Recorded>,
    /// The dtypes of outputs by node, as far as they are known.
    dtypes: Vec<Vec<DType>>,
}

impl<'a> TraceScope<'a> {
    /// Around a node of the differentiated op.
    pub(crate) fn new(nodes: &'a NodeOps, node: &NodeInfo) -> Self {
        let (inputs, outputs) = (node.input_dtypes.clone(), node.output_dtypes.clone());
        Self { nodes, recorded: Vec::new(), dtypes: vec![inputs, outputs.clone(), outputs] }
    }

    /// The dtype of a value; `Invalid` for one that an op of the host made.
    pub(super) fn dtype(&self, output: Output) -> Result<DType> {
        let outputs = self.dtypes.get(output.node as usize);
        let none = || Error::invalid_argument("a gradient names an output that there is not");
        outputs.and_then(|outputs| outputs.get(output.index as usize)).copied().ok_or_else(none)
    }

    fn push(&mut self, recorded: Recorded, dtypes: Vec<DType>) -> u32 {
        self.recorded.push(recorded);
        self.dtypes.push(dtypes);
        FIRST + self.recorded.len() as u32 - 1
    }

    /// The node's outputs: of an op that is here as its declaration tells, of one of the host a single one.
    fn outputs(&self, call: &Call<Output>) -> Result<(Vec<DType>, Vec<std::ops::Range<usize>>)> {
        let mut dtypes: Vec<Vec<DType>> = Vec::new();
        for input in &call.inputs {
            dtypes.push(match input {
                Arg::One(one) => vec![self.dtype(*one)?],
                Arg::List(list) => list.iter().map(|one| self.dtype(*one)).collect::<Result<_>>()?,
            });
        }
        let single = || (vec![DType::Invalid], std::iter::once(0..1).collect());
        let Some(op) = self.nodes.op(call.op) else { return Ok(single()) };
        if dtypes.iter().flatten().any(|dtype| *dtype == DType::Invalid) {
            return by_declaration(op);
        }
        let grouped = dtypes.iter().zip(&call.inputs).map(|(dtypes, input)| match (input, dtypes.as_slice()) {
            (Arg::One(_), [dtype]) => ArgDTypes::One(*dtype),
            (_, dtypes) => ArgDTypes::List(dtypes),
        });
        let grouped: Vec<ArgDTypes<'_>> = grouped.collect();
        let node = node_for_call(op, call.op, "CPU", &grouped, call.attrs.iter().cloned())?;
        Ok((node.output_dtypes, node.output_ranges))
    }
}

/// The outputs of an op where dtypes of its inputs are the host's to know.
fn by_declaration(op: &HostedOp) -> Result<(Vec<DType>, Vec<std::ops::Range<usize>>)> {
    if op.spec.outputs.iter().any(oplink_api::spec::ArgSpec::is_sequence) {
        return Err(Error::unimplemented(format!(
            "the number of outputs of {} follows from dtypes of values that ops of the host made",
            op.spec.name
        )));
    }
    let count = op.spec.outputs.len();
    Ok((vec![DType::Invalid; count], (0..count).map(|at| at..at + 1).collect()))
}

impl Scope for TraceScope<'_> {
    fn add(&mut self, call: Call<Output>) -> Result<Outputs<Output>> {
        let (dtypes, ranges) = self.outputs(&call)?;
        let count = dtypes.len() as u32;
        let Call { op, inputs, attrs, .. } = call;
        let node = self.push(Recorded::Node(Node { op, attrs, inputs }), dtypes);
        let values = (0..count).map(|index| Output { node, index }).collect();
        Ok(Outputs { values, ranges: ranges.into_iter().collect(), node })
    }

    fn constant(&mut self, value: Tensor) -> Result<Output> {
        let dtype = value.dtype();
        let node = self.push(Recorded::Constant(value), vec![dtype]);
        Ok(Output { node, index: 0 })
    }
}
