//! The kernels of the nodes that run.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use oplink_api::{AttrValue, Error, NodeInfo, Output, Result, Tensor};
use oplink_core::PreparedKernel;

use crate::Graph;
use crate::executor::is_reference;
use crate::functions::as_call;
use crate::graph::{Node, NodeMap};
use crate::known_ops::{CONST, is_control_flow, is_identity};
use crate::plan::Placement;

/// Nodes without a kernel that an error describes.
const MAX_DESCRIBED: usize = 20;

/// Kernels of nodes with state, by node name: all plans of a session share them, so that a random sequence goes on
/// whatever is fetched.
#[derive(Default)]
pub(crate) struct KernelCache(Mutex<HashMap<String, Arc<PreparedKernel>>>);

impl KernelCache {
    /// The kernel of the node, made where there is none.
    fn get_or_make(
        &self,
        node: &NodeInfo,
        make: impl FnOnce() -> Result<PreparedKernel>,
    ) -> Result<Arc<PreparedKernel>> {
        if !node.op.flags.stateful {
            return make().map(Arc::new);
        }
        let is_same = |kernel: &&Arc<PreparedKernel>| {
            let known = kernel.node();
            known.op.name == node.op.name && known.attrs == node.attrs
        };
        let find = || self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&node.name).filter(is_same).cloned();
        if let Some(kernel) = find() {
            return Ok(kernel);
        }
        let kernel = Arc::new(make()?);
        if let Some(kernel) = find() {
            return Ok(kernel);
        }
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(node.name.clone(), kernel.clone());
        Ok(kernel)
    }
}

/// The kernels of a part of a graph, by node.
pub(crate) struct Kernels(NodeMap<Arc<PreparedKernel>>);

impl Kernels {
    /// The kernels of those among the needed nodes that compute something.
    ///
    /// # Errors
    /// Nodes that have no kernel, whose kernel cannot be constructed, or that must run elsewhere, all in one error.
    pub(crate) fn prepare(
        graph: &Graph,
        needed: &[u32],
        feeds: &[Output],
        placement: Placement<'_>,
        cache: &KernelCache,
    ) -> Result<Self> {
        let (mut kernels, mut failed) = (NodeMap::default(), Vec::new());
        for &position in needed {
            let node = &graph.nodes()[position as usize];
            if constant_of(node).is_some()
                || hands_input_on(graph, node, feeds).is_some()
                || is_control_flow(node.op_name())
            {
                continue;
            }
            match cache.get_or_make(node.info(), || prepare_node(graph, node, placement)) {
                Ok(kernel) => drop(kernels.insert(position, kernel)),
                Err(error) => failed.push(error),
            }
        }
        match failed.len() {
            0 => Ok(Self(kernels)),
            1 => Err(failed.swap_remove(0)),
            count => Err(several(&failed, count)),
        }
    }

    /// The kernel of the node at a position.
    pub(crate) fn of(&self, position: u32) -> Result<&Arc<PreparedKernel>> {
        self.0.get(position).ok_or_else(|| Error::internal(format!("node {position} has no kernel")))
    }

    /// All of them.
    pub(crate) fn all(&self) -> impl Iterator<Item = &PreparedKernel> {
        self.0.values().map(|kernel| &**kernel)
    }
}

/// The value of a constant.
pub(crate) fn constant_of(node: &Node) -> Option<&Tensor> {
    match node.info().attrs.get("value") {
        Some(AttrValue::Tensor(value)) if node.op_name() == CONST => Some(value),
        _ => None,
    }
}

/// The input of a node that hands it on as its output: not one that reads a reference.
pub(crate) fn hands_input_on(graph: &Graph, node: &Node, feeds: &[Output]) -> Option<Output> {
    match node.inputs() {
        [input] if is_identity(node.op_name()) && (feeds.contains(input) || !is_reference(graph, *input)) => {
            Some(*input)
        }
        _ => None,
    }
}

/// Whether a run of the kernel calls functions, whose nodes may wait.
pub(crate) fn calls_functions(kernel: &PreparedKernel) -> bool {
    let function = |(_, value): (&str, &AttrValue)| matches!(value, AttrValue::Func(_) | AttrValue::Funcs(_));
    kernel.node().attrs.iter().any(function)
}

fn prepare_node(graph: &Graph, node: &Node, placement: Placement<'_>) -> Result<PreparedKernel> {
    placement.check(node.info())?;
    let call = as_call(graph, node.info())?;
    let mut info = call.unwrap_or_else(|| NodeInfo::clone(node.info()));
    placement.device.clone_into(&mut info.device);
    PreparedKernel::new(graph.registry(), Arc::new(info), placement.device_type)
}

#[cold]
fn several(failed: &[Error], count: usize) -> Error {
    let mut message = format!("{count} nodes of the graph cannot run:");
    for error in failed.iter().take(MAX_DESCRIBED) {
        message = format!("{message}\n- {error}");
    }
    if count > MAX_DESCRIBED {
        message = format!("{message}\n- and {} more", count - MAX_DESCRIBED);
    }
    Error::new(failed[0].code(), failed[0].kind(), message)
}
