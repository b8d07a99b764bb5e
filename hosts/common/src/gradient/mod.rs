//! Ops that compute gradients: for each op with a gradient function `<Op>Grad`, in every host.
//!
//! `declare` makes the op's declaration of that of the differentiated op, `record` runs the gradient function, whose
//! nodes `trace` keeps; `infer` follows shapes through them, `plan` prepares their kernels, and `kernel` runs these one
//! after the other, in memory of Rust. Nodes may be of ops of the crate, and of those that it lists for its gradients.

mod declare;
mod infer;
mod kernel;
mod plan;
mod record;
mod trace;

use std::sync::Arc;

use oplink_api::resolve::{grouped, node_for_call};
use oplink_api::{NodeInfo, Result, ensure};

use crate::table::HostedOp;
pub(crate) use declare::gradient_op;
pub(crate) use infer::result_shapes;
pub(crate) use plan::Plan;
pub(crate) use record::{Program, Recording, Shapes, record};
pub(crate) use trace::{FIRST, INPUTS, Node, OP, Recorded};

/// The ops that nodes of gradients may be of.
#[derive(Debug)]
pub(crate) struct NodeOps {
    /// Those of the crate.
    pub(crate) own: Vec<Arc<HostedOp>>,
    /// Those that the crate lists for its gradients: no host sees them.
    pub(crate) others: Vec<Arc<HostedOp>>,
}

impl NodeOps {
    /// The op of that name.
    pub(crate) fn op(&self, name: &str) -> Option<&HostedOp> {
        self.own(name).or_else(|| find(&self.others, name))
    }

    /// The op of that name, where it is one of the crate.
    pub(crate) fn own(&self, name: &str) -> Option<&HostedOp> {
        find(&self.own, name)
    }
}

fn find<'a>(ops: &'a [Arc<HostedOp>], name: &str) -> Option<&'a HostedOp> {
    ops.iter().find(|op| op.spec.name == name).map(|op| &**op)
}

/// What an op that computes gradients has beyond its declaration. Lives as long as the process.
#[derive(Debug)]
pub(crate) struct GradientOp {
    /// The differentiated op.
    of: Arc<HostedOp>,
    nodes: Arc<NodeOps>,
    /// The name of the attr that tells of each input of the differentiated op whether its gradient is used.
    wanted: String,
}

impl GradientOp {
    /// The name of the differentiated op.
    pub(crate) fn of_name(&self) -> &'static str {
        self.of.descriptor.name
    }

    /// Of each input argument of the differentiated op whether it has a gradient.
    pub(crate) fn differentiable(&self) -> Vec<bool> {
        let spec = &self.of.spec;
        spec.inputs.iter().map(|arg| declare::is_differentiable(spec, arg)).collect()
    }

    /// The node of the differentiated op, by a node of this one.
    fn forward(&self, node: &NodeInfo) -> Result<NodeInfo> {
        let ranges = node.input_ranges.get(..self.of.spec.inputs.len()).unwrap_or_default();
        let inputs = grouped(&self.of.spec, &node.input_dtypes, ranges);
        let attrs = self.of.given_attrs().filter_map(|attr| Some((&*attr.name, node.attrs.get(&attr.name)?.clone())));
        node_for_call(&*self.of, self.of_name(), "CPU", &inputs, attrs)
    }

    /// Of each input of the differentiated op whether its gradient is used.
    fn wanted(&self, node: &NodeInfo, forward: &NodeInfo) -> Result<Vec<bool>> {
        let (given, inputs) = (node.attr::<&[bool]>(&self.wanted)?, forward.input_dtypes.len());
        ensure!(
            given.is_empty() || given.len() == inputs,
            "attr `{}` tells of {} inputs, {} has {inputs}",
            self.wanted,
            given.len(),
            self.of_name()
        );
        Ok(if given.is_empty() { vec![true; inputs] } else { given.to_vec() })
    }

    /// The input of the differentiated op that each output is the gradient of.
    fn targets(&self, forward: &NodeInfo) -> Vec<usize> {
        let inputs = self.of.spec.inputs.iter().zip(&forward.input_ranges);
        let differentiable = inputs.filter(|(arg, _)| declare::is_differentiable(&self.of.spec, arg));
        differentiable.flat_map(|(_, range)| range.clone()).collect()
    }
}
