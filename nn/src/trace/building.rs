//! A graph that is made of calls.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

#[cfg(feature = "train")]
use oplink_api::Op;
use oplink_api::call::{Arg, Call, Outputs};
use oplink_api::resource::ResourceInfo;
use oplink_api::{DType, Error, NodeInfo, Output, PartialShape, Result, Scope, Tensor};
use oplink_core::Registry;
use oplink_graph::Graph;
use oplink_graph::eager::{EagerContext, device_of_scope};
#[cfg(feature = "train")]
use oplink_ops::{ReadVariableOp, ResourceGather, VarHandleOp, VariableShape};

use smallvec::SmallVec;

use crate::value::{Id, Traced, Value};

/// A resource that the calls of a trace touch: its handle, and the output that stands for it.
#[derive(Debug)]
pub(crate) struct Captured {
    pub(crate) handle: Tensor,
    pub(crate) output: Output,
}

/// The calls that touched a resource.
#[derive(Debug, Default)]
struct Touched {
    last_change: Option<u32>,
    reads_since: Vec<u32>,
}

/// A graph that is made of the calls of a function.
#[derive(Debug)]
pub(crate) struct Trace {
    number: u64,
    pub(crate) graph: Graph,
    pub(crate) captured: Vec<Captured>,
    /// Nodes that run even if nothing depends on them.
    pub(crate) effects: Vec<u32>,
    /// Whether some calls ask for devices.
    pub(crate) asks_for_devices: bool,
    /// Whether the graph is written into a file, for other programs too.
    pub(crate) is_for_export: bool,
    outputs: HashMap<Id, Output>,
    touched: HashMap<Output, Touched>,
    names: HashSet<String>,
    /// Names that variables have here in place of their own, by their handles.
    wanted_names: Vec<(Tensor, String)>,
    /// Of the body of a condition or loop: the traces around it, the values that it takes from them (handles too) with
    /// what stands for them, and the variables that tapes around it are to watch.
    pub(super) around: Vec<u64>,
    pub(super) taken: Vec<(Value, Output)>,
    pub(super) watched: Vec<Value>,
    /// The number of the next function.
    pub(super) next_function: u32,
}

impl Trace {
    pub(crate) fn new() -> Result<Self> {
        Ok(Self::over(EagerContext::global()?.registry()))
    }

