//! What every annotation leaves behind: static, const-built, pointer-only descriptors.

use std::fmt;

use crate::elementwise::{ElementwiseFn, InputShapes};
use crate::foreign::KernelFactory;
use crate::gpu::{ElementwiseProgram, GpuForm, GpuKernel};
use crate::gradient::GradientDescriptor;
use crate::shape_inference::ShapeFn;
use crate::{AsyncKernelContext, AttrMap, AttrValue, DType, KernelConstruction, KernelContext, RawKernel, Result};

/// Where something was declared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location {
    /// Package that declares it.
    pub crate_name: &'static str,
    /// The package's version.
    pub crate_version: &'static str,
    /// Source file, or a plugin's file.
    pub file: &'static str,
    /// Line, from 1; 0 where there is none.
    pub line: u32,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.file)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        let space = if self.crate_version.is_empty() { "" } else { " " };
        write!(f, " ({}{space}{})", self.crate_name, self.crate_version)
    }
}

impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The flags of an op.
pub type OpFlags = oplink_spec::Flags;

/// One `#[op]`.
#[derive(Debug)]
pub struct OpDescriptor {
    /// The op's name.
    pub name: &'static str,
    /// Inputs in the op language.
    pub inputs: &'static [&'static str],
    /// Outputs in the op language.
    pub outputs: &'static [&'static str],
    /// Attrs in the op language.
    pub attrs: &'static [&'static str],
    /// Flags.
    pub flags: OpFlags,
    /// GraphDef version from which the op is deprecated, and why.
    pub deprecation: Option<(i32, &'static str)>,
    /// Shape function; `None` leaves all output shapes unknown.
    pub shape: Option<ShapeFn>,
    /// Documentation.
    pub doc: &'static str,
    /// Whether nothing is differentiated through the op.
    pub no_gradient: bool,
    /// What the op is, beyond its arguments: what passes, placement and tools ask for in place of its name.
    pub facts: &'static [OpFact],
    /// Whether the build's selection left the op out: then shape function and documentation are missing, no kernel has
    /// code, and what is collected is an [`ExcludedOp`] in place of the descriptor.
    pub excluded: bool,
    /// Where it is declared.
    pub location: Location,
}

/// A fact that `is(…)` in `#[op]` declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpFact {
    /// Each element of the output depends on the elements of the inputs at its position alone, inputs broadcast.
    Elementwise,
    /// The output has the elements of the input in their order, and may be the same memory.
    Alias {
        /// The declared input.
        input: &'static str,
        /// The declared output.
        output: &'static str,
    },
    /// Outputs are made of elements of inputs, unchanged.
    Moves,
    /// Elements along axes are combined.
    Reduces(Reduction),
    /// Of this input, the shape alone is read.
    ShapeOnly(&'static str),
    /// Windows over this input reach beyond its ends, and see zeros there, as far as the attrs `padding` and, where
    /// that is `EXPLICIT`, `explicit_paddings` say.
    ZeroPads(&'static str),
    /// Random numbers are drawn.
    Random,
    /// `op(op(x, y), z)` and `op(x, op(y, z))` are equal but for rounding.
    Associative,
    /// The op is that of this name, whose inputs and attrs it has, and then what its attr `fused_ops` names, with
    /// `num_args` more inputs. Its kernels are objects that refuse what they do not take when they are made.
    Fuses(&'static str),
}

/// How elements are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// Their sum.
    Sum,
    /// Their mean.
    Mean,
    /// Their product.
    Product,
    /// The largest.
    Max,
    /// The smallest.
    Min,
    /// Whether all are true.
    All,
    /// Whether any is true.
    Any,
    /// The root of the sum of their squares.
    EuclideanNorm,
}

/// How a kernel computes.
#[derive(Clone, Copy)]
pub enum KernelFunction {
    /// Stateless: one function for all nodes.
    Compute(fn(&mut KernelContext<'_>) -> Result<()>),
    /// A kernel object for each node.
    Create(fn(&KernelConstruction<'_>) -> Result<Box<dyn RawKernel + 'static>>),
    /// Returns at once; completes through the context.
    Async(fn(AsyncKernelContext)),
    /// Programs for GPUs, which the device runs.
    Program(&'static GpuKernel),
    /// Declared at run time: objects come from a factory, which lives as long as the process.
    Foreign(&'static dyn KernelFactory),
    /// The kernel that the registry has of the same op and dtypes for the host; see
    /// [`HostFallback`](crate::HostFallback).
    HostFallback,
}

impl fmt::Debug for KernelFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Compute(_) => "Compute",
            Self::Create(_) => "Create",
            Self::Async(_) => "Async",
            Self::Program(_) => "Program",
            Self::Foreign(_) => "Foreign",
            Self::HostFallback => "HostFallback",
        })
    }
}

/// One combination of dtypes that a kernel serves.
#[derive(Debug, Clone, Copy)]
pub struct KernelEntry {
    /// One dtype for each of the kernel's type attrs.
    pub dtypes: &'static [DType],
    /// The function made for them.
    pub function: KernelFunction,
    /// For a kernel that computes each element of its output from one of each input: its formula in host memory, which
    /// chains of such kernels are made of.
    pub elementwise: Option<&'static ElementwiseFn>,
}

impl KernelEntry {
    /// One that is no formula.
    pub const fn new(dtypes: &'static [DType], function: KernelFunction) -> Self {
        Self { dtypes, function, elementwise: None }
    }

    /// For a kernel of a GPU that computes each element of its output from one of each input: its formula there.
    pub fn gpu_formula(&self) -> Option<&'static ElementwiseProgram> {
        match self.function {
            KernelFunction::Program(GpuKernel { form: GpuForm::Elementwise(program), .. }) => Some(program),
            _ => None,
        }
    }

    /// For a formula, on whichever device: how the shapes of its inputs meet.
    pub fn input_shapes(&self) -> Option<InputShapes> {
        let on_host = self.elementwise.map(|formula| formula.shapes);
        on_host.or_else(|| self.gpu_formula().map(|program| program.formula.shapes))
    }
}

/// One `#[kernel]`, with an entry for each combination of its dtypes.
#[derive(Debug)]
pub struct KernelDescriptor {
    /// The op's name.
    pub op: &'static str,
    /// Device type, such as `CPU`.
    pub device: &'static str,
    /// Label that a node's `_kernel` attr must have; empty for none.
    pub label: &'static str,
    /// Higher wins among kernels that fit.
    pub priority: i32,
    /// Inputs and outputs that live in host memory on any device.
    pub host_memory: &'static [&'static str],
    /// Pairs of input and output that may share memory.
    pub forward: &'static [(&'static str, &'static str)],
    /// The op's type attrs that the entries constrain.
    pub type_attrs: &'static [&'static str],
    /// The combinations served; empty `dtypes` where `type_attrs` is empty.
    pub entries: &'static [KernelEntry],
    /// Combinations that the build's selection left out, one after the other: a dtype for each of `type_attrs`.
    pub excluded: &'static [DType],
    /// Where it is declared.
    pub location: Location,
}

