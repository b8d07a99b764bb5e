//! Where eager calls run: a registry, a device, resources, and the kernels of former calls.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use oplink_api::spec::OpSpec;
use oplink_api::{
    Arg, AttrValue, Call, DType, EagerHost, HostFactory, NodeInfo, Outputs, ResourceManager, Result, Tensor,
};
use oplink_core::{
    ArgDTypes, Device, OpEntry, PreparedKernel, Registry, host_device, node_for_call, node_for_flat_call,
};

use super::cache::{KernelCache, Signature};
use super::env::EagerEnv;
use super::on_device::OnDevice;
use super::{CallableFunctions, OpHandle};

/// Runs ops at once, on one device unless a call names another. What they make lasts as long as the context: variables, tables, queues.
pub struct EagerContext {
    registry: Arc<Registry>,
    /// Whether plugins that are loaded later are seen.
    follows_global: bool,
    pub(super) env: Arc<EagerEnv>,
    kernels: KernelCache,
    /// Devices that calls were made on beside the context's own.
    pub(super) others: Mutex<Vec<Arc<OnDevice>>>,
    functions: Option<Arc<dyn CallableFunctions>>,
}

impl EagerContext {
    /// A context with kernels of `registry` on `device`.
    pub fn new(registry: Arc<Registry>, device: Arc<dyn Device>) -> Self {
        Self::in_env(registry, EagerEnv::new(device))
    }

    /// As [`EagerContext::new`], with kernels that use at most so many threads; 0 means all.
    ///
    /// # Errors
    /// The thread pool cannot be started.
    pub fn with_threads(registry: Arc<Registry>, device: Arc<dyn Device>, threads: usize) -> Result<Self> {
        Ok(Self::in_env(registry, EagerEnv::with_threads(device, threads)?))
    }

    /// As [`EagerContext::with_threads`], where calls may name these functions in place of ops, and ops call them by attrs.
    ///
    /// # Errors
    /// As [`EagerContext::with_threads`].
    pub fn with_functions(
        registry: Arc<Registry>,
        device: Arc<dyn Device>,
        threads: usize,
        functions: Arc<dyn CallableFunctions>,
    ) -> Result<Self> {
        let env = match threads {
            0 => EagerEnv::new(device),
            threads => EagerEnv::with_threads(device, threads)?,
        };
        let context = Self::in_env(registry, env.with_functions(functions.clone()));
        Ok(Self { functions: Some(functions), ..context })
    }

    fn in_env(registry: Arc<Registry>, env: EagerEnv) -> Self {
        let (env, kernels) = (Arc::new(env), KernelCache::default());
        Self { registry, follows_global: false, env, kernels, others: Mutex::default(), functions: None }
    }

    /// The same context with the ops of plugins that are loaded from now on, as [`EagerContext::global`] has them.
    #[must_use]
    pub fn following_plugins(self) -> Self {
        Self { follows_global: true, ..self }
    }

