//! How a session runs.

use oplink_api::step::MAX_CALL_DEPTH;
use oplink_core::HOST_DEVICE_TYPE;

use crate::PassOptions;

/// How a session runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionOptions {
    /// Threads that one kernel may use; 0 means all of the process's pool, which bounds any other number.
    pub intra_op_threads: usize,
    /// The type of the device to run on, such as `CPU`, where the session is not given its devices.
    pub device_type: String,
    /// Whether nodes that ask for a device which the session does not have, or which has no kernel for them, run on
    /// another one; else such a node is an error.
    pub allow_soft_placement: bool,
    /// Plans that are kept, at least 1; beyond that, the one that was not used for the longest time goes.
    pub max_plans: usize,
    /// The passes that rewrite what a plan is made for, with the limits of inlining.
    pub passes: PassOptions,
    /// Calls of functions inside one another that a run may have; more than [`MAX_CALL_DEPTH`] count as that, because
    /// each takes a part of the thread's stack.
    pub max_call_depth: u32,
    /// Whether 3x3 convolutions and their gradients may multiply transformed tiles (Winograd's algorithm): faster, with
    /// rounding errors of up to some 1e-5 of the largest magnitude.
    pub winograd: bool,
    /// Whether the work of a device that can record it (CUDA graphs) is recorded, and enqueued as a whole from the
    /// fourth run with the same shapes on. A recording keeps the memory of all its values, of one part of the plan at a
    /// time; where that is more than a quarter of the device's memory, nodes are launched one by one.
    pub record_device_work: bool,
}

impl Default for SessionOptions {
    /// All threads, the CPU, soft placement, 32 plans, all passes, calls up to 200 deep, Winograd's algorithm, recorded
    /// work.
    fn default() -> Self {
        Self {
            intra_op_threads: 0,
            device_type: HOST_DEVICE_TYPE.to_owned(),
            allow_soft_placement: true,
            max_plans: 32,
            passes: PassOptions::default(),
            max_call_depth: MAX_CALL_DEPTH,
            winograd: true,
            record_device_work: true,
        }
    }
}
