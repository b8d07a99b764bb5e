//! `TF_Graph` and `TF_Operation`: a graph under a lock, and nodes at addresses that do not move.
#![allow(unsafe_code, reason = "room: the C ABI")]

pub mod changes;
mod consumers;
mod dtypes;
pub mod edges;
pub mod listing;
pub mod operation;
pub mod shapes;

use std::any::Any;
use std::ffi::{CString, c_char, c_int};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use oplink_abi::{TF_Graph, TF_Input, TF_Operation, TF_Output};
use oplink_api::{AttrMap, Error, NodeInfo, Output, Result, bail, ensure};
use oplink_core::RegistryBuilder;
use oplink_graph::Graph;
use oplink_host::guard::{borrow, slice, without_status};

use crate::support::{c_string, registry};
use consumers::Consumers;

pub(crate) use dtypes::{input_number, output_number};

/// What a `TF_Graph` is here.
#[derive(Debug)]
pub(crate) struct GraphState {
    inner: Mutex<GraphInner>,
    kept: OnceLock<Box<dyn Any + Send + Sync>>,
    /// Whether nodes of ops without a shape function are refused.
    requires_shape_fns: AtomicBool,
}

/// A graph with its operations.
#[derive(Debug)]
pub(crate) struct GraphInner {
    pub(crate) graph: Graph,
    #[allow(clippy::vec_box, reason = "operations stay in place while the list grows")]
    operations: Vec<Box<Operation>>,
    consumers: Consumers,
    /// Counts the changes.
    pub(crate) version: u64,
}

/// What a `TF_Operation` is here.
#[derive(Debug)]
pub(crate) struct Operation {
    graph: *const GraphState,
    pub(crate) position: u32,
    pub(crate) info: Arc<NodeInfo>,
    name: OnceLock<CString>,
    op: OnceLock<CString>,
    /// Devices that clients were told of, which stay where they are.
    devices: Mutex<Vec<CString>>,
    /// What the node was after each change of its attrs, which stay where they are.
    changed: Mutex<Vec<Arc<NodeInfo>>>,
}

// SAFETY: the pointer is to the graph that owns the operation; everything reachable through it is under a lock.
unsafe impl Send for Operation {}
// SAFETY: an operation is not changed after it was made; what it points to is under its graph's lock.
unsafe impl Sync for Operation {}

impl GraphState {
    /// A graph without nodes.
    pub(crate) fn new() -> Result<Arc<Self>> {
        let registry = match registry() {
            Ok(registry) => registry,
            // The error of what is linked is reported by the first function that has a status.
            Err(_) => Arc::new(RegistryBuilder::empty().seal()?),
        };
        let inner = GraphInner {
            graph: Graph::new(&registry),
            operations: Vec::new(),
            consumers: Consumers::default(),
            version: 0,
        };
        let requires_shape_fns = AtomicBool::new(false);
        Ok(Arc::new(Self { inner: Mutex::new(inner), kept: OnceLock::new(), requires_shape_fns }))
    }

    /// Keeps something for as long as the graph lives; the first thing only.
    pub(crate) fn keep(&self, thing: Box<dyn Any + Send + Sync>) {
        let _ = self.kept.set(thing);
    }

    /// What is kept.
    pub(crate) fn kept<T: 'static>(&self) -> Option<&T> {
        self.kept.get()?.downcast_ref()
    }

    /// Whether nodes of ops without a shape function are refused from now on.
    fn require_shape_fns(&self, require: bool) {
        self.requires_shape_fns.store(require, Ordering::Relaxed);
    }

    /// Refuses an op without a shape function where those are required.
    ///
    /// # Errors
    /// `InvalidArgument` for such an op.
    pub(crate) fn check_shape_fn(&self, graph: &Graph, op: &str) -> Result<()> {
        let lacks_one = || graph.registry().get_op(op).is_some_and(|op| op.shape_fn.is_none());
        ensure!(
            !self.requires_shape_fns.load(Ordering::Relaxed) || !lacks_one(),
            "op {op} has no shape function, and this graph requires one of every op"
        );
        Ok(())
    }

    /// The graph, for as long as the guard lives.
    pub(crate) fn lock(&self) -> MutexGuard<'_, GraphInner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the graph, over the ops that there are now; nodes that are added become operations.
    ///
    /// # Errors
    /// Those of `change`; and conflicts among what is linked.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut Graph) -> Result<T>) -> Result<T> {
        let mut inner = self.lock();
        let registry = registry()?;
        if !Arc::ptr_eq(&registry, inner.graph.registry()) {
            inner.graph.set_registry(&registry);
        }
        let changed = change(&mut inner.graph);
        self.register(&mut inner);
        inner.version += 1;
        changed
    }

    fn register(&self, inner: &mut GraphInner) {
        let GraphInner { graph, operations, .. } = inner;
        let new = graph.nodes().iter().enumerate().skip(operations.len());
        operations.extend(new.map(|(position, node)| Box::new(Operation::new(self, position as u32, node.info()))));
    }

    /// Changes the attrs of a node.
    ///
    /// # Errors
    /// Those of `change`.
    pub(crate) fn change_attrs(&self, node: u32, change: impl FnOnce(&mut Graph) -> Result<()>) -> Result<()> {
        self.change(change)?;
        let inner = self.lock();
        if let (Some(now), Some(operation)) = (inner.graph.node(node), inner.operations.get(node as usize)) {
            operation.update(now.info());
        }
        Ok(())
    }

    /// The handle of a node.
    pub(crate) fn operation(&self, position: u32) -> *mut TF_Operation {
        self.lock().operation(position)
    }
}

