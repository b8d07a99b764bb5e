//! Numbers as the rectified units compute with them.

use oplink::prelude::*;

use crate::support::elementwise::Arithmetic;

/// A lane with an order that holds the numbers 0 and 6.
pub trait ReluLane: Arithmetic + PartialOrd {
    /// 6.
    const SIX: Self;
}

macro_rules! relu_lanes {
    ($($ty:ty: $six:literal),*) => {$(
        impl ReluLane for $ty {
            const SIX: Self = $six;
        }
    )*};
}

relu_lanes!(f32: 6.0, f64: 6.0, i8: 6, i16: 6, i32: 6, i64: 6, u8: 6, u16: 6, u32: 6, u64: 6);

/// Fails unless the first two inputs have one shape.
pub(super) fn same_shapes(context: &KernelContext<'_>) -> Result<()> {
    let (a, b) = (context.input(0).shape(), context.input(1).shape());
    ensure!(a == b, "the inputs of {} must have the same shape, they are {a} and {b}", context.node().op.name);
    Ok(())
}
