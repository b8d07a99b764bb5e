//! Functions made ready to run: once for each function and set of attrs, at the first call.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use oplink_api::function::{Function, FunctionForm, FunctionLibrary, ReadGraph, WriteOptions, WrittenNode};
use oplink_api::{AttrMap, Cancellation, DType, Error, FuncAttr, ResourceHandle, Result, ResultExt, Step, Tensor};
use oplink_core::{Device, DeviceName, Registry};
use oplink_proto::VersionDef;

use crate::attr_hash::hash_attrs;
use crate::executor::Executor;
use crate::functions::{Around, Body, WrittenLibrary};
use crate::graph::CallInference;
use crate::kernels::{Devices, KernelCache, Results};
use crate::library::{ARE_LINKED, Functions, left_out};
use crate::passes::{InlinedNodes, InliningBudget, Rewritten, optimize};
use crate::signature::Signature;
use crate::{Graph, PassOptions};

/// The functions of a session together take in as many nodes by inlining as so many plans may.
const INLINED_PLANS: usize = 4;

/// Functions that are ready, by name and by a hash of their attrs.
type Instances = HashMap<String, HashMap<u64, Vec<Arc<Instance>>>>;

/// The functions of a session.
pub(crate) struct FunctionRuntime {
    library: RwLock<Library>,
    versions: Option<VersionDef>,
    devices: Arc<Devices>,
    passes: PassOptions,
    /// What is inlined into all functions together.
    inlining: Arc<InliningBudget>,
    instances: Mutex<Instances>,
}

/// What bodies are made of.
#[derive(Clone)]
struct Library {
    functions: Arc<Functions>,
    registry: Arc<Registry>,
    call_inference: CallInference,
}

impl Library {
    fn of(graph: &Graph) -> Self {
        let (functions, registry) = (graph.functions.clone(), graph.registry.clone());
        Self { functions, registry, call_inference: graph.call_inference }
    }

    /// # Errors
    /// The build has no functions.
    fn written(&self) -> Result<WrittenLibrary<'_>> {
        if !ARE_LINKED {
            return Err(left_out(""));
        }
        let Self { functions, registry, call_inference } = self;
        Ok(WrittenLibrary { functions, registry, call_inference: *call_inference })
    }
}

/// A function with values for its attrs, ready to run.
struct Instance {
    name: String,
    attrs: AttrMap,
    form: Form,
    /// The functions that its nodes call, where they are others than those of the step: a gradient brings its own.
    functions: Option<Arc<FunctionRuntime>>,
    input_dtypes: Vec<DType>,
    output_dtypes: Vec<DType>,
    ready: Ready,
    _inlined: InlinedNodes,
}

/// What was made of a function.
#[derive(Clone, PartialEq, Eq)]
enum Form {
    Itself,
    Gradient,
    /// The function on the device of this full name.
    OnDevice(String),
}

impl FunctionRuntime {
    /// The functions of a graph's library, run on `devices`.
    pub(crate) fn new(graph: &Graph, devices: Arc<Devices>, passes: PassOptions) -> Self {
        Self {
            library: RwLock::new(Library::of(graph)),
            versions: graph.versions.clone(),
            devices,
            inlining: InliningBudget::new(passes.max_inlined_nodes().saturating_mul(INLINED_PLANS)),
            passes,
            instances: Mutex::default(),
        }
    }

    /// Uses the library of a graph that has grown from now on; functions that are ready stay so.
    pub(crate) fn extend(&self, graph: &Graph) {
        *self.library.write().unwrap_or_else(PoisonError::into_inner) = Library::of(graph);
    }

    #[cfg(feature = "eager")]
    /// Makes a function ready anew at its next call.
    pub(crate) fn forget(&self, name: &str) {
        let forgotten = self.instances().remove(name);
        drop(forgotten);
    }

