//! Declarations of 500 ops with two kernels each, as a large program's annotations leave them.

use oplink::descriptors::{KernelDescriptor, KernelEntry, KernelFunction, Location, OpDescriptor, OpFlags};
use oplink::runtime::RegistryBuilder;
use oplink::{DType, KernelContext, Result};

const OPS: u32 = 500;

/// Leaked once, since descriptors are statics.
pub(crate) struct Declarations {
    ops: Vec<&'static OpDescriptor>,
    kernels: Vec<&'static KernelDescriptor>,
}

#[allow(clippy::unnecessary_wraps, reason = "a kernel's signature")]
fn compute(_: &mut KernelContext<'_>) -> Result<()> {
    Ok(())
}

static FLOATS: &[KernelEntry] = &[entry(&[DType::Float]), entry(&[DType::Double]), entry(&[DType::Half])];
static INTEGERS: &[KernelEntry] = &[entry(&[DType::Int32]), entry(&[DType::Int64])];

const fn entry(dtypes: &'static [DType]) -> KernelEntry {
    KernelEntry::new(dtypes, KernelFunction::Compute(compute))
}

impl Declarations {
    pub(crate) fn new() -> Self {
        // Neither sorted nor reversed, as a linker's order.
        let numbers = (0..OPS).map(|i| i * 217 % OPS);
        let ops = numbers.clone().map(op).collect();
        let kernels = numbers.flat_map(|i| [kernel(i, FLOATS, 20), kernel(i, INTEGERS, 30)]).collect();
        Self { ops, kernels }
    }

    pub(crate) fn num_kernels(&self) -> usize {
        self.kernels.len()
    }

    /// A builder with all of them, not sealed.
    pub(crate) fn builder(&self) -> RegistryBuilder {
        let with_ops = self.ops.iter().fold(RegistryBuilder::empty(), |builder, op| builder.op(op));
        self.kernels.iter().fold(with_ops, |builder, kernel| builder.kernel(kernel))
    }
}

fn name(number: u32) -> &'static str {
    format!("SyntheticElementwise{number}").leak()
}

fn at(number: u32, line: u32) -> Location {
    let file = format!("src/ops/file_{number}.rs").leak();
    Location { crate_name: "synthetic", crate_version: "0.1.0", file, line }
}

fn op(number: u32) -> &'static OpDescriptor {
    Box::leak(Box::new(OpDescriptor {
        name: name(number),
        inputs: &["x: T", "y: T"],
        outputs: &["z: T"],
        attrs: &["T: {bfloat16, half, float, double, int8, int16, int32, int64}", "scale: float = 1.0"],
        flags: OpFlags::default(),
        deprecation: None,
        shape: None,
        doc: "Computes `z` from `x` and `y`.",
        no_gradient: false,
        facts: &[],
        excluded: false,
        location: at(number, 10),
    }))
}

fn kernel(number: u32, entries: &'static [KernelEntry], line: u32) -> &'static KernelDescriptor {
    Box::leak(Box::new(KernelDescriptor {
        op: name(number),
        device: "CPU",
        label: "",
        priority: 0,
        host_memory: &[],
        forward: &[],
        type_attrs: &["T"],
        entries,
        excluded: &[],
        location: at(number, line),
    }))
}
