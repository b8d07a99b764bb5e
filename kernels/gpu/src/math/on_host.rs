//! Numbers of int32, which stay in host memory.

use oplink::prelude::*;
use oplink_ops::math::*;

/// Arithmetic and comparisons of int32.
#[derive(Debug)]
pub struct Int32OnHost;

#[kernel(Add, device = GPU, T = [i32], host_memory = [x, y, z])]
#[kernel(AddV2, device = GPU, T = [i32], host_memory = [x, y, z])]
#[kernel(Sub, device = GPU, T = [i32], host_memory = [x, y, z])]
#[kernel(Mul, device = GPU, T = [i32], host_memory = [x, y, z])]
#[kernel(Div, device = GPU, T = [i32], host_memory = [x, y, z])]
#[kernel(FloorDiv, device = GPU, T = [i32], host_memory = [x, y, z])]
#[kernel(FloorMod, device = GPU, T = [i32], host_memory = [x, y, z])]
#[kernel(TruncateDiv, device = GPU, T = [i32], host_memory = [x, y, z])]
#[kernel(TruncateMod, device = GPU, T = [i32], host_memory = [x, y, z])]
#[kernel(Mod, device = GPU, T = [i32], host_memory = [x, y, z])]
#[kernel(Maximum, device = GPU, T = [i32], host_memory = [x, y, z])]
#[kernel(Minimum, device = GPU, T = [i32], host_memory = [x, y, z])]
#[kernel(SquaredDifference, device = GPU, T = [i32], host_memory = [x, y, z])]
#[kernel(Pow, device = GPU, T = [i32], host_memory = [x, y, z])]
#[kernel(Equal, device = GPU, T = [i32], host_memory = [x, y, z])]
#[kernel(NotEqual, device = GPU, T = [i32], host_memory = [x, y, z])]
#[kernel(Less, device = GPU, T = [i32], host_memory = [x, y, z])]
#[kernel(LessEqual, device = GPU, T = [i32], host_memory = [x, y, z])]
#[kernel(Greater, device = GPU, T = [i32], host_memory = [x, y, z])]
#[kernel(GreaterEqual, device = GPU, T = [i32], host_memory = [x, y, z])]
#[kernel(Abs, device = GPU, T = [i32], host_memory = [x, y])]
#[kernel(Neg, device = GPU, T = [i32], host_memory = [x, y])]
#[kernel(Sign, device = GPU, T = [i32], host_memory = [x, y])]
#[kernel(Square, device = GPU, T = [i32], host_memory = [x, y])]
#[kernel(Round, device = GPU, T = [i32], host_memory = [x, y])]
#[kernel(ClipByValue, device = GPU, T = [i32], host_memory = [t, clip_value_min, clip_value_max, output])]
#[kernel(AddN, device = GPU, T = [i32], host_memory = [inputs, sum])]
impl HostFallback for Int32OnHost {}
