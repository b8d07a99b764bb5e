//! Functions made ready to run: once for each function and set of attrs, at the first call.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use oplink_api::function::{Function, FunctionLibrary};
use oplink_api::{AttrMap, Cancellation, DType, FuncAttr, ResourceHandle, Result, ResultExt, Step, Tensor};
use oplink_core::Registry;
use oplink_proto::VersionDef;

use crate::attr_hash::hash_attrs;
use crate::executor::Executor;
use crate::functions::{Around, Body};
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
}

/// A function with values for its attrs, ready to run.
struct Instance {
    name: String,
    attrs: AttrMap,
    input_dtypes: Vec<DType>,
    output_dtypes: Vec<DType>,
    ready: Ready,
    _inlined: InlinedNodes,
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

    fn present(&self, function: &FuncAttr) -> Option<Arc<Instance>> {
        let instances = self.instances();
        let same_hash = instances.get(&function.name)?.get(&hash_attrs(&function.attrs))?;
        same_hash.iter().find(|instance| instance.attrs == function.attrs).cloned()
    }

    fn make(&self, function: &FuncAttr, cancellation: &Cancellation) -> Result<Instance> {
        let Library { functions, registry, call_inference } = self.library();
        let (versions, inside) = (self.versions.as_ref(), &[][..]);
        let around = Around { functions: &functions, registry: &registry, versions, inside, call_inference };
        let entry = functions.find(&function.name)?;
        let body = Body::new(&around, entry, &function.attrs, None)?;
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
    fn get(&self, function: &FuncAttr, cancellation: &Cancellation) -> Result<Arc<dyn Function>> {
        if !ARE_LINKED {
            return Err(left_out(&function.name));
        }
        if let Some(instance) = self.present(function) {
            return Ok(instance);
        }
        let made = Arc::new(self.make(function, cancellation)?);
        let mut instances = self.instances();
        let of_name = instances.entry(function.name.clone()).or_default();
        let known = of_name.entry(hash_attrs(&function.attrs)).or_default();
        if let Some(instance) = known.iter().find(|instance| instance.attrs == function.attrs) {
            return Ok(instance.clone());
        }
        known.push(made.clone());
        Ok(made)
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
        let step = step.enter_call(&self.name)?;
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
