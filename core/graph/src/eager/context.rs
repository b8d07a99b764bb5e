//! Where eager calls run: a registry, a device, resources, and the kernels of former calls.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

use oplink_api::call::{Call, EagerHost, FlatCall, HostFactory, Outputs, wrong_outputs};
use oplink_api::resource::ResourceManager;
use oplink_api::spec::OpSpec;
use oplink_api::{AttrValue, DType, NodeInfo, Result, Tensor};
use oplink_core::{Device, DeviceName, OpEntry, PreparedKernel, Registry, devices, host_device};
use smallvec::SmallVec;

use super::cache::KernelCache;
use super::call::{EagerCall, Placed, flat, node_of_call};
use super::device_contexts::DeviceContexts;
use super::env::EagerEnv;
use super::functions::CallableFunctions;
use super::handle::OpHandle;
use super::scope::{is_asked, wanted};
use super::signature::Signature;

/// Runs ops at once. What they make lasts as long as the context: variables, tables, queues.
///
/// A call runs on the device that it asks for, or that [`on_device`](super::on_device) asks for;
/// [`EagerContext::place`] says where calls run that ask for none, which is on the context's own device where nothing
/// else is said. Inputs come to the memory where the kernel reads them, outputs stay in that of the device.
pub struct EagerContext {
    registry: Arc<Registry>,
    /// Whether plugins that are loaded later are seen.
    follows_global: bool,
    pub(super) env: Arc<EagerEnv>,
    kernels: KernelCache,
    /// Devices that calls were made on beside the context's own.
    pub(super) others: Arc<DeviceContexts>,
    functions: Option<Arc<dyn CallableFunctions>>,
    /// The devices that calls choose from, those of the highest priority first; `None` for none but the context's own.
    chosen: RwLock<Option<Arc<[Arc<dyn Device>]>>>,
    /// What names of devices were found to mean.
    named: Mutex<Vec<(DeviceName, Arc<dyn Device>)>>,
    /// Whether calls choose.
    chooses: AtomicBool,
    is_soft: AtomicBool,
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