impl GraphInner {
    /// The handle of a node; null where there is none.
    pub(crate) fn operation(&self, position: u32) -> *mut TF_Operation {
        let operation = self.operations.get(position as usize);
        operation.map_or(std::ptr::null_mut(), |operation| std::ptr::from_ref(&**operation).cast_mut().cast())
    }

    /// An output with its node's handle.
    pub(crate) fn output(&self, output: Output) -> TF_Output {
        TF_Output { oper: self.operation(output.node), index: output.index as c_int }
    }

    /// An input with its node's handle.
    fn input(&self, node: u32, index: u32) -> TF_Input {
        TF_Input { oper: self.operation(node), index: index as c_int }
    }
}

impl Operation {
    fn new(graph: &GraphState, position: u32, info: &Arc<NodeInfo>) -> Self {
        Self {
            graph,
            position,
            info: info.clone(),
            name: OnceLock::new(),
            op: OnceLock::new(),
            devices: Mutex::default(),
            changed: Mutex::default(),
        }
    }

    /// The graph that it is part of.
    pub(crate) fn graph(&self) -> &GraphState {
        // SAFETY: the graph owns its operations.
        unsafe { &*self.graph }
    }

    /// The attrs as they are now.
    pub(crate) fn attrs(&self) -> &AttrMap {
        let changed = self.changed.lock().unwrap_or_else(PoisonError::into_inner);
        let now: *const NodeInfo = changed.last().map_or(&raw const *self.info, Arc::as_ptr);
        // SAFETY: the operation keeps each state of its node that there was.
        unsafe { &(*now).attrs }
    }

    /// Keeps the node as it is now.
    fn update(&self, info: &Arc<NodeInfo>) {
        self.changed.lock().unwrap_or_else(PoisonError::into_inner).push(info.clone());
    }

    fn name(&self) -> &CString {
        self.name.get_or_init(|| c_string(&self.info.name))
    }

    fn op(&self) -> &CString {
        self.op.get_or_init(|| c_string(&self.info.op.name))
    }

    /// The device asked for; the text lives as long as the operation.
    fn device(&self) -> *const c_char {
        let now =
            self.graph().lock().graph.node(self.position).map_or_else(CString::default, |node| c_string(node.device()));
        let mut told = self.devices.lock().unwrap_or_else(PoisonError::into_inner);
        let at = told.iter().position(|known| *known == now).unwrap_or_else(|| {
            told.push(now);
            told.len() - 1
        });
        told[at].as_ptr()
    }
}

/// The graph behind a handle.
///
/// # Errors
/// The handle is null.
///
/// # Safety
/// A handle that is not null is alive for `'a`.
pub(crate) unsafe fn graph_of<'a>(graph: *const TF_Graph, function: &str, argument: &str) -> Result<&'a GraphState> {
    // SAFETY: `graph` is null or alive (Safety section).
    unsafe { borrow(graph.cast::<GraphState>(), function, argument) }
}

/// A further reference to the graph behind a handle.
///
/// # Errors
/// The handle is null.
///
/// # Safety
/// A handle that is not null is alive.
pub(crate) unsafe fn share_graph(graph: *const TF_Graph, function: &str, argument: &str) -> Result<Arc<GraphState>> {
    // SAFETY: the caller's contract; handles come from `Arc::into_raw`.
    unsafe {
        graph_of(graph, function, argument)?;
        Arc::increment_strong_count(graph.cast::<GraphState>());
        Ok(Arc::from_raw(graph.cast::<GraphState>()))
    }
}

/// A handle that holds a reference to the graph.
pub(crate) fn graph_handle(graph: Arc<GraphState>) -> *mut TF_Graph {
    Arc::into_raw(graph).cast_mut().cast()
}

