//! Sums of many tensors.

use oplink::prelude::*;
use oplink::shape_inference::HandleShape;
use oplink::shape_inference::merge_shapes;

/// Adds all tensors, which have the shape `shape`; integers wrap around.
///
/// Shape inference goes by the attr alone.
#[op(
    "AccumulateNV2",
    input = "inputs: N * T",
    output = "sum: T",
    attr = "N: int >= 1",
    attr = "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}",
    attr = "shape: shape",
    commutative,
    aggregate,
    shape = shape_fns::placeholder,
)]
pub struct AccumulateNV2;

/// Adds all tensors, which have one shape; integers wrap around.
#[op(
    "AddN",
    is(associative),
    input = "inputs: N * T",
    output = "sum: T",
    attr = "N: int >= 1",
    attr = "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64, variant}",
    commutative,
    aggregate,
    shape = one_shape,
)]
pub struct AddN;

/// The inputs' one shape. What handles in the inputs refer to is one thing too.
fn one_shape(context: &mut ShapeContext<'_>) -> Result<()> {
    let mut held: Vec<HandleShape> = Vec::new();
    for index in 0..context.num_inputs() {
        let other = context.input_handle_shapes(index);
        ensure!(
            held.is_empty() || other.is_empty() || held.len() == other.len(),
            "variants of different kinds are added"
        );
        for ((dtype, shape), (other_dtype, other_shape)) in held.iter_mut().zip(other) {
            ensure!(dtype == other_dtype, "variants that hold {dtype} and {other_dtype} are added");
            *shape = merge_shapes(shape, other_shape)?;
        }
        if held.is_empty() {
            held = other.to_vec();
        }
    }
    if !held.is_empty() {
        context.set_output_handle_shapes(0, held);
    }
    shape_fns::merge_inputs(context)
}
