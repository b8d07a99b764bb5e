//! Numbers of int32, which stay in host memory.

use oplink::prelude::*;
use oplink_cpu_math::{binary::*, choice::*, comparison::*, sum::*};
use oplink_kernels_elementwise::{arithmetic, comparisons, rounding};
use oplink_ops::math::*;

use crate::host_fallback::{host, kernels};

kernels! {
    #[kernel(Add, device = GPU, T = [i32], host_memory = [x, y, z])]
    add_int32 = host::<arithmetic::sum>;
    #[kernel(AddV2, device = GPU, T = [i32], host_memory = [x, y, z])]
    add_v2_int32 = host::<arithmetic::sum>;
    #[kernel(Sub, device = GPU, T = [i32], host_memory = [x, y, z])]
    sub_int32 = host::<arithmetic::difference>;
    #[kernel(Mul, device = GPU, T = [i32], host_memory = [x, y, z])]
    mul_int32 = host::<arithmetic::product>;
    #[kernel(Div, device = GPU, T = [i32], host_memory = [x, y, z])]
    div_int32 = host::<div_integers_cpu>;
    #[kernel(FloorDiv, device = GPU, T = [i32], host_memory = [x, y, z])]
    floor_div_int32 = host::<floor_div_integers_cpu>;
    #[kernel(FloorMod, device = GPU, T = [i32], host_memory = [x, y, z])]
    floor_mod_int32 = host::<floor_mod_integers_cpu>;
    #[kernel(TruncateDiv, device = GPU, T = [i32], host_memory = [x, y, z])]
    truncate_div_int32 = host::<truncate_div_integers_cpu>;
    #[kernel(TruncateMod, device = GPU, T = [i32], host_memory = [x, y, z])]
    truncate_mod_int32 = host::<truncate_mod_integers_cpu>;
    #[kernel(Mod, device = GPU, T = [i32], host_memory = [x, y, z])]
    mod_int32 = host::<mod_integers_cpu>;
    #[kernel(Maximum, device = GPU, T = [i32], host_memory = [x, y, z])]
    maximum_int32 = host::<arithmetic::larger>;
    #[kernel(Minimum, device = GPU, T = [i32], host_memory = [x, y, z])]
    minimum_int32 = host::<arithmetic::smaller>;
    #[kernel(SquaredDifference, device = GPU, T = [i32], host_memory = [x, y, z])]
    squared_difference_int32 = host::<arithmetic::squared_difference>;
    #[kernel(Pow, device = GPU, T = [i32], host_memory = [x, y, z])]
    pow_int32 = host::<pow_integers_cpu>;
    #[kernel(Equal, device = GPU, T = [i32], host_memory = [x, y, z])]
    equal_int32 = host::<equal_cpu>;
    #[kernel(NotEqual, device = GPU, T = [i32], host_memory = [x, y, z])]
    not_equal_int32 = host::<not_equal_cpu>;
    #[kernel(Less, device = GPU, T = [i32], host_memory = [x, y, z])]
    less_int32 = host::<comparisons::is_less>;
    #[kernel(LessEqual, device = GPU, T = [i32], host_memory = [x, y, z])]
    less_equal_int32 = host::<comparisons::is_less_or_equal>;
    #[kernel(Greater, device = GPU, T = [i32], host_memory = [x, y, z])]
    greater_int32 = host::<comparisons::is_greater>;
    #[kernel(GreaterEqual, device = GPU, T = [i32], host_memory = [x, y, z])]
    greater_equal_int32 = host::<comparisons::is_greater_or_equal>;
    #[kernel(Abs, device = GPU, T = [i32], host_memory = [x, y])]
    abs_int32 = host::<arithmetic::magnitude_of_integers>;
    #[kernel(Neg, device = GPU, T = [i32], host_memory = [x, y])]
    neg_int32 = host::<arithmetic::negative_of_integers>;
    #[kernel(Sign, device = GPU, T = [i32], host_memory = [x, y])]
    sign_int32 = host::<arithmetic::sign>;
    #[kernel(Square, device = GPU, T = [i32], host_memory = [x, y])]
    square_int32 = host::<arithmetic::square>;
    #[kernel(Round, device = GPU, T = [i32], host_memory = [x, y])]
    round_int32 = host::<rounding::whole>;
    #[kernel(ClipByValue, device = GPU, T = [i32], host_memory = [t, clip_value_min, clip_value_max, output])]
    clip_by_value_int32 = host::<clip_by_value_cpu>;
    #[kernel(AddN, device = GPU, T = [i32], host_memory = [inputs, sum])]
    add_n_int32 = host::<add_n_cpu>;
}