    /// As [`EagerContext::with_threads`], where calls may name these functions in place of ops, and ops call them by
    /// attrs.
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
        let (chosen, named, others) = (RwLock::default(), Mutex::default(), Arc::default());
        let (chooses, is_soft) = (AtomicBool::new(false), AtomicBool::new(false));
        Self { registry, follows_global: false, env, kernels, others, functions: None, chosen, named, chooses, is_soft }
    }

    /// The same context with the ops of plugins that are loaded from now on, as [`EagerContext::global`] has them.
    #[must_use]
    pub fn following_plugins(self) -> Self {
        Self { follows_global: true, ..self }
    }

    /// The process's context: the linked ops and kernels, and those of plugins, on the host. Typed calls go here. A
    /// kernel that a call found before a plugin was loaded stays the kernel of such calls.
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

    /// Lets calls that ask for no device choose among these, as TensorFlow's do: the first that has a kernel for the
    /// call; so those of the highest priority come first, as [`devices`] gives them. Names of devices mean these only.
    pub fn choose_among(&self, devices: Vec<Arc<dyn Device>>) {
        *self.chosen.write().unwrap_or_else(PoisonError::into_inner) = Some(devices.into());
        self.chooses.store(true, Ordering::Release);
        self.named().clear();
    }

    #[inline]
    pub(super) fn chooses(&self) -> bool {
        self.chooses.load(Ordering::Acquire)
    }

    /// The devices of [`EagerContext::choose_among`].
    pub(super) fn chosen(&self) -> Option<Arc<[Arc<dyn Device>]>> {
        self.chosen.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn named(&self) -> MutexGuard<'_, Vec<(DeviceName, Arc<dyn Device>)>> {
        self.named.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether calls run on the context's own device where the one that they ask for has no kernel, or is not there. At
    /// first they do not: that is an error then.
    pub fn set_soft_placement(&self, is_soft: bool) {
        self.is_soft.store(is_soft, Ordering::Relaxed);
    }

    pub(super) fn is_soft(&self) -> bool {
        self.is_soft.load(Ordering::Relaxed)
    }

    /// The devices that calls may ask for, those of the highest priority first. One that calls were made on comes
    /// before another of its name.
    ///
    /// # Errors
    /// As [`devices`].
    pub(super) fn known_devices(&self) -> Result<Vec<Arc<dyn Device>>> {
        if let Some(chosen) = self.chosen() {
            return Ok(chosen.to_vec());
        }
        let mut used = self.others.devices();
        used.push(self.device().clone());
        let mut used_or = |device: Arc<dyn Device>| match used.iter().position(|other| other.name() == device.name()) {
            Some(at) => used.remove(at),
            None => device,
        };
        let mut known: Vec<Arc<dyn Device>> = devices()?.into_iter().map(&mut used_or).collect();
        known.append(&mut used);
        Ok(known)
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
        let mut inputs: SmallVec<[Tensor; 4]> = inputs.iter().map(|&tensor| tensor.clone()).collect();
        self.perform((op, None), None, &[], attrs, &mut inputs)
    }

    /// Places a call of an op and its node's name, and runs it.
    fn perform(
        &self,
        (op, name): (&str, Option<&str>),
        device: Option<&str>,
        lengths: &[Option<usize>],
        attrs: &[(&str, AttrValue)],
        inputs: &mut [Tensor],
    ) -> Result<Outputs<Tensor>> {
        let placed = self.placed((op, name), device, lengths, attrs, inputs)?;
        let node = placed.kernel.node();
        let mut slots: SmallVec<[Option<Tensor>; 2]> = SmallVec::from_elem(None, node.output_dtypes.len());
        self.run_placed(&placed, inputs, &mut slots)?;
        let mut outputs = Outputs { values: SmallVec::new(), ranges: SmallVec::new(), node: 0 };
        slots.iter_mut().filter_map(Option::take).for_each(|value| outputs.values.push(value));
        node.output_ranges.iter().for_each(|range| outputs.ranges.push(range.clone()));
        Ok(outputs)
    }

    /// The kernel of a call of an op and its node's name.
    #[inline]
    pub(super) fn placed(
        &self,
        (op, name): (&str, Option<&str>),
        device: Option<&str>,
        lengths: &[Option<usize>],
        attrs: &[(&str, AttrValue)],
        inputs: &[Tensor],
    ) -> Result<Placed> {
        let mut dtypes = SmallVec::<[DType; 8]>::new();
        inputs.iter().for_each(|input| dtypes.push(input.dtype()));
        let asked = if device.is_some() || is_asked() { wanted(device)? } else { None };
        let asked = asked.map(|asked| self.wanted_device(op, &asked)).transpose()?;
        self.place(&EagerCall { op, name, dtypes: &dtypes, lengths, attrs, inputs }, asked.as_ref())
    }

    /// The kernel of a call, as [`EagerContext::call`] finds it: kept for the next call of the same op, dtypes and
    /// attrs. `lengths` has for each argument the length of its list, and `None` for a single tensor; where it is
    /// empty, the inputs are one flat list.
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
        let node = |entry: &OpEntry| node_of_call(entry, op, self.device().name(), &signature);
        self.kernels.get_or_make(&signature, || {
            let node = self.op_or_function(op, &node)?;
            PreparedKernel::new(self.registry(), Arc::new(node), self.device().device_type())
        })
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
    /// inputs. Inputs are in the memory where the kernel reads them.
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
        self.others.clear_kernels();
    }

    /// Drops the kernels of former calls of an op or a function.
    pub fn forget(&self, op: &str) {
        self.kernels.remove(op);
    }

    /// Ends what lasts as long as a step: tensor arrays, stacks, temporary variables.
    pub fn end_step(&self) {
        self.env.step_resources().clear();
    }

    /// A handle for a call site: an op with attrs, without inputs yet. Its calls are on the device that
    /// [`on_device`](super::on_device) asks for now, else on the context's own.
    ///
    /// # Errors
    /// The op is unknown, or there is no such device.
    pub fn handle(&self, op: &str, attrs: &[(&str, AttrValue)]) -> Result<OpHandle> {
        let asked = wanted(None)?.map(|asked| self.wanted_device(op, &asked)).transpose()?;
        self.handle_on(asked.as_ref().unwrap_or(self.device()), op, attrs)
    }

    /// As [`EagerContext::handle`], for calls on `device`.
    ///
    /// # Errors
    /// The op is unknown.
    pub fn handle_on(&self, device: &Arc<dyn Device>, op: &str, attrs: &[(&str, AttrValue)]) -> Result<OpHandle> {
        let env = if Arc::ptr_eq(device, self.device()) {
            self.env.clone()
        } else {
            self.others.at(device, &self.env).env.clone()
        };
        OpHandle::in_env(self.registry().clone(), env, self.others.clone(), op, attrs)
    }
}

impl EagerHost for EagerContext {
    fn execute(&self, call: Call<Tensor>) -> Result<Outputs<Tensor>> {
        let Call { op, name, device, inputs, attrs } = call;
        let (mut tensors, lengths) = flat(inputs);
        self.perform((op, name.as_deref()), device.as_deref(), &lengths, &attrs, &mut tensors)
    }

    fn execute_flat(&self, call: FlatCall<'_>, outputs: &mut [Option<Tensor>]) -> Result<()> {
        let FlatCall { op, name, device, inputs, attrs } = call;
        let placed = self.placed((op, name), device, &[], attrs, inputs)?;
        let num_outputs = placed.kernel.node().output_dtypes.len();
        if num_outputs != outputs.len() {
            return Err(wrong_outputs(op, num_outputs, outputs.len()));
        }
        self.run_placed(&placed, inputs, outputs)
    }

    fn to_host(&self, tensor: &Tensor) -> Result<Tensor> {
        Self::to_host(self, tensor)
    }

    fn to_device(&self, tensor: &Tensor, device: &str) -> Result<Tensor> {
        Self::to_device(self, &self.device_named(device)?, tensor)
    }
}

fn global_host() -> Result<&'static dyn EagerHost> {
    EagerContext::global().map(|context| context as &dyn EagerHost)
}

oplink_api::__collect!(HOSTS, HostNode, HostFactory, global_host);
