//! Elementwise ops of two inputs that broadcast.

use oplink::device::Region;
use oplink::prelude::*;

use super::{Real, launch};

macro_rules! binary {
    ($($op:ident $text:literal $kernel:ident $attr:literal $doc:literal $function:expr;)*) => {$(
        #[doc = $doc]
        #[op($text, input = "x: T", input = "y: T", output = "z: T", attr = $attr,
             shape = shape_fns::broadcast)]
        pub(crate) struct $op;

        #[doc = $doc]
        #[kernel($op, device = SIM, T = [f32, f64])]
        pub(crate) fn $kernel<T: Real>(context: &KernelContext<'_>, x: &Tensor, y: &Tensor, z: &mut Tensor) -> Result<()> {
            broadcast::<T>(context, x, y, z, $function)
        }
    )*};
}