    /// The process's context: the linked ops and kernels, and those of plugins, on the first linked device. Typed calls go
    /// here. A kernel that a call found before a plugin was loaded stays the kernel of such calls.
    ///
    /// # Errors
    /// No device is linked, or the linked declarations conflict; the same at each call.
    pub fn global() -> Result<&'static Self> {
        static GLOBAL: OnceLock<Result<EagerContext>> = OnceLock::new();
        let made =
            GLOBAL.get_or_init(|| Ok(Self::new(Registry::global()?.clone(), host_device()?).following_plugins()));
        made.as_ref().map_err(Clone::clone)
    }

    /// The registry.
    pub fn registry(&self) -> &Arc<Registry> {
        match self.follows_global {
            true => Registry::global().unwrap_or(&self.registry),
            false => &self.registry,
        }
    }

    /// The device.
    pub fn device(&self) -> &Arc<dyn Device> {
        self.env.device()
    }

    /// The variables, tables and queues that calls made.
    pub fn resources(&self) -> &Arc<ResourceManager> {
        self.env.resources()
    }

    /// Calls an op by name. The inputs are one flat list: those of `N * T` and of lists stand in their places; where
    /// several lists leave it open where one ends, their number attrs must be given. Attrs that follow from the inputs,
    /// and those with a default, may be left out.
    ///
    /// # Errors
    /// The op is unknown, inputs or attrs do not fit it, there is no kernel, or the kernel fails.
    pub fn call(&self, op: &str, inputs: &[&Tensor], attrs: &[(&str, AttrValue)]) -> Result<Outputs<Tensor>> {
        let dtypes: Vec<DType> = inputs.iter().map(|tensor| tensor.dtype()).collect();
        let signature = Signature { op, dtypes: &dtypes, lengths: &[], attrs };
        let kernel = self.kernels.get_or_make(&signature, || {
            let entry = self.registry().op(op)?;
            self.prepare(node_for_flat_call(entry, op, self.device().name(), &dtypes, attrs)?)
        })?;
        let mut inputs: Vec<Tensor> = inputs.iter().map(|&tensor| tensor.clone()).collect();
        self.run(&kernel, &mut inputs)
    }

    /// The kernel of a call, as [`EagerContext::call`] finds it: kept for the next call of the same op, dtypes and attrs.
    /// `lengths` has for each argument the length of its list, and `None` for a single tensor; where it is empty, the
    /// inputs are one flat list.
    ///
    /// # Errors
    /// As [`EagerContext::call`], the kernel's own errors aside.
    pub fn prepare_call(
        &self,
        op: &str,
        dtypes: &[DType],
        lengths: &[Option<usize>],
        attrs: &[(&str, AttrValue)],
    ) -> Result<Arc<PreparedKernel>> {
        let signature = Signature { op, dtypes, lengths, attrs };
        let node = |entry: &OpEntry| node_of_call(entry, self.device().name(), &signature);
        self.kernels.get_or_make(&signature, || self.prepare(self.op_or_function(op, &node)?))
    }

    /// The node of an op, or the one that calls a function.
    fn op_or_function(&self, op: &str, node: &dyn Fn(&OpEntry) -> Result<NodeInfo>) -> Result<NodeInfo> {
        let registry = self.registry();
        match (&self.functions, registry.get_op(op)) {
            (Some(functions), None) => functions.call_node(op, node).unwrap_or_else(|| node(registry.op(op)?)),
            _ => node(registry.op(op)?),
        }
    }

    /// The declaration of an op, or the signature of a function.
    ///
    /// # Errors
    /// There is neither of this name.
    pub fn spec(&self, name: &str) -> Result<Arc<OpSpec>> {
        let registry = self.registry();
        match (&self.functions, registry.get_op(name)) {
            (Some(functions), None) => functions.spec(name).map_or_else(|| Ok(registry.op(name)?.spec.clone()), Ok),
            _ => Ok(registry.op(name)?.spec.clone()),
        }
    }

    /// Runs a kernel of [`EagerContext::prepare_call`]: a slot for each input and each output. The kernel may take
    /// inputs.
    ///
    /// # Errors
    /// As [`PreparedKernel::run`].
    #[inline]
    pub fn run_call(
        &self,
        kernel: &PreparedKernel,
        inputs: &mut [Tensor],
        outputs: &mut [Option<Tensor>],
    ) -> Result<()> {
        kernel.run(inputs, outputs, &*self.env)
    }

    /// Drops the kernels of former calls.
    pub fn clear_kernels(&self) {
        self.kernels.clear();
        let others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        others.iter().for_each(|other| other.kernels.clear());
    }

    /// Drops the kernels of former calls of an op or a function.
    pub fn forget(&self, op: &str) {
        self.kernels.remove(op);
    }

    /// Ends what lasts as long as a step: tensor arrays, stacks, temporary variables.
    pub fn end_step(&self) {
        self.env.step_resources().clear();
    }

    /// A handle for a call site: an op with attrs, without inputs yet.
    ///
    /// # Errors
    /// The op is unknown.
    pub fn handle(&self, op: &str, attrs: &[(&str, AttrValue)]) -> Result<OpHandle> {
        OpHandle::in_env(self.registry().clone(), self.env.clone(), op, attrs)
    }

    fn prepare(&self, node: NodeInfo) -> Result<PreparedKernel> {
        PreparedKernel::new(self.registry(), Arc::new(node), self.device().device_type())
    }

    fn run(&self, kernel: &PreparedKernel, inputs: &mut [Tensor]) -> Result<Outputs<Tensor>> {
        Self::run_in(&self.env, kernel, inputs)
    }

    pub(super) fn run_in(env: &EagerEnv, kernel: &PreparedKernel, inputs: &mut [Tensor]) -> Result<Outputs<Tensor>> {
        let node = kernel.node();
        let mut slots = vec![None; node.output_dtypes.len()];
        kernel.run(inputs, &mut slots, env)?;
        let values = slots.into_iter().flatten().collect();
        Ok(Outputs { values, ranges: node.output_ranges.iter().cloned().collect(), node: 0 })
    }
}