impl KernelDescriptor {
    /// The entry for the dtypes that a node's attrs give.
    pub fn entry_for(&self, attrs: &AttrMap) -> Option<&KernelEntry> {
        let serves = |(name, dtype): (&&str, &DType)| match attrs.get(name) {
            Some(AttrValue::Type(given)) => given == dtype,
            Some(AttrValue::Types(given)) => given.iter().all(|given| given == dtype),
            _ => false,
        };
        self.entries.iter().find(|entry| self.type_attrs.iter().zip(entry.dtypes).all(serves))
    }

    /// The combinations of dtypes that the build's selection left out.
    pub fn excluded_combinations(&self) -> impl ExactSizeIterator<Item = &'static [DType]> {
        self.excluded.chunks_exact(self.type_attrs.len().max(1))
    }
}

/// What is left of an op that the build's selection leaves out: enough to tell it from one that is not declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExcludedOp {
    name: u32,
    crate_name: u32,
}

impl ExcludedOp {
    /// The op `name`, declared by a package.
    pub const fn new(name: &str, crate_name: &str) -> Self {
        Self { name: hash(name), crate_name: hash(crate_name) }
    }

    /// Whether this is the op `name`. Of another name this is said once in four billion times.
    pub const fn is(self, name: &str) -> bool {
        self.name == hash(name)
    }

    /// Whether the package declares the op.
    pub const fn is_of(self, crate_name: &str) -> bool {
        self.crate_name == hash(crate_name)
    }
}

/// What is left of a kernel whose op the build's selection leaves out: it counts for its package's [`Anchor`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExcludedKernel {
    crate_name: u32,
}

impl ExcludedKernel {
    /// A kernel that a package declares.
    pub const fn new(crate_name: &str) -> Self {
        Self { crate_name: hash(crate_name) }
    }

    /// Whether the package declares the kernel.
    pub const fn is_of(self, crate_name: &str) -> bool {
        self.crate_name == hash(crate_name)
    }
}

/// FNV-1a.
const fn hash(text: &str) -> u32 {
    let (bytes, mut hash, mut at) = (text.as_bytes(), 0x811c_9dc5_u32, 0);
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    hash
}

/// A crate's promise of what it contributes, so that loss at link time is noticed.
#[derive(Debug)]
pub struct Anchor {
    /// The package.
    pub crate_name: &'static str,
    /// Ops it declares, at least.
    pub ops: usize,
    /// Kernels (`#[kernel]` items) it declares, at least.
    pub kernels: usize,
    /// Gradients it declares, at least.
    pub gradients: usize,
}

/// An explicit list of descriptors, made by `library!`.
#[derive(Debug, Clone, Copy)]
pub struct Library {
    /// The list's name.
    pub name: &'static str,
    /// Its ops.
    pub ops: &'static [&'static OpDescriptor],
    /// Its kernels.
    pub kernels: &'static [&'static KernelDescriptor],
    /// Its gradients.
    pub gradients: &'static [&'static GradientDescriptor],
}

/// The type of an op: what `#[op]` gives its unit struct.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no op",
    label = "not declared with #[op]",
    note = "an op is the type that `#[op(\"Name\", …)]` stands on or makes"
)]
pub trait Op {
    /// The op's name.
    const NAME: &'static str;
    /// Its descriptor.
    const DESCRIPTOR: &'static OpDescriptor;
}

/// The descriptors of a kernel named in `library!`, one for each `#[kernel]` on the item: implemented for a hidden type
/// of the kernel function's name, or for the kernel's type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no kernel",
    label = "not declared with #[kernel]",
    note = "a kernel is a function, an `impl Kernel`, `RawKernel` or `HostFallback` that `#[kernel(Op, …)]` stands on"
)]
pub trait HasKernelDescriptor {
    /// The descriptors.
    const DESCRIPTORS: &'static [&'static KernelDescriptor];
}
