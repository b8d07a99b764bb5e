//! Functions made ready to run: once for each function and set of attrs, at the first call.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use oplink_api::{AttrMap, DType, FuncAttr, Function, FunctionLibrary, KernelEnv, Result, ResultExt, Step, Tensor};
use oplink_core::{Device, IntraOpPool, Registry};
use oplink_proto::VersionDef;

use super::{Body, Functions};
use crate::executor::Executor;
use crate::passes::optimize;
use crate::plan::{Placement, Signature};
use crate::{Graph, PassOptions};

/// The functions of a session.
pub(crate) struct FunctionRuntime {
    library: RwLock<Library>,
    versions: Option<VersionDef>,
    device: Arc<dyn Device>,
    soft_placement: bool,
    passes: PassOptions,
    env: Arc<dyn KernelEnv>,
    pool: Option<Arc<IntraOpPool>>,
    instances: Mutex<HashMap<String, Vec<Arc<Instance>>>>,
}

/// What bodies are made of.
#[derive(Clone)]
struct Library {
    functions: Arc<Functions>,
    registry: Arc<Registry>,
}

impl Library {
    fn of(graph: &Graph) -> Self {
        Self { functions: graph.functions.clone(), registry: graph.registry.clone() }
    }
}

/// A function with values for its attrs, ready to run.
struct Instance {
    name: String,
    attrs: AttrMap,
    input_dtypes: Vec<DType>,
    output_dtypes: Vec<DType>,
    executor: Executor,
}

impl FunctionRuntime {
    /// The functions of a graph's library, run on `device`.
    pub(crate) fn new(
        graph: &Graph,
        device: Arc<dyn Device>,
        soft_placement: bool,
        passes: PassOptions,
        env: Arc<dyn KernelEnv>,
        pool: Option<Arc<IntraOpPool>>,
    ) -> Self {
        Self {
            library: RwLock::new(Library::of(graph)),
            versions: graph.versions.clone(),
            device,
            soft_placement,
            passes,
            env,
            pool,
            instances: Mutex::default(),
        }
    }

    /// Takes over the library of a graph that has grown; functions that are ready stay so.
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

    fn instances(&self) -> MutexGuard<'_, HashMap<String, Vec<Arc<Instance>>>> {
        self.instances.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn present(&self, function: &FuncAttr) -> Option<Arc<Instance>> {
        let instances = self.instances();
        instances.get(&function.name)?.iter().find(|instance| instance.attrs == function.attrs).cloned()
    }

    fn make(&self, function: &FuncAttr) -> Result<Instance> {
        let Library { functions, registry } = self.library();
        let entry = functions.find(&function.name)?;
        let body = Body::new(&functions, &registry, self.versions.as_ref(), entry, &function.attrs)?;
        let signature = Signature { feeds: body.arguments, fetches: body.results, targets: body.effects };
        let (device, device_type) = (self.device.name(), self.device.device_type());
        let placement = Placement { device, device_type, soft: self.soft_placement };
        let executor = optimize(&body.graph, &signature, &self.passes)
            .and_then(|(graph, signature)| {
                Executor::build(&graph, &signature, placement, self.env.clone(), self.pool.clone())
            })
            .context_with(|| format!("in function `{}`", function.name))?;
        Ok(Instance {
            name: function.name.clone(),
            attrs: function.attrs.clone(),
            input_dtypes: body.input_dtypes,
            output_dtypes: body.output_dtypes,
            executor,
        })
    }
}

impl FunctionLibrary for FunctionRuntime {
    fn get(&self, function: &FuncAttr) -> Result<Arc<dyn Function>> {
        if let Some(instance) = self.present(function) {
            return Ok(instance);
        }
        let made = Arc::new(self.make(function)?);
        let mut instances = self.instances();
        let known = instances.entry(function.name.clone()).or_default();
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
        let ran = self.executor.run(&step, arguments, results);
        ran.context_with(|| format!("in function `{}`", self.name))
    }
}