impl EagerHost for EagerContext {
    fn execute(&self, call: Call<Tensor>) -> Result<Outputs<Tensor>> {
        let Call { op, name, inputs, attrs } = call;
        let (mut tensors, lengths) = flat(inputs);
        let dtypes: Vec<DType> = tensors.iter().map(Tensor::dtype).collect();
        let make = |name: &str| {
            let grouped = grouped(&dtypes, &lengths);
            let entry = self.registry().op(op)?;
            self.prepare(node_for_call(entry, name, self.device().name(), &grouped, attrs.iter().cloned())?)
        };
        let kernel = if let Some(name) = name {
            Arc::new(make(&name)?)
        } else {
            let signature = Signature { op, dtypes: &dtypes, lengths: &lengths, attrs: &attrs };
            self.kernels.get_or_make(&signature, || make(op))?
        };
        self.run(&kernel, &mut tensors)
    }
}

/// All inputs in one list, and for each argument the length of its own list; `None` is a single tensor.
fn flat(inputs: impl IntoIterator<Item = Arg<Tensor>>) -> (Vec<Tensor>, Vec<Option<usize>>) {
    let (mut tensors, mut lengths) = (Vec::new(), Vec::new());
    for input in inputs {
        match input {
            Arg::One(tensor) => {
                tensors.push(tensor);
                lengths.push(None);
            }
            Arg::List(list) => {
                lengths.push(Some(list.len()));
                tensors.extend(list);
            }
        }
    }
    (tensors, lengths)
}

/// The node of a call on a device.
pub(super) fn node_of_call(entry: &OpEntry, device: &str, call: &Signature<'_>) -> Result<NodeInfo> {
    let Signature { op, dtypes, lengths, attrs } = *call;
    match lengths {
        [] => node_for_flat_call(entry, op, device, dtypes, attrs),
        _ => node_for_call(entry, op, device, &grouped(dtypes, lengths), attrs.iter().cloned()),
    }
}

/// Flat dtypes by argument; `None` is a single tensor.
fn grouped<'a>(dtypes: &'a [DType], lengths: &[Option<usize>]) -> Vec<ArgDTypes<'a>> {
    let mut rest = dtypes;
    let mut take = |length: &Option<usize>| {
        let (these, after) = rest.split_at(length.unwrap_or(1).min(rest.len()));
        rest = after;
        match (length, these) {
            (None, [dtype]) => ArgDTypes::One(*dtype),
            _ => ArgDTypes::List(these),
        }
    };
    lengths.iter().map(&mut take).collect()
}

fn global_host() -> Result<&'static dyn EagerHost> {
    EagerContext::global().map(|context| context as &dyn EagerHost)
}

oplink_api::__collect!(HOSTS, HostNode, HostFactory, global_host);