/// The operation behind a handle.
///
/// # Errors
/// The handle is null.
///
/// # Safety
/// A handle that is not null is alive for `'a`.
pub(crate) unsafe fn operation_of<'a>(
    operation: *const TF_Operation,
    function: &str,
    argument: &str,
) -> Result<&'a Operation> {
    // SAFETY: `operation` is null or alive (Safety section).
    unsafe { borrow(operation.cast::<Operation>(), function, argument) }
}

impl GraphState {
    /// The node behind a handle, checked to be of this graph.
    ///
    /// # Errors
    /// The handle is null or of another graph.
    ///
    /// # Safety
    /// A handle that is not null is alive.
    pub(crate) unsafe fn node(&self, operation: *const TF_Operation, function: &str, argument: &str) -> Result<u32> {
        // SAFETY: `operation` is null or alive (Safety section).
        let operation = unsafe { operation_of(operation, function, argument) }?;
        let name = &operation.info.name;
        ensure!(
            std::ptr::eq(operation.graph, self),
            "{function}: `{argument}`: operation `{name}` is of another graph"
        );
        Ok(operation.position)
    }

    /// An output of this graph.
    ///
    /// # Errors
    /// The operation is null or of another graph; it has no such output: `OutOfRange`, where the index is not negative.
    ///
    /// # Safety
    /// A handle that is not null is alive.
    pub(crate) unsafe fn output(&self, output: TF_Output, function: &str, argument: &str) -> Result<Output> {
        // SAFETY: `output.oper` is null or alive (Safety section).
        let node = unsafe { self.node(output.oper, function, argument) }?;
        // SAFETY: not null, by the check of `node`.
        let info = unsafe { &operation_of(output.oper, function, argument)?.info };
        match u32::try_from(output.index) {
            Ok(index) if (index as usize) < info.output_dtypes.len() => Ok(Output { node, index }),
            _ => {
                let (index, count, name) = (output.index, info.output_dtypes.len(), &info.name);
                let message = format!("{function}: `{argument}`: `{name}` has {count} outputs, there is no {index}");
                Err(if index < 0 { Error::invalid_argument(message) } else { Error::out_of_range(message) })
            }
        }
    }

    /// An array of outputs of this graph.
    ///
    /// # Errors
    /// As [`GraphState::output`] and `guard::slice`.
    ///
    /// # Safety
    /// As [`GraphState::output`] and `guard::slice`.
    pub(crate) unsafe fn outputs(
        &self,
        outputs: *const TF_Output,
        count: c_int,
        function: &str,
        argument: &str,
    ) -> Result<Vec<Output>> {
        // SAFETY: `outputs` is null or has `count` elements (Safety section).
        let outputs = unsafe { slice(outputs, count, function, argument) }?;
        // SAFETY: `oper` of each element is null or alive (Safety section).
        outputs.iter().map(|&output| unsafe { self.output(output, function, argument) }).collect()
    }

    /// An array of nodes of this graph.
    ///
    /// # Errors
    /// As [`GraphState::node`] and `guard::slice`.
    ///
    /// # Safety
    /// As [`GraphState::node`] and `guard::slice`.
    pub(crate) unsafe fn nodes(
        &self,
        operations: *const *const TF_Operation,
        count: c_int,
        function: &str,
        argument: &str,
    ) -> Result<Vec<u32>> {
        // SAFETY: `operations` is null or has `count` elements (Safety section).
        let operations = unsafe { slice(operations, count, function, argument) }?;
        // SAFETY: each element is null or alive (Safety section).
        operations.iter().map(|&operation| unsafe { self.node(operation, function, argument) }).collect()
    }
}

/// Refuses a negative count.
pub(crate) fn check_count(count: c_int, function: &str, argument: &str) -> Result<usize> {
    match usize::try_from(count) {
        Ok(count) => Ok(count),
        Err(_) => bail!("{function}: `{argument}` is {count}"),
    }
}

/// A graph without nodes; null where memory or threads ran out.
#[unsafe(no_mangle)]
pub extern "C" fn TF_NewGraph() -> *mut TF_Graph {
    without_status(std::ptr::null_mut(), || GraphState::new().map_or(std::ptr::null_mut(), graph_handle))
}

/// Gives a graph up; null is allowed. Sessions on it go on.
///
/// # Safety
/// The handle is alive and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DeleteGraph(graph: *mut TF_Graph) {
    if !graph.is_null() {
        // SAFETY: handles come from `Arc::into_raw`.
        without_status((), || drop(unsafe { Arc::from_raw(graph.cast::<GraphState>()) }));
    }
}
