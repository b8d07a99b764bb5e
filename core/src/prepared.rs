//! A kernel made ready for one node: found, constructed, and run with its checks and its errors.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use oplink_api::descriptors::{KernelDescriptor, KernelEntry, KernelFunction};
use oplink_api::device::HostMemory;
use oplink_api::elementwise::formula_attrs;
use oplink_api::elementwise::{Formula, FormulaLookup};
use oplink_api::foreign::ForeignKernel;
use oplink_api::gpu::{GpuFormula, GpuKernel};
use oplink_api::{
    AttrValue, Done, Error, FuncAttr, KernelConstruction, KernelContext, KernelEnv, KernelOptions, NodeInfo, RawKernel,
    Result, Tensor,
};

use crate::async_run::{AsyncFn, run_async, start_async};
use crate::run_error::{InputsSeen, add_node, check_outputs, check_slots, panicked};
use crate::{KernelRef, Registry};
use oplink_api::resolve::node_from_attrs;

/// The attr by which a node asks for a kernel with a label.
pub const KERNEL_LABEL_ATTR: &str = "_kernel";

/// A node's kernel. Runs may overlap, from any threads.
pub struct PreparedKernel {
    node: Arc<NodeInfo>,
    kernel: KernelRef,
    instance: Instance,
    host_memory: HostMemory,
    names_host_memory: bool,
}

/// The entry of kernels that are made for their nodes.
static MADE: KernelEntry = KernelEntry::new(&[], KernelFunction::Create(made_for_its_node));

fn made_for_its_node(construction: &KernelConstruction<'_>) -> Result<Box<dyn RawKernel>> {
    let NodeInfo { name, op, .. } = construction.node();
    Err(Error::invalid_argument(format!("`{name}`: kernels of {} are made by what adds its nodes", op.name)))
}

/// Whether each attr that the op declares has a value, where a function's attr could stand for it.
fn check_values(node: &NodeInfo) -> Result<()> {
    let is_left = |(name, value): &(&str, &AttrValue)| {
        matches!(value, AttrValue::Placeholder(_)) && node.op.attrs.iter().any(|attr| attr.name == *name)
    };
    match node.attrs.iter().find(is_left) {
        None => Ok(()),
        Some((name, _)) => Err(Error::invalid_argument(format!(
            "attr `{name}` stands for the attr of a function and has no value here: run the node in a function"
        ))),
    }
}

#[cold]
fn unresolved(node: &NodeInfo) -> Error {
    Error::internal(format!("the registry gave no kernel of the host for {}", node.op.name))
}

