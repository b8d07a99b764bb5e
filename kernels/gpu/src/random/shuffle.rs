//! `RandomShuffle`: the order is drawn on the host, as every position depends on those before it; rows are moved within the
//! device's memory.

use oplink::prelude::*;
use oplink_cpu_random::shuffle_by;
use oplink_ops::random::RandomShuffle;

use crate::host_fallback::kernels_with_generator;
use crate::movement::Device;

kernels_with_generator! {
    #[kernel(RandomShuffle, device = GPU, T = [numbers, bool])]
    RandomShuffleGpu = shuffle_by::<Device>;
}
