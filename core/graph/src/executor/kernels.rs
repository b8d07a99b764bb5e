//! The kernels of the nodes that run.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use oplink_api::{AttrValue, Error, NodeInfo, Output, Result, Tensor};
use oplink_core::{Device, PreparedKernel};

use crate::Graph;
use crate::executor::is_reference;
use crate::functions::{as_call, names_function};
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
        device: &str,
        make: impl FnOnce() -> Result<PreparedKernel>,
    ) -> Result<Arc<PreparedKernel>> {
        if !node.op.flags.stateful {
            return make().map(Arc::new);
        }
        let is_same = |kernel: &&Arc<PreparedKernel>| {
            let known = kernel.node();
            known.op.name == node.op.name && known.attrs == node.attrs && known.device == device
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
        assigned: Assigned<'_>,
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
            if let Some(copy) = assigned.copy(position) {
                kernels.insert(position, copy.clone());
                continue;
            }
            let device = assigned.device(position, node.info());
            let kernel = device.and_then(|(device, device_type)| {
                cache.get_or_make(node.info(), device, || prepare_node(graph, node, device, device_type))
            });
            match kernel {
                Ok(kernel) => drop(kernels.insert(position, kernel)),
                Err(error) => failed.push(error),
            }
        }
        in_one_error(failed)?;
        Ok(Self(kernels))
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
    names_function(&kernel.node().attrs)
}

/// Where each node runs.
#[derive(Clone, Copy)]
pub(crate) enum Assigned<'a> {
    /// All on one device.
    One(Placement<'a>),
    /// Each on a device of its own, with the kernels of copies between their memories.
    Each { devices: &'a NodeMap<Arc<dyn Device>>, copies: Option<&'a NodeMap<Arc<PreparedKernel>>> },
}

impl<'a> Assigned<'a> {
    /// Full name and type of a node's device.
    fn device(&self, position: u32, node: &NodeInfo) -> Result<(&'a str, &'a str)> {
        match self {
            Self::One(placement) => {
                placement.check(node)?;
                Ok((placement.device, placement.device_type))
            }
            Self::Each { devices, .. } => {
                let device = devices.get(position);
                let device = device.ok_or_else(|| Error::internal(format!("`{}` is not placed", node.name)))?;
                Ok((device.name(), device.device_type()))
            }
        }
    }

    /// The kernel of a copy.
    fn copy(&self, position: u32) -> Option<&'a Arc<PreparedKernel>> {
        match self {
            Self::One(_) => None,
            Self::Each { copies, .. } => copies.and_then(|copies| copies.get(position)),
        }
    }
}

fn prepare_node(graph: &Graph, node: &Node, device: &str, device_type: &str) -> Result<PreparedKernel> {
    let call = as_call(graph, node.info())?;
    let mut info = call.unwrap_or_else(|| NodeInfo::clone(node.info()));
    device.clone_into(&mut info.device);
    PreparedKernel::new(graph.registry(), Arc::new(info), device_type)
}

/// Nodes that cannot run, in one error.
///
/// # Errors
/// There are some.
pub(crate) fn in_one_error(mut failed: Vec<Error>) -> Result<()> {
    match failed.len() {
        0 => Ok(()),
        1 => Err(failed.swap_remove(0)),
        count => Err(several(&failed, count)),
    }
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
