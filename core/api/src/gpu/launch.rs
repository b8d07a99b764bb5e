//! The size of a launch and the values that go with it.

use smallvec::SmallVec;

use super::value::DeviceValue;
use crate::device::ScalarValue;
use crate::{KernelContext, Result};

/// What the function of the key `launch` returns: how many blocks run, and the values of the kernel's parameters that
/// are no arguments of its op.
#[derive(Clone, Debug, PartialEq)]
pub struct Launch {
    pub(super) grid: [u32; 3],
    pub(super) scalars: SmallVec<[(&'static str, ScalarValue); 4]>,
}

/// The function of the key `launch`. It sees the inputs' shapes and dtypes, and the values of those in host memory.
pub type LaunchFn = fn(&KernelContext<'_>) -> Result<Launch>;

impl Launch {
    /// Blocks in three directions. Devices take at most 65535 in the second and third, some in the first too: a kernel
    /// that goes over its data in steps of the grid's size needs no more.
    pub fn grid(blocks: [u32; 3]) -> Self {
        Self { grid: blocks, scalars: SmallVec::new() }
    }

    /// As many blocks in the first direction as `count` says, at most 65535.
    pub fn blocks(count: usize) -> Self {
        Self::grid([count.min(MAX_BLOCKS) as u32, 1, 1])
    }

    /// With the value of the parameter `name`, which has the value's type: a number, a fixed array, or a struct with
    /// `#[device_struct]`.
    #[must_use]
    pub fn scalar(mut self, name: &'static str, value: impl DeviceValue) -> Self {
        value.scalars(&mut |scalar| self.scalars.push((name, scalar)));
        self
    }
}

/// Blocks that every device takes in one direction.
pub(super) const MAX_BLOCKS: usize = 65_535;

macro_rules! values {
    ($($ty:ty => $variant:ident),*) => {$(
        impl From<$ty> for ScalarValue {
            fn from(value: $ty) -> Self {
                Self::$variant(value)
            }
        }
    )*};
}

values!(i32 => I32, u32 => U32, i64 => I64, u64 => U64, f32 => F32, f64 => F64);
