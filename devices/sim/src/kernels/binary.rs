//! Elementwise ops of two inputs that broadcast.

use oplink::device::Region;
use oplink::prelude::*;

use super::{Real, launch};

/// `x + y`.
#[op("AddV2",
     input = "x: T",
     input = "y: T",
     output = "z: T",
     attr = "T: {bfloat16, half, float, double, uint8, uint16, uint32, uint64, int8, int16, int32, int64, complex64, complex128}",
     commutative,
     aggregate,
     shape = shape_fns::broadcast_binary)]
pub struct AddV2;

/// `AddV2` on the device.
#[kernel(AddV2, device = SIM, T = [f32, f64])]
pub fn add_v2<T: Real>(context: &KernelContext<'_>, x: &Tensor, y: &Tensor, z: &mut Tensor) -> Result<()> {
    broadcast::<T>(context, x, y, z, |x, y| x + y)
}

/// `x - y`.
#[op("Sub",
     input = "x: T",
     input = "y: T",
     output = "z: T",
     attr = "T: {bfloat16, half, float, double, uint8, int8, uint16, int16, int32, int64, complex64, complex128, uint32, uint64}",
     shape = shape_fns::broadcast_binary)]
pub struct Sub;

/// `Sub` on the device.
#[kernel(Sub, device = SIM, T = [f32, f64])]
pub fn sub<T: Real>(context: &KernelContext<'_>, x: &Tensor, y: &Tensor, z: &mut Tensor) -> Result<()> {
    broadcast::<T>(context, x, y, z, |x, y| x - y)
}

/// `x * y`.
#[op("Mul",
     input = "x: T",
     input = "y: T",
     output = "z: T",
     attr = "T: {bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, uint64, int64, complex64, complex128}",
     commutative,
     shape = shape_fns::broadcast_binary)]
pub struct Mul;

/// `Mul` on the device.
#[kernel(Mul, device = SIM, T = [f32, f64])]
pub fn mul<T: Real>(context: &KernelContext<'_>, x: &Tensor, y: &Tensor, z: &mut Tensor) -> Result<()> {
    broadcast::<T>(context, x, y, z, |x, y| x * y)
}

/// The greater of `x` and `y`; NaN where either is.
#[op("Maximum",
     input = "x: T",
     input = "y: T",
     output = "z: T",
     attr = "T: {bfloat16, half, float, double, int8, uint8, int16, uint16, int32, uint32, int64, uint64}",
     shape = shape_fns::broadcast_binary)]
pub struct Maximum;

/// `Maximum` on the device.
#[kernel(Maximum, device = SIM, T = [f32, f64])]
#[allow(clippy::eq_op, reason = "only NaN is unlike itself")]
pub fn maximum<T: Real>(context: &KernelContext<'_>, x: &Tensor, y: &Tensor, z: &mut Tensor) -> Result<()> {
    broadcast::<T>(context, x, y, z, |x, y| if x > y || x != x { x } else { y })
}

/// Computes each element of `z` from those of `x` and `y` that broadcast to it.
fn broadcast<T: Real>(
    context: &KernelContext<'_>,
    x: &Tensor,
    y: &Tensor,
    z: &Tensor,
    function: fn(T, T) -> T,
) -> Result<()> {
    if z.num_elements() == 0 {
        return Ok(());
    }
    let (x_at, y_at) = (positions(x.shape(), z.shape()), positions(y.shape(), z.shape()));
    let (x, y, z) = (Region::of_tensor(x)?, Region::of_tensor(y)?, Region::of_tensor(z)?);
    launch(context, move |memory| {
        let (x, y) = (memory.read::<T>(x)?, memory.read::<T>(y)?);
        let values: Vec<T> = x_at.iter().zip(&y_at).map(|(&at, &other)| function(x[at], y[other])).collect();
        memory.write(z, &values)
    })
}

/// For each element of a tensor of shape `to`, the position of the element of one of shape `from` that broadcasts to
/// it.
fn positions(from: &Shape, to: &Shape) -> Vec<usize> {
    let (mut positions, lead) = (vec![0], to.rank() - from.rank());
    for axis in 0..to.rank() {
        let own = if axis < lead { 1 } else { from[axis - lead] };
        let step = |at: usize| (0..to[axis]).map(move |index| at * own + if own == 1 { 0 } else { index });
        positions = positions.into_iter().flat_map(step).collect();
    }
    positions
}