    fn library(&self) -> Library {
        self.library.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn instances(&self) -> MutexGuard<'_, Instances> {
        self.instances.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn present(&self, function: &FuncAttr, form: &Form) -> Option<Arc<Instance>> {
        let instances = self.instances();
        let same_hash = instances.get(&function.name)?.get(&hash_attrs(&function.attrs))?;
        same_hash.iter().find(|instance| instance.is(function, form)).cloned()
    }

    /// The form with the device that is meant.
    ///
    /// # Errors
    /// The name is malformed, or that of no device.
    fn form(&self, form: FunctionForm<'_>) -> Result<Form> {
        let name = match form {
            FunctionForm::Itself => return Ok(Form::Itself),
            FunctionForm::Gradient => return Ok(Form::Gradient),
            FunctionForm::OnDevice(name) => name,
        };
        let (wanted, devices) = (DeviceName::parse(name)?, self.devices.all());
        let host = std::iter::once(&self.devices.host);
        let is_wanted =
            |device: &&Arc<dyn Device>| DeviceName::parse(device.name()).is_ok_and(|it| wanted.matches(&it));
        let Some(device) = host.chain(devices).find(is_wanted) else {
            let names: Vec<&str> = devices.iter().map(|device| device.name()).collect();
            return Err(Error::invalid_argument(format!(
                "there is no device `{name}` to call a function on; there are {}",
                names.join(", ")
            )));
        };
        Ok(Form::OnDevice(device.name().to_owned()))
    }

    /// The body to run.
    fn body(&self, library: &Library, function: &FuncAttr, form: &Form) -> Result<Body> {
        let Library { functions, registry, call_inference } = library;
        let (versions, call_inference, itself) =
            (self.versions.as_ref(), *call_inference, [function.name.as_str().into()]);
        let inside = if *form == Form::Gradient { &itself[..] } else { &[] };
        let around = Around { functions, registry, versions, inside, call_inference };
        if *form == Form::Gradient && functions.get(&function.name).is_none() {
            let mut graph = Graph::empty(registry, call_inference);
            graph.functions = functions.clone();
            return Body::of_op(graph, function)?.into_gradient();
        }
        let mut body = Body::new(&around, functions.find(&function.name)?, &function.attrs, None)?;
        match form {
            Form::Itself => {}
            Form::Gradient => {
                return body.into_gradient().context_with(|| format!("the gradient of function `{}`", function.name));
            }
            Form::OnDevice(device) => body.graph.place_on(device),
        }
        Ok(body)
    }

    /// A runtime over the functions of another graph.
    fn over(&self, graph: &Graph) -> Self {
        Self {
            library: RwLock::new(Library::of(graph)),
            versions: self.versions.clone(),
            devices: self.devices.clone(),
            inlining: self.inlining.clone(),
            passes: self.passes.clone(),
            instances: Mutex::default(),
        }
    }

    /// The function that the library notes as the gradient that is asked for.
    fn noted_gradient(&self, function: &FuncAttr, form: &Form) -> Option<FuncAttr> {
        let name = (*form == Form::Gradient).then(|| self.library().functions.gradient_of(&function.name))??;
        Some(FuncAttr { name, attrs: function.attrs.clone() })
    }

    fn make(&self, function: &FuncAttr, form: Form, cancellation: &Cancellation) -> Result<Instance> {
        let library = self.library();
        let body = self.body(&library, function, &form)?;
        let is_other = !Arc::ptr_eq(&body.graph.functions, &library.functions);
        let functions = is_other.then(|| Arc::new(self.over(&body.graph)));
        let feeds = body.arguments.iter().copied().collect();
        let signature = Signature { feeds, fetches: body.results, targets: body.effects };
        let takes_resources = body.input_dtypes.contains(&DType::Resource) && self.devices.all().len() > 1;
        let (ready, inlined) = optimize(&body.graph, &signature, &self.passes, &self.inlining, cancellation)
            .and_then(|Rewritten { graph, signature, inlined }| {
                let ready = match takes_resources {
                    false => Ready::Placed(Box::new(build(&graph, &signature, &self.devices, &[], cancellation)?)),
                    true => Ready::ByResources(Box::new(ByResources {
                        devices: self.devices.clone(),
                        graph,
                        signature,
                        placed: Mutex::default(),
                    })),
                };
                Ok((ready, inlined))
            })
            .context_with(|| format!("in function `{}`", function.name))?;
        Ok(Instance {
            name: function.name.clone(),
            attrs: function.attrs.clone(),
            form,
            functions,
            input_dtypes: body.input_dtypes,
            output_dtypes: body.output_dtypes,
            ready,
            _inlined: inlined,
        })
    }
}

/// What a call runs.
enum Ready {
    /// The same for all arguments.
    Placed(Box<Executor>),
    /// One for each choice of devices that the arguments' resources are on.
    ByResources(Box<ByResources>),
}

/// A body that takes resources, placed anew for each choice of devices that they are on.
struct ByResources {
    devices: Arc<Devices>,
    graph: Graph,
    signature: Signature,
    /// By the device of each argument's resource; empty for other arguments.
    placed: Mutex<Vec<(Vec<String>, Arc<Executor>)>>,
}

impl ByResources {
    fn executor(&self, arguments: &[Tensor], cancellation: &Cancellation) -> Result<Arc<Executor>> {
        let devices: Vec<String> = arguments.iter().map(device_of_resource).collect();
        let placed = || self.placed.lock().unwrap_or_else(PoisonError::into_inner);
        let find = || placed().iter().find(|(known, _)| *known == devices).map(|(_, executor)| executor.clone());
        if let Some(executor) = find() {
            return Ok(executor);
        }
        let executor = Arc::new(build(&self.graph, &self.signature, &self.devices, &devices, cancellation)?);
        if let Some(executor) = find() {
            return Ok(executor);
        }
        placed().push((devices, executor.clone()));
        Ok(executor)
    }
}

/// The device of the resource that a handle refers to; empty for what is no handle.
fn device_of_resource(argument: &Tensor) -> String {
    let handle = argument.as_slice::<ResourceHandle>().ok().and_then(<[ResourceHandle]>::first);
    handle.and_then(ResourceHandle::info).map_or_else(String::new, |info| info.device.clone())
}

fn build(
    graph: &Graph,
    signature: &Signature,
    devices: &Devices,
    resources: &[String],
    cancellation: &Cancellation,
) -> Result<Executor> {
    let cache = KernelCache::default();
    Executor::build(graph, signature, devices, Results::OfFunction(resources), &cache, cancellation)
}

impl FunctionLibrary for FunctionRuntime {
    fn get(
        &self,
        function: &FuncAttr,
        form: FunctionForm<'_>,
        cancellation: &Cancellation,
    ) -> Result<Arc<dyn Function>> {
        if !ARE_LINKED {
            return Err(left_out(&function.name));
        }
        let form = self.form(form)?;
        if let Some(instance) = self.present(function, &form) {
            return Ok(instance);
        }
        if let Some(gradient) = self.noted_gradient(function, &form) {
            return self.get(&gradient, FunctionForm::Itself, cancellation);
        }
        let made = Arc::new(self.make(function, form, cancellation)?);
        let mut instances = self.instances();
        let of_name = instances.entry(function.name.clone()).or_default();
        let known = of_name.entry(hash_attrs(&function.attrs)).or_default();
        if let Some(instance) = known.iter().find(|instance| instance.is(function, &made.form)) {
            return Ok(instance.clone());
        }
        known.push(made.clone());
        Ok(made)
    }

