//! The kernels of the nodes that run.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use oplink_api::{Cancellation, Error, KernelOptions, NodeInfo, Output, Result, Tensor};
use oplink_core::{Device, PreparedKernel};
use smallvec::SmallVec;

use super::aggregate_errors;
use super::single_device::Placement;
use crate::Graph;
use crate::functions::{as_call, calls_waiting_function, names_function};
use crate::graph::{Feeds, Node, NodeMap, constant_of, forwarded_input};

/// Kernels of nodes with state, by node name: all plans of a session share them, so that a random sequence goes on
/// whatever is fetched.
#[derive(Default)]
pub(crate) struct KernelCache {
    stateful: Mutex<HashMap<String, Arc<PreparedKernel>>>,
    options: KernelOptions,
}

impl KernelCache {
    /// Empty, for kernels with these options.
    pub(crate) fn new(options: KernelOptions) -> Self {
        Self { stateful: Mutex::default(), options }
    }

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
            known.op_id() == node.op_id() && known.attrs == node.attrs && known.device == device
        };
        let find =
            || self.stateful.lock().unwrap_or_else(PoisonError::into_inner).get(&node.name).filter(is_same).cloned();
        if let Some(kernel) = find() {
            return Ok(kernel);
        }
        let kernel = Arc::new(make()?);
        if let Some(kernel) = find() {
            return Ok(kernel);
        }
        self.stateful.lock().unwrap_or_else(PoisonError::into_inner).insert(node.name.clone(), kernel.clone());
        Ok(kernel)
    }
}

/// The kernels of a part of a graph, by node.
pub(crate) struct Kernels {
    of: NodeMap<Arc<PreparedKernel>>,
    finishes_later: bool,
}

impl Kernels {
    /// The kernels of those among the needed nodes that compute something.
    ///
    /// # Errors
    /// Nodes that have no kernel, whose kernel cannot be constructed, or that must run elsewhere, all in one error; the
    /// reason of the cancellation.
    pub(crate) fn prepare(
        graph: &Graph,
        needed: &[u32],
        feeds: &Feeds,
        assigned: Assigned<'_>,
        cache: &KernelCache,
        cancellation: &Cancellation,
    ) -> Result<Self> {
        let (mut kernels, mut failed, mut finishes_later) = (NodeMap::default(), Vec::new(), false);
        for &position in needed {
            cancellation.check()?;
            let node = &graph.nodes()[position as usize];
            if constant_of(node).is_some()
                || forwarded_input(graph, node, feeds).is_some()
                || node.known().is_control_flow()
            {
                continue;
            }
            if let Some(copy) = assigned.copy(position) {
                kernels.insert(position, copy.clone());
                continue;
            }
            let device = assigned.device(position, node.info());
            let kernel = device.and_then(|(device, device_type)| {
                cache.get_or_make(node.info(), device, || {
                    prepare_node(graph, node, (device, device_type), &constants_of(graph, node, feeds), cache.options)
                })
            });
            match kernel {
                Ok(kernel) => {
                    finishes_later |= kernel.is_async();
                    kernels.insert(position, kernel);
                }
                Err(error) => failed.push(node.provenance.explain(error)),
            }
        }
        aggregate_errors(failed)?;
        Ok(Self { of: kernels, finishes_later })
    }

    /// The kernel of the node at a position.
    pub(crate) fn of(&self, position: u32) -> Result<&Arc<PreparedKernel>> {
        self.of.get(position).ok_or_else(|| Error::internal(format!("node {position} has no kernel")))
    }

    /// Whether one of them, copies between memories aside, finishes after it was started.
    pub(crate) fn finishes_later(&self) -> bool {
        self.finishes_later
    }

    /// All of them.
    pub(crate) fn all(&self) -> impl Iterator<Item = &PreparedKernel> {
        self.of.values().map(|kernel| &**kernel)
    }
}

/// Whether a run of the kernel calls functions.
pub(crate) fn calls_functions(graph: &Graph, kernel: &PreparedKernel) -> bool {
    names_function(graph, kernel.node())
}

/// Whether a run of the kernel may wait: it finishes later, or calls functions with such nodes.
pub(crate) fn may_wait(graph: &Graph, kernel: &PreparedKernel) -> bool {
    kernel.is_async() || calls_functions(graph, kernel) && calls_waiting_function(graph, kernel.node())
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

/// The values of the inputs that are constants, by position.
fn constants_of(graph: &Graph, node: &Node, feeds: &Feeds) -> SmallVec<[Option<Tensor>; 4]> {
    let value = |&(mut input): &Output| {
        while !feeds.contains(&input) {
            let node = graph.node(input.node)?;
            match forwarded_input(graph, node, feeds) {
                Some(forwarded) => input = forwarded,
                None => return constant_of(node).cloned(),
            }
        }
        None
    };
    node.inputs().iter().map(value).collect()
}

fn prepare_node(
    graph: &Graph,
    node: &Node,
    (device, device_type): (&str, &str),
    constants: &[Option<Tensor>],
    options: KernelOptions,
) -> Result<PreparedKernel> {
    let call = as_call(graph, node.info())?;
    let mut info = call.unwrap_or_else(|| NodeInfo::clone(node.info()));
    device.clone_into(&mut info.device);
    PreparedKernel::with_constants(graph.registry(), Arc::new(info), device_type, constants, options)
}
