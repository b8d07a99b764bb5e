//! How a thread waits: it looks a short time, in which others get the processor, before its caller has it sleep.

use std::time::{Duration, Instant};

/// Looks for something to change between two looks at the clock.
const LOOKS: u32 = 64;
/// How long a thread waits without offering the processor to others: some times what one core needs to tell another.
const BUSY: Duration = Duration::from_micros(5);
/// How long a worker looks for work within steps and after their last kernel that was spread.
const BETWEEN_KERNELS: Duration = Duration::from_micros(500);
/// How long it looks for work after the last step.
const BETWEEN_STEPS: Duration = Duration::from_micros(50);
/// How long a thread looks whether others are done with the last pieces of its work before it sleeps.
const FOR_PIECES: Duration = Duration::from_micros(500);

/// For what a thread waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Patience {
    /// Work within a step.
    InStep,
    /// Work of the next step.
    Idle,
    /// Other threads' pieces.
    Waiting,
}

impl Patience {
    fn longest(self) -> Duration {
        match self {
            Self::InStep => BETWEEN_KERNELS,
            Self::Idle => BETWEEN_STEPS,
            Self::Waiting => FOR_PIECES,
        }
    }
}

/// Looks whether something `is_so` until it is, or the patience ends; whether it is. Other threads that want the
/// processor get it meanwhile.
pub(super) fn pause(patience: Patience, mut is_so: impl FnMut() -> bool) -> bool {
    for _ in 0..LOOKS {
        if is_so() {
            return true;
        }
        std::hint::spin_loop();
    }
    let start = Instant::now();
    loop {
        for _ in 0..LOOKS {
            if is_so() {
                return true;
            }
            std::hint::spin_loop();
        }
        let waited = start.elapsed();
        if waited >= patience.longest() {
            return false;
        }
        if waited >= BUSY {
            std::thread::yield_now();
        }
    }
}