    fn stateful_ops(&self, function: &str) -> Result<Vec<String>> {
        self.library().written()?.stateful_ops(function)
    }

    fn write_graph(&self, nodes: &[WrittenNode<'_>], options: WriteOptions) -> Result<Vec<u8>> {
        self.library().written()?.write(nodes, options)
    }

    fn read_graph(&self, graph: &[u8], cancellation: &Cancellation) -> Result<ReadGraph> {
        let (graph, name) = self.library().written()?.read(graph)?;
        let functions = Arc::new(self.over(&graph));
        let root = FuncAttr { name, attrs: AttrMap::new() };
        Ok(ReadGraph { root: functions.get(&root, FunctionForm::Itself, cancellation)?, functions })
    }
}

impl Instance {
    fn is(&self, function: &FuncAttr, form: &Form) -> bool {
        self.form == *form && self.attrs == function.attrs
    }
}

impl Function for Instance {
    fn name(&self) -> &str {
        &self.name
    }

    fn input_dtypes(&self) -> &[DType] {
        &self.input_dtypes
    }

    fn output_dtypes(&self) -> &[DType] {
        &self.output_dtypes
    }

    fn call(
        &self,
        step: &Step,
        arguments: &mut dyn ExactSizeIterator<Item = Tensor>,
        results: &mut Vec<Tensor>,
    ) -> Result<()> {
        let mut step = step.enter_call(&self.name)?;
        if let Some(functions) = &self.functions {
            step = step.with_functions(functions.clone());
        }
        results.clear();
        let ran = match &self.ready {
            Ready::Placed(executor) => executor.run(&step, arguments, results),
            Ready::ByResources(body) => {
                let arguments: Vec<Tensor> = arguments.collect();
                let executor = body.executor(&arguments, step.cancellation());
                executor.and_then(|executor| executor.run(&step, arguments.into_iter(), results))
            }
        };
        ran.context_with(|| format!("in function `{}`", self.name))
    }
}
