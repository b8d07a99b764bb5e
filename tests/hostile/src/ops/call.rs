//! A call of an op, and how it is run.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use oplink::prelude::*;
use oplink::resource::{ResourceManager, Variable};
use oplink::runtime::{HOST_DEVICE_TYPE, PreparedKernel, device_of_type, group_inputs, node_for_flat_call};
use oplink::tensor::Allocator;
use oplink::{Cancellation, KernelEnv, Step};

/// An input of a call.
#[derive(Clone)]
pub(super) enum Argument {
    /// A tensor.
    Tensor(Tensor),
    /// An output of a call before.
    Made(String),
    /// The output of any call before that has this dtype.
    Any(DType),
}

/// A call of an op.
#[derive(Clone)]
pub(super) struct Call {
    pub(super) op: String,
    pub(super) attrs: Vec<(String, AttrValue)>,
    pub(super) inputs: Vec<Argument>,
    /// Names of the outputs.
    pub(super) names: Vec<String>,
}

/// Elements of a tensor that a description has.
const SHOWN: usize = 12;

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Made(name) => write!(f, "{name}"),
            Self::Any(dtype) => write!(f, "any {dtype}"),
            Self::Tensor(tensor) if tensor.num_elements() <= SHOWN => {
                let text = format!("{tensor:?}");
                write!(f, "{}", text.chars().take(300).collect::<String>())
            }
            Self::Tensor(tensor) => write!(f, "{} {} of {}", tensor.dtype(), tensor.shape(), first(tensor)),
        }
    }
}

/// The first element of a large tensor.
fn first(tensor: &Tensor) -> String {
    let one = tensor.clone().with_shape([tensor.num_elements()]).and_then(|flat| flat.slice(0, 1));
    one.map_or_else(|error| error.to_string(), |one| format!("{one:?}").chars().take(100).collect())
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inputs: Vec<String> = self.inputs.iter().map(ToString::to_string).collect();
        write!(f, "{}({})", self.op, inputs.join(", "))?;
        for (name, value) in &self.attrs {
            let text: String = format!("{value:?}").chars().take(200).collect();
            write!(f, " {name}={text}")?;
        }
        Ok(())
    }
}

/// The steps of a case's calls, which share resources, on the host's device.
pub(super) struct Steps {
    resources: Arc<ResourceManager>,
    own: Step,
}

impl Steps {
    pub(super) fn new() -> Self {
        let resources = Arc::new(ResourceManager::new());
        Self { own: Step::new(1, resources.clone(), None, Cancellation::default()), resources }
    }

    /// The step of a call. One that can be stopped has its own.
    fn step(&self, stop: Option<&Cancellation>) -> Step {
        stop.map_or_else(|| self.own.clone(), |stop| Step::new(2, self.resources.clone(), None, stop.clone()))
    }
}

struct StepEnv<'a> {
    host: &'a dyn KernelEnv,
    step: Step,
}

impl KernelEnv for StepEnv<'_> {
    fn step(&self) -> Option<&Step> {
        Some(&self.step)
    }

    fn allocator(&self) -> Option<&Arc<dyn Allocator>> {
        self.host.allocator()
    }

    fn parallel_for(&self, count: usize, grain: usize, body: &(dyn Fn(Range<usize>) + Sync)) {
        self.host.parallel_for(count, grain, body);
    }

    fn intra_op_threads(&self) -> usize {
        self.host.intra_op_threads()
    }
}

/// Runs a call with what was made before it.
pub(super) fn run(
    steps: &Steps,
    call: &Call,
    made: &HashMap<String, Tensor>,
    stop: Option<&Cancellation>,
) -> Result<Vec<Tensor>> {
    let registry = Registry::global()?;
    let op = registry.op(&call.op)?;
    let find = |argument: &Argument| match argument {
        Argument::Tensor(tensor) => Ok(tensor.clone()),
        Argument::Made(name) => made.get(name).cloned().ok_or_else(|| Error::not_found(name.as_str())),
        Argument::Any(dtype) => any_of(*dtype, made),
    };
    let mut inputs = call.inputs.iter().map(find).collect::<Result<Vec<_>>>()?;
    let attrs: Vec<(&str, AttrValue)> = call.attrs.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    let mut dtypes: Vec<DType> = inputs.iter().map(Tensor::dtype).collect();
    let ranges = group_inputs(&op.spec, inputs.len(), &attrs)?;
    for (_, range) in op.spec.inputs.iter().zip(ranges).filter(|(arg, _)| arg.is_ref) {
        for index in range {
            dtypes[index] = referent(&inputs[index]).unwrap_or(dtypes[index]);
        }
    }
    let node = node_for_flat_call(op, call.op.as_str(), "/device:CPU:0", &dtypes, &attrs)?;
    let device = device_of_type(HOST_DEVICE_TYPE)?;
    let kernel = PreparedKernel::new(registry, Arc::new(node), HOST_DEVICE_TYPE)?;
    let mut outputs = vec![None; kernel.node().output_dtypes.len()];
    let env = StepEnv { host: device.env(), step: steps.step(stop) };
    kernel.run(&mut inputs, &mut outputs, &env)?;
    Ok(outputs.into_iter().flatten().collect())
}

/// Runs an op that has to end at a deadline.
///
/// # Errors
/// The op's, `DeadlineExceeded` where there was not time enough.
pub fn run_until(op: &str, attrs: &[(&str, AttrValue)], inputs: Vec<Tensor>, deadline: Instant) -> Result<Vec<Tensor>> {
    run_single(op, attrs, inputs, &Cancellation::with_deadline(Some(deadline)))
}

/// Runs an op that is cancelled after some time.
///
/// # Errors
/// The op's, `Cancelled` where it was not done by then.
pub fn run_cancelled(
    op: &str,
    attrs: &[(&str, AttrValue)],
    inputs: Vec<Tensor>,
    after: Duration,
) -> Result<Vec<Tensor>> {
    let stop = Cancellation::default();
    let other = stop.clone();
    let cancel = std::thread::spawn(move || {
        std::thread::sleep(after);
        other.cancel(Error::new(Code::Cancelled, ErrorKind::Cancelled, "the test cancels"));
    });
    let result = run_single(op, attrs, inputs, &stop);
    drop(cancel.join());
    result
}

fn run_single(op: &str, attrs: &[(&str, AttrValue)], inputs: Vec<Tensor>, stop: &Cancellation) -> Result<Vec<Tensor>> {
    let attrs = attrs.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let inputs = inputs.into_iter().map(Argument::Tensor).collect();
    let call = Call { op: op.to_owned(), attrs, inputs, names: Vec::new() };
    run(&Steps::new(), &call, &HashMap::new(), Some(stop))
}

/// The dtype of what a reference refers to.
fn referent(tensor: &Tensor) -> Option<DType> {
    let handle = tensor.as_slice::<ResourceHandle>().ok()?.first()?;
    Some(handle.get::<Variable>().ok()?.dtype())
}

fn any_of(dtype: DType, made: &HashMap<String, Tensor>) -> Result<Tensor> {
    let mut fitting: Vec<_> = made.iter().filter(|(_, tensor)| tensor.dtype() == dtype).collect();
    fitting.sort_by_key(|(name, _)| name.as_str());
    let last = fitting.pop().map(|(_, tensor)| tensor.clone());
    last.ok_or_else(|| Error::not_found(format!("nothing of {dtype} was made")))
}
