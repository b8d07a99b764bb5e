//! The functions of an eager context: added and removed while calls go on.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use oplink_api::function::{Function, FunctionForm, FunctionLibrary, ReadGraph, WriteOptions, WrittenNode};
use oplink_api::{Cancellation, FuncAttr, NodeInfo, Result};
use oplink_core::{Device, OpEntry, Registry};
use oplink_proto::FunctionDef;
use oplink_spec::OpSpec;

use super::functions::CallableFunctions;
use crate::function_runtime::FunctionRuntime;
use crate::functions::as_call;
use crate::kernels::Devices;
use crate::placement::on_several_devices;
use crate::{Graph, PassOptions};

/// Functions that calls of a context name in place of ops, or by attrs. A function may be added several times; it goes
/// when it was removed as often.
pub struct ContextFunctions {
    state: RwLock<State>,
    runtime: RwLock<Arc<FunctionRuntime>>,
}

struct State {
    /// A graph without nodes, whose library the functions are.
    graph: Graph,
    times_added: HashMap<String, usize>,
}

impl ContextFunctions {
    /// No functions yet; they will run on `device`, with at most so many threads; 0 means all.
    ///
    /// # Errors
    /// The thread pool cannot be started.
    pub fn new(registry: &Arc<Registry>, device: Arc<dyn Device>, threads: usize) -> Result<Self> {
        Self::on_devices(registry, vec![device], threads)
    }

    /// No functions yet; their nodes will run on the devices that they ask for, or on the first that has a kernel for
    /// them.
    ///
    /// # Errors
    /// As [`Session::on_devices`](crate::Session::on_devices).
    pub fn on_devices(registry: &Arc<Registry>, devices: Vec<Arc<dyn Device>>, threads: usize) -> Result<Self> {
        let graph = Graph::new(registry);
        let runtime = RwLock::new(Arc::new(runtime_on(&graph, devices, threads)?));
        Ok(Self { state: RwLock::new(State { graph, times_added: HashMap::new() }), runtime })
    }

    /// Runs functions on these devices from now on. Calls that were prepared stay where they are.
    ///
    /// # Errors
    /// As [`ContextFunctions::on_devices`].
    pub fn use_devices(&self, devices: Vec<Arc<dyn Device>>, threads: usize) -> Result<()> {
        let state = self.read();
        let runtime = Arc::new(runtime_on(&state.graph, devices, threads)?);
        *self.runtime.write().unwrap_or_else(PoisonError::into_inner) = runtime;
        Ok(())
    }

    fn runtime(&self) -> Arc<FunctionRuntime> {
        self.runtime.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Adds a function, whose body may use the ops of `registry`.
    ///
    /// # Errors
    /// A malformed signature; an op, or another function, has its name.
    pub fn add(&self, registry: &Arc<Registry>, function: &FunctionDef) -> Result<()> {
        let mut state = self.write();
        state.graph.set_registry(registry);
        state.graph.add_function(function)?;
        let name = function.signature.as_ref().map(|signature| signature.name.clone()).unwrap_or_default();
        *state.times_added.entry(name).or_default() += 1;
        self.runtime().extend(&state.graph);
        Ok(())
    }

    /// Removes a function as often as it was added: true where it is gone now. Functions that were called and that call
    /// it may still do so.
    ///
    /// # Errors
    /// `InvalidArgument` where there is no such function.
    pub fn remove(&self, name: &str) -> Result<bool> {
        let mut state = self.write();
        let Some(times) = state.times_added.get_mut(name) else {
            return Err(oplink_api::Error::invalid_argument(format!("there is no function `{}`", name.escape_debug())));
        };
        *times -= 1;
        if *times > 0 {
            return Ok(false);
        }
        state.times_added.remove(name);
        state.graph.remove_function(name)?;
        self.runtime().extend(&state.graph);
        self.runtime().forget(name);
        Ok(true)
    }

    /// Whether there is a function of this name.
    pub fn has(&self, name: &str) -> bool {
        self.read().graph.functions.get(name).is_some()
    }

    /// The function of this name, as it was added.
    pub fn def(&self, name: &str) -> Option<FunctionDef> {
        self.read().graph.functions.get(name).map(|entry| entry.def.clone())
    }

    /// The body of a function, for these values of its attrs.
    ///
    /// # Errors
    /// As [`Graph::function_graph`].
    pub fn graph(&self, function: &FuncAttr) -> Result<Graph> {
        Ok(self.read().graph.function_graph(&function.name, &function.attrs)?.graph)
    }

    fn read(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, State> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What runs the functions of a graph on some devices.
fn runtime_on(graph: &Graph, devices: Vec<Arc<dyn Device>>, threads: usize) -> Result<FunctionRuntime> {
    let (devices, passes) = match devices.as_slice() {
        [only] => (Devices::one(only.clone(), threads, true)?, PassOptions::default()),
        _ => {
            let passes = PassOptions::default().for_devices(&devices);
            (on_several_devices(devices, threads, true, None)?, passes)
        }
    };
    Ok(FunctionRuntime::new(graph, Arc::new(devices), passes))
}

impl FunctionLibrary for ContextFunctions {
    fn get(
        &self,
        function: &FuncAttr,
        form: FunctionForm<'_>,
        cancellation: &Cancellation,
    ) -> Result<Arc<dyn Function>> {
        self.runtime().get(function, form, cancellation)
    }

    fn stateful_ops(&self, function: &str) -> Result<Vec<String>> {
        self.runtime().stateful_ops(function)
    }

    fn write_graph(&self, nodes: &[WrittenNode<'_>], options: WriteOptions) -> Result<Vec<u8>> {
        self.runtime().write_graph(nodes, options)
    }

    fn read_graph(&self, graph: &[u8], cancellation: &Cancellation) -> Result<ReadGraph> {
        self.runtime().read_graph(graph, cancellation)
    }
}

impl CallableFunctions for ContextFunctions {
    fn spec(&self, name: &str) -> Option<Arc<OpSpec>> {
        self.read().graph.functions.get(name).map(|entry| entry.op.spec.clone())
    }

    fn call_node(&self, name: &str, node: &dyn Fn(&OpEntry) -> Result<NodeInfo>) -> Option<Result<NodeInfo>> {
        let state = self.read();
        let info = match node(&state.graph.functions.get(name)?.op) {
            Ok(info) => info,
            Err(error) => return Some(Err(error)),
        };
        as_call(&state.graph, &info).transpose()
    }
}