enum Instance {
    Program(&'static GpuKernel),
    Compute(fn(&mut KernelContext<'_>) -> Result<()>),
    Object(Box<dyn RawKernel>),
    Async(AsyncFn),
}

impl PreparedKernel {
    /// Finds and constructs the kernel of `node` for devices of this type.
    ///
    /// # Errors
    /// An attr without a value; there is no such kernel (see [`Registry::find_kernel`]), or its constructor fails or
    /// panics.
    pub fn new(registry: &Registry, node: Arc<NodeInfo>, device_type: &str) -> Result<Self> {
        Self::with_constants(registry, node, device_type, &[], KernelOptions::default())
    }

    /// As [`PreparedKernel::new`], with the values of the inputs that are the same tensors at every run, by position.
    ///
    /// # Errors
    /// As [`PreparedKernel::new`].
    pub fn with_constants(
        registry: &Registry,
        node: Arc<NodeInfo>,
        device_type: &str,
        constants: &[Option<Tensor>],
        options: KernelOptions,
    ) -> Result<Self> {
        let kernel = registry.find_kernel(&node.op.name, device_type, kernel_label(&node), &node);
        let formulas = Formulas { registry, device_type };
        check_values(&node).map_err(|error| add_node(error, &node, InputsSeen::None))?;
        let kernel = kernel.map_err(|error| add_node(error, &node, InputsSeen::None))?;
        let construction = KernelConstruction::new(&node).with_formulas(&formulas);
        let construction = construction.with_constants(constants).with_options(options);
        let instance = match kernel.function() {
            KernelFunction::Compute(function) => Instance::Compute(function),
            KernelFunction::Program(program) => Instance::Program(program),
            KernelFunction::Async(function) => Instance::Async(AsyncFn::Function(function)),
            KernelFunction::Create(create) => {
                construct(kernel, construction, |construction| create(construction).map(Instance::Object))?
            }
            KernelFunction::HostFallback => return Err(unresolved(&node)),
            KernelFunction::Foreign(factory) => construct(kernel, construction, |construction| {
                Ok(match factory.create(construction)? {
                    ForeignKernel::Now(kernel) => Instance::Object(kernel),
                    ForeignKernel::Later(kernel) => Instance::Async(AsyncFn::Object(kernel)),
                })
            })?,
        };
        let names = kernel.descriptor.host_memory;
        let host_memory = HostMemory::of(&node, names);
        Ok(Self { node, kernel, instance, host_memory, names_host_memory: !names.is_empty() })
    }

    /// A kernel made by other means than its declaration, for one node. Nodes of this declaration are in no registry.
    pub fn of_object(node: Arc<NodeInfo>, declaration: &'static KernelDescriptor, object: ForeignKernel) -> Self {
        let kernel = KernelRef { descriptor: declaration, entry: &MADE, of_host: None };
        let instance = match object {
            ForeignKernel::Now(kernel) => Instance::Object(kernel),
            ForeignKernel::Later(kernel) => Instance::Async(AsyncFn::Object(kernel)),
        };
        let host_memory = HostMemory::of(&node, declaration.host_memory);
        Self { node, kernel, instance, host_memory, names_host_memory: false }
    }

    /// The node.
    #[inline]
    pub fn node(&self) -> &Arc<NodeInfo> {
        &self.node
    }

    /// The kernel's declaration.
    pub fn kernel(&self) -> KernelRef {
        self.kernel
    }

    /// The inputs and outputs that are in host memory where the kernel runs on a device with memory of its own.
    pub fn host_memory(&self) -> &HostMemory {
        &self.host_memory
    }

    /// Computes the outputs: one slot for each input and output of the node. The kernel may take inputs, which leaves
    /// empty tensors in their slots. An asynchronous kernel is waited for.
    ///
    /// # Errors
    /// The kernel's error, its panic, an output it left out or gave another dtype, each with the node, the device, and
    /// dtype and shape of every input. The outputs are then empty.
    #[inline]
    pub fn run(&self, inputs: &mut [Tensor], outputs: &mut [Option<Tensor>], env: &dyn KernelEnv) -> Result<()> {
        check_slots(&self.node, inputs, outputs)?;
        let named = self.names_host_memory.then_some(&self.host_memory);
        let mut context = KernelContext::new(&self.node, inputs, outputs, env).with_host_memory(named);
        let ran = catch_unwind(AssertUnwindSafe(|| match &self.instance {
            Instance::Compute(function) => function(&mut context),
            Instance::Program(kernel) => (kernel.run)(kernel, &mut context),
            Instance::Object(kernel) => kernel.compute(&mut context),
            Instance::Async(function) => run_async(function, &self.node, &mut context),
        }));
        let failed = match ran {
            Ok(Ok(())) => match check_outputs(&self.node, outputs) {
                Ok(()) => return Ok(()),
                Err(error) => error,
            },
            Ok(Err(error)) => error,
            Err(payload) => panicked(&*payload, "kernel"),
        };
        Err(self.failed(failed, inputs, outputs))
    }

    /// Whether the kernel is a function, which keeps nothing beside what the node is.
    pub fn is_function(&self) -> bool {
        matches!(self.instance, Instance::Compute(_) | Instance::Program(_))
    }

    /// Whether the kernel completes later. Such a kernel is best started with [`PreparedKernel::start`].
    pub fn is_async(&self) -> bool {
        matches!(self.instance, Instance::Async(_))
    }

    /// Starts an asynchronous kernel; another one runs at once. `done` gets the outputs, or an error as that of
    /// [`PreparedKernel::run`], once: from this thread, possibly before the return, or from another.
    pub fn start(&self, mut inputs: Vec<Tensor>, env: &dyn KernelEnv, done: Done) {
        let mut outputs = vec![None; self.node.output_dtypes.len()];
        match &self.instance {
            Instance::Async(function) => match check_slots(&self.node, &inputs, &outputs) {
                Ok(()) => start_async(function, &self.node, inputs, env, self.naming_plugin(done)),
                Err(error) => done(Err(error)),
            },
            _ => done(self.run(&mut inputs, &mut outputs, env).map(|()| outputs)),
        }
    }

    #[cold]
    fn failed(&self, error: Error, inputs: &[Tensor], outputs: &mut [Option<Tensor>]) -> Error {
        outputs.fill(None);
        add_plugin(add_node(error, &self.node, InputsSeen::Run { inputs, taken: &[] }), self.kernel)
    }

    /// `done`, told of errors of a plugin's kernel with the plugin's name.
    fn naming_plugin(&self, done: Done) -> Done {
        match self.kernel.function() {
            KernelFunction::Foreign(_) => {
                let kernel = self.kernel;
                Box::new(move |finished| done(finished.map_err(|error| add_plugin(error, kernel))))
            }
            _ => done,
        }
    }
}

/// The formulas of a registry's kernels for one device type.
#[derive(Debug)]
struct Formulas<'a> {
    registry: &'a Registry,
    device_type: &'a str,
}

impl FormulaLookup for Formulas<'_> {
    fn formula(&self, op: &FuncAttr) -> Result<Formula> {
        self.find(op, |entry| entry.elementwise, |formula| formula.attrs)
    }

    fn gpu_formula(&self, op: &FuncAttr) -> Result<Formula<GpuFormula>> {
        self.find(op, |entry| entry.gpu_formula().map(|program| program.formula), |formula| formula.attrs)
    }
}

impl Formulas<'_> {
    /// The formula that the entry of the op's kernel has, with the values of the attrs that it takes.
    fn find<F>(
        &self,
        op: &FuncAttr,
        of_entry: impl FnOnce(&KernelEntry) -> Option<&'static F>,
        attrs_of: impl FnOnce(&F) -> &'static [&'static str],
    ) -> Result<Formula<F>> {
        let (node, entry) = self.entry(op)?;
        let (Some(function), Some(&result)) = (of_entry(entry), node.output_dtypes.first()) else {
            return Err(self.not_elementwise(op));
        };
        let attrs = formula_attrs(attrs_of(function), &node)?;
        Ok(Formula { function, attrs, num_inputs: node.input_dtypes.len(), result })
    }

    /// A node of the op, and the entry of the kernel that serves it.
    fn entry(&self, op: &FuncAttr) -> Result<(NodeInfo, &'static KernelEntry)> {
        let attrs = op.attrs.iter().map(|(name, value)| (name, value.clone()));
        let node = node_from_attrs(self.registry.op(&op.name)?, op.name.as_str(), "", attrs)?;
        let kernel = self.registry.find_kernel(&op.name, self.device_type, kernel_label(&node), &node)?;
        Ok((node, kernel.entry))
    }

    #[cold]
    fn not_elementwise(&self, op: &FuncAttr) -> Error {
        let device_type = self.device_type;
        Error::invalid_argument(format!(
            "the kernel of {} for devices of type {device_type} is not elementwise",
            op.name
        ))
    }
}

