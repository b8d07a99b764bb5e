//! `RandomShuffle`: the order is drawn on the host, as every position depends on those before it; rows are moved within the
//! device's memory.

use oplink::prelude::*;
use oplink_kernels_cpu::random::{RandomShuffle, shuffle_by};

use crate::movement::Device;
use crate::serve::kernels_with_generator;

kernels_with_generator! {
    #[kernel(RandomShuffle, device = GPU, T = [numbers, bool])]
    RandomShuffleGpu = shuffle_by::<Device>;
}
