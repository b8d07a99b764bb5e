//! In place of the dataflow executor, in builds without the feature `dataflow`: nothing can be built.
#![cfg_attr(test, allow(dead_code, reason = "tests have the executor too"))]

use std::sync::Arc;

use oplink_api::{Cancellation, Code, Error, ErrorKind, Result, Step, Tensor};
use oplink_core::{IntraOpPool, PreparedKernel};

use crate::Graph;
use crate::graph::Node;
use crate::kernels::{Envs, Kernels};
use crate::signature::Signature;

/// No value of it exists.
pub(crate) enum Dataflow {}

/// How many threads a run takes.
pub(crate) enum Threads {
    WhereWorthIt,
    FromStart,
    Never,
}

impl Dataflow {
    /// Whether the build has the executor.
    pub(crate) const IS_LINKED: bool = false;

    /// Refuses the graph and names a node that needs the executor.
    pub(crate) fn build(
        graph: &Graph,
        _: &Signature,
        needed: &[u32],
        kernels: &Kernels,
        _: Envs,
        _: Option<Arc<IntraOpPool>>,
        _: &Cancellation,
    ) -> Result<Self> {
        let mut nodes = needed.iter().map(|&node| &graph.nodes()[node as usize]);
        let decides = nodes.find(|node| node.known().is_control_flow()).map(Node::info);
        let finishes_later = || kernels.all().find(|kernel| kernel.is_async()).map(PreparedKernel::node);
        let node = decides.or_else(finishes_later);
        let node = node.map_or_else(String::new, |node| format!("node `{}` (op {})", node.name, node.op.name));
        let message = format!(
            "{node} needs the dataflow executor, which this build leaves out: enable the feature `dataflow` of `oplink`"
        );
        Err(Error::new(Code::Unimplemented, ErrorKind::Unimplemented, message))
    }

    pub(crate) fn run(
        &self,
        _: &Step,
        _: impl ExactSizeIterator<Item = Tensor>,
        _: &mut Vec<Tensor>,
        _: Threads,
    ) -> Result<()> {
        match *self {}
    }

    pub(crate) fn is_wide(&self, _: usize) -> bool {
        match *self {}
    }

    pub(crate) fn could_gain(&self, _: usize) -> bool {
        match *self {}
    }

    pub(crate) fn node_names(&self) -> std::iter::Empty<&str> {
        match *self {}
    }
}

#[cfg(test)]
mod tests {
    use oplink_api::descriptors::Location;
    use oplink_api::{DType, DefaultEnv};
    use oplink_core::{Registry, RegistryBuilder};
    use oplink_proto::{AttrValue, GraphDef, NodeDef, TensorProto, attr_value::Value};
    use oplink_spec::{Flags, OpSpec};

    use super::*;
    use crate::graph::Feeds;
    use crate::kernels::Placement;
    use crate::kernels::{Assigned, KernelCache};

    const HERE: Location = Location { crate_name: "tests", crate_version: "0.1.0", file: "absent.rs", line: 1 };

    fn registry() -> Arc<Registry> {
        let op = |name, inputs: &[&str], outputs: &[&str], attrs: &[&str]| {
            OpSpec::from_pieces(name, inputs, outputs, attrs, Flags::default(), None).unwrap()
        };
        let constant = op("Const", &[], &["output: dtype"], &["value: tensor", "dtype: type"]);
        let switch = op("Switch", &["data: T", "pred: bool"], &["output_false: T", "output_true: T"], &["T: type"]);
        let builder = RegistryBuilder::empty().dynamic_op(constant, None, "", HERE).dynamic_op(switch, None, "", HERE);
        Arc::new(builder.seal().unwrap())
    }

    fn node(name: &str, op: &str, inputs: &[&str], attrs: Vec<(&str, Value)>) -> NodeDef {
        let attr = |(name, value): (&str, Value)| (name.to_owned(), AttrValue { value: Some(value) });
        NodeDef {
            name: name.to_owned(),
            op: op.to_owned(),
            input: inputs.iter().map(|&input| input.to_owned()).collect(),
            attr: attrs.into_iter().map(attr).collect(),
            ..NodeDef::default()
        }
    }

    fn graph() -> Graph {
        let dtype = DType::Bool.number();
        let value = Value::Tensor(TensorProto { dtype, bool_val: vec![true], ..TensorProto::default() });
        let constant = node("c", "Const", &[], vec![("dtype", Value::Type(dtype)), ("value", value)]);
        let switch = node("which", "Switch", &["c", "c"], vec![("T", Value::Type(dtype))]);
        Graph::import(&GraphDef { node: vec![constant, switch], ..GraphDef::default() }, &registry()).unwrap()
    }

    #[test]
    fn what_needs_the_executor_is_refused_by_name() {
        let graph = graph();
        let signature = Signature::resolve(&graph, &[], &["which:1"], &[]).unwrap();
        let placement = Placement { device: "/device:CPU:0", device_type: "CPU", soft: true };
        let (needed, cancellation) = ([0, 1], Cancellation::default());
        let kernels = Kernels::prepare(
            &graph,
            &needed,
            &Feeds::default(),
            Assigned::One(placement),
            &KernelCache::default(),
            &cancellation,
        )
        .unwrap();
        let built = Dataflow::build(
            &graph,
            &signature,
            &needed,
            &kernels,
            Envs::host_only(Arc::new(DefaultEnv)),
            None,
            &cancellation,
        );
        let error = built.err().unwrap();
        assert_eq!(error.kind(), ErrorKind::Unimplemented);
        assert_eq!(
            error.message(),
            "node `which` (op Switch) needs the dataflow executor, which this build leaves out: enable the feature \
             `dataflow` of `oplink`"
        );
    }
}