/// Constructs a kernel object; a panic is an error.
fn construct(
    kernel: KernelRef,
    construction: KernelConstruction<'_>,
    create: impl FnOnce(&KernelConstruction<'_>) -> Result<Instance>,
) -> Result<Instance> {
    let made = catch_unwind(AssertUnwindSafe(|| create(&construction)));
    let made = made.unwrap_or_else(|payload| Err(panicked(&*payload, "constructor of the kernel")));
    made.map_err(|error| add_plugin(add_node(error, construction.node(), InputsSeen::None), kernel))
}

/// Adds which plugin the kernel is of, where it is of one.
#[cold]
fn add_plugin(error: Error, kernel: KernelRef) -> Error {
    match kernel.function() {
        KernelFunction::Foreign(factory) => error.context(factory.describe()),
        _ => error,
    }
}

/// The label that the node asks for; empty for none.
pub fn kernel_label(node: &NodeInfo) -> &str {
    match node.attrs.get(KERNEL_LABEL_ATTR) {
        Some(AttrValue::String(label)) => std::str::from_utf8(label).unwrap_or("\u{fffd}"),
        _ => "",
    }
}

impl std::fmt::Debug for PreparedKernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PreparedKernel({} of {} from {})", self.node.name, self.node.op.name, self.kernel.location())
    }
}
