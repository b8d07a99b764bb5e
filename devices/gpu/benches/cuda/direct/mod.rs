//! NVIDIA's libraries called without this crate, on a stream of their own.

pub(crate) mod convolutions;
pub(crate) mod libraries;
pub(crate) mod products;

use std::time::Duration;

use cudarc::driver::CudaStream;
use cudarc::driver::sys::CUevent_flags::CU_EVENT_DEFAULT;

use crate::Outcome;
use crate::measure::{Sizes, median};

/// The GPU's time for one of the pieces of work that `work` enqueues on the stream; the first round does not count.
fn timed(stream: &CudaStream, sizes: &Sizes, mut work: impl FnMut() -> Outcome<()>) -> Outcome<Duration> {
    let mut round = || -> Outcome<Duration> {
        let start = stream.record_event(Some(CU_EVENT_DEFAULT))?;
        (0..sizes.repeats).try_for_each(|_| work())?;
        let end = stream.record_event(Some(CU_EVENT_DEFAULT))?;
        Ok(Duration::from_secs_f64(f64::from(start.elapsed_ms(&end)?) / 1000.0))
    };
    round()?;
    let times = (0..sizes.rounds).map(|_| round()).collect::<Outcome<Vec<_>>>()?;
    Ok(median(times) / sizes.repeats)
}
