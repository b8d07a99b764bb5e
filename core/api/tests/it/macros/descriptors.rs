//! What descriptors say.

use super::*;
use oplink::descriptors::collected_kernels;
use oplink::spec::DType;

const OP_LINE: u32 = line!() + 5;

/// Adds things up.
///
/// Second paragraph.
#[op(
    "ApiDescribed",
    input = "x: float",
    output = "y: float",
    attr = "a: int = 1",
    stateful,
    commutative,
    deprecated(since = 8, note = "use another")
)]
fn described(c: &mut ShapeContext<'_>) -> Result<()> {
    helper(c)
}

fn helper(c: &mut ShapeContext<'_>) -> Result<()> {
    c.set_output(0, PartialShape::unknown());
    Ok(())
}

#[op("ApiPlain")]
struct Plain;

const KERNEL_LINE: u32 = line!() + 2;

#[kernel(ApiDescribed, device = "GPU", priority = 3, host_memory(x, "y"))]
fn on_gpu(context: &mut KernelContext<'_>) {
    let _ = context;
}

#[op("ApiCast", input = "x: SrcT", output = "y: DstT", attr = "SrcT: type", attr = "DstT: type")]
pub struct Cast;

#[kernel(Cast, device = CPU, DstT = [f32, i64], SrcT = [i8, bool])]
fn cast<DstT: Element, SrcT: Element>(x: &Tensor) -> Tensor {
    let _ = (SrcT::DTYPE, DstT::DTYPE);
    x.clone()
}

#[op("ApiAdd", input = "x: float", output = "y: float")]
pub struct Add;
#[op("ApiAddV2", input = "x: float", output = "y: float")]
pub struct AddV2;

/// A kernel of two ops.
#[kernel(Add, device = CPU)]
#[kernel(AddV2, device = CPU)]
#[kernel(dynamic = "ApiElsewhere", device = CPU, T = [f32])]
fn add_any(context: &mut KernelContext<'_>) -> Result<()> {
    let x = context.take_input(0);
    context.set_output(0, x);
    Ok(())
}

#[test]
fn an_op_says_everything() {
    let op = ApiDescribed::DESCRIPTOR;
    assert_eq!((op.name, ApiDescribed::NAME), ("ApiDescribed", "ApiDescribed"));
    assert_eq!((op.inputs, op.outputs, op.attrs), (&["x: float"][..], &["y: float"][..], &["a: int = 1"][..]));
    assert_eq!(op.doc, "Adds things up.\n\nSecond paragraph.");
    assert_eq!(op.deprecation, Some((8, "use another")));
    assert!(op.flags.stateful && op.flags.commutative && !op.flags.aggregate && !op.excluded);
    assert!(op.shape.is_some() && Plain::DESCRIPTOR.shape.is_none());
    assert_eq!(op.location.crate_name, "oplink-api");
    assert!(op.location.file.ends_with("descriptors.rs") && op.location.line == OP_LINE, "{}", op.location);
}

#[test]
fn a_kernel_says_everything() {
    let kernel = descriptor::<on_gpu>();
    assert_eq!((kernel.op, kernel.device, kernel.priority), ("ApiDescribed", "GPU", 3));
    assert_eq!(kernel.host_memory, ["x", "y"]);
    assert_eq!((kernel.entries.len(), kernel.entries[0].dtypes.len(), kernel.excluded.len()), (1, 0, 0));
    assert_eq!(kernel.location.line, KERNEL_LINE);
    let is_there = collected_kernels().iter().any(|one| std::ptr::eq(*one, kernel));
    assert_eq!(is_there, cfg!(not(feature = "explicit")));
}

#[test]
fn several_lists_are_served_in_every_combination_in_the_ops_order() {
    let kernel = descriptor::<cast>();
    assert_eq!(kernel.type_attrs, ["SrcT", "DstT"]);
    let rows: Vec<_> = kernel.entries.iter().map(|entry| (entry.dtypes[0], entry.dtypes[1])).collect();
    let (i8, bool, f32, i64) = (DType::Int8, DType::Bool, DType::Float, DType::Int64);
    assert_eq!(rows, [(i8, f32), (i8, i64), (bool, f32), (bool, i64)]);
}

#[test]
fn a_function_may_serve_several_ops() {
    let ops: Vec<&str> = <add_any as HasKernelDescriptor>::DESCRIPTORS.iter().map(|kernel| kernel.op).collect();
    assert_eq!(ops, ["ApiAdd", "ApiAddV2", "ApiElsewhere"]);
}