    fn over(registry: &Arc<Registry>) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self {
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            graph: Graph::new(registry),
            captured: Vec::new(),
            effects: Vec::new(),
            asks_for_devices: false,
            is_for_export: false,
            outputs: HashMap::new(),
            touched: HashMap::new(),
            names: HashSet::new(),
            wanted_names: Vec::new(),
            around: Vec::new(),
            taken: Vec::new(),
            watched: Vec::new(),
            next_function: 0,
        }
    }

    /// A trace of the body of a condition or loop inside this one.
    pub(super) fn of_body(&self) -> Self {
        let mut body = Self::over(self.graph.registry());
        body.around.clone_from(&self.around);
        body.around.push(self.number);
        body.next_function = self.next_function;
        body
    }

    pub(super) fn note_watched(&mut self, value: &Value) {
        if self.watched.iter().all(|known| known.id() != value.id()) {
            self.watched.push(value.clone());
        }
    }

    /// Whether a value is an output of this trace.
    pub(super) fn owns(&self, value: &Value) -> bool {
        value.as_traced().is_some_and(|traced| traced.trace == self.number)
    }

    /// Adds a value that is fed.
    pub(crate) fn placeholder(&mut self, name: &str, dtype: DType, shape: PartialShape) -> Result<(Value, Output)> {
        let output = self.graph.scope().placeholder(name, dtype, shape)?;
        Ok((self.value(output), output))
    }

    /// Names a variable here, by its handle.
    #[cfg_attr(not(feature = "saved_model"), expect(dead_code, reason = "models are what names matter for"))]
    pub(crate) fn name_variable(&mut self, handle: &Value, name: &str) -> Result<()> {
        self.wanted_names.push((handle.device_tensor()?, name.to_owned()));
        Ok(())
    }

    pub(super) fn value(&self, output: Output) -> Value {
        let dtype = self.graph.dtype(output).unwrap_or(DType::Invalid);
        Value::traced(self.number, output, dtype, self.graph.shape(output))
    }

    pub(crate) fn add(&mut self, call: Call<Value>) -> Result<(Outputs<Value>, Arc<NodeInfo>)> {
        let reads = only_reads(call.op);
        self.add_that(call, reads)
    }

    /// Adds a call that leaves the resources that it takes as they are, or not.
    pub(super) fn add_that(&mut self, call: Call<Value>, reads: bool) -> Result<(Outputs<Value>, Arc<NodeInfo>)> {
        let Call { op, name, device, inputs, attrs } = call;
        let inputs: SmallVec<_> = inputs.into_iter().map(|input| self.arg(input)).collect::<Result<_>>()?;
        let resources = self.resources(&inputs);
        let before = self.before(reads, &resources);
        let device = device.or_else(device_of_scope);
        self.asks_for_devices |= device.is_some();
        let call = Call { op, name, device, inputs, attrs };
        let made = self.graph.scope().with_control_inputs(&before).add(call)?;
        self.touch(reads, &resources, made.node);
        let info = self.graph.nodes()[made.node as usize].info().clone();
        let values = made.values.iter().map(|&output| self.value(output)).collect();
        Ok((Outputs { values, ranges: made.ranges, node: made.node }, info))
    }

    fn arg(&mut self, arg: Arg<Value>) -> Result<Arg<Output>> {
        Ok(match arg {
            Arg::One(value) => Arg::One(self.output(&value)?),
            Arg::List(values) => Arg::List(values.iter().map(|value| self.output(value)).collect::<Result<_>>()?),
        })
    }

    /// The output that stands for a value: its own, a constant, or what its handle is fed to.
    pub(crate) fn output(&mut self, value: &Value) -> Result<Output> {
        if let Some(&Traced { trace, output, .. }) = value.as_traced() {
            return match trace == self.number {
                true => Ok(output),
                false if self.around.contains(&trace) => self.take(value),
                false => Err(Error::invalid_argument(
                    "a value of one traced function, or of one body of a condition or loop, is used in another: give it \
                     as an argument or a result",
                )),
            };
        }
        let id = value.id().unwrap_or_default();
        if let Some(&output) = self.outputs.get(&id) {
            return Ok(output);
        }
        let tensor = value.device_tensor()?;
        let output = match tensor.dtype() {
            DType::Resource if !self.around.is_empty() => self.take(value)?,
            DType::Resource => self.capture(tensor)?,
            _ => self.graph.scope().constant(tensor.to_host()?)?,
        };
        self.outputs.insert(id, output);
        Ok(output)
    }

    /// What stands for a value from around the body, or for a resource's handle.
    fn take(&mut self, value: &Value) -> Result<Output> {
        let same = |known: &Value| match (known.as_traced(), value.as_traced()) {
            (None, None) => same_value(known, value),
            _ => known.id() == value.id(),
        };
        if let Some(&(_, output)) = self.taken.iter().find(|(known, _)| same(known)) {
            return Ok(output);
        }
        let output = self.graph.scope().placeholder("taken", value.dtype()?, value.partial_shape()?)?;
        if let Some(info) = value.device_tensor().ok().as_ref().and_then(|handle| handle.handle().ok()?.info()) {
            self.graph.set_handle_shapes(output, info.dtypes_and_shapes.clone())?;
        }
        self.taken.push((value.clone(), output));
        Ok(output)
    }

    /// The output that a resource's handle is fed to.
    fn capture(&mut self, handle: Tensor) -> Result<Output> {
        if let Some(known) = self.captured.iter().find(|known| same_resource(&known.handle, &handle)) {
            return Ok(known.output);
        }
        let mut info = handle.handle()?.info().cloned().unwrap_or_default();
        if let Some((_, name)) = self.wanted_names.iter().find(|(known, _)| same_resource(known, &handle)) {
            info.name.clone_from(name);
        }
        let output = self.resource_node(&info)?;
        self.captured.push(Captured { handle, output });
        Ok(output)
    }

    #[cfg(feature = "train")]
    fn resource_node(&mut self, info: &ResourceInfo) -> Result<Output> {
        let [(dtype, shape)] = info.dtypes_and_shapes.as_slice() else { return self.handle_placeholder(info) };
        let name = self.free_name(&info.name);
        let attrs = vec![
            ("dtype", (*dtype).into()),
            ("shape", oplink_api::AttrValue::Shape(shape.clone())),
            ("shared_name", name.as_str().into()),
        ];
        let call =
            Call { op: VarHandleOp::NAME, name: Some(name), device: None, inputs: [].into_iter().collect(), attrs };
        self.graph.scope().add(call)?.one(0)
    }

    #[cfg(not(feature = "train"))]
    fn resource_node(&mut self, info: &ResourceInfo) -> Result<Output> {
        self.handle_placeholder(info)
    }

    fn handle_placeholder(&mut self, info: &ResourceInfo) -> Result<Output> {
        let name = self.free_name(&info.name);
        self.graph.scope().placeholder(&name, DType::Resource, PartialShape::scalar())
    }

    /// The name, with a number where another resource has it.
    fn free_name(&mut self, name: &str) -> String {
        let name = if name.is_empty() { "resource" } else { name };
        let numbered = (1..).map(|number| format!("{name}_{number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        let free = names.find(|name| !self.names.contains(name)).unwrap_or_default();
        self.names.insert(free.clone());
        free
    }

    /// The resources among the inputs.
    fn resources(&self, inputs: &[Arg<Output>]) -> Vec<Output> {
        let flat = inputs.iter().flat_map(|arg| match arg {
            Arg::One(output) => std::slice::from_ref(output),
            Arg::List(outputs) => outputs,
        });
        flat.copied().filter(|&output| self.graph.dtype(output) == Some(DType::Resource)).collect()
    }

    /// The nodes that must have run before a call that touches these resources.
    fn before(&self, only_reads: bool, resources: &[Output]) -> Vec<u32> {
        let touched = resources.iter().filter_map(|resource| self.touched.get(resource));
        let mut before: Vec<u32> = touched
            .flat_map(|touched| {
                let reads = if only_reads { &[][..] } else { &touched.reads_since };
                touched.last_change.into_iter().chain(reads.iter().copied())
            })
            .collect();
        before.sort_unstable();
        before.dedup();
        before
    }

    fn touch(&mut self, reads: bool, resources: &[Output], node: u32) {
        for &resource in resources {
            let touched = self.touched.entry(resource).or_default();
            if reads {
                touched.reads_since.push(node);
            } else {
                *touched = Touched { last_change: Some(node), reads_since: Vec::new() };
            }
        }
        let without_outputs = self.graph.nodes()[node as usize].num_outputs() == 0;
        if without_outputs || (!resources.is_empty() && !reads) {
            self.effects.push(node);
        }
    }
}

fn same_resource(a: &Tensor, b: &Tensor) -> bool {
    matches!((a.handle(), b.handle()), (Ok(a), Ok(b)) if a == b)
}

fn same_value(a: &Value, b: &Value) -> bool {
    matches!((a.device_tensor(), b.device_tensor()), (Ok(a), Ok(b)) if same_resource(&a, &b))
}

/// Whether the op leaves the resources that it takes as they are.
#[cfg(feature = "train")]
fn only_reads(op: &str) -> bool {
    [ReadVariableOp::NAME, ResourceGather::NAME, VariableShape::NAME].contains(&op)
}

#[cfg(not(feature = "train"))]
fn only_reads(_: &str) -> bool {
    false
}
