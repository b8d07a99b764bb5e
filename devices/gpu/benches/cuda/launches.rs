//! What a launch of a small program costs: one after the other, and as a part of a CUDA graph.

use std::cell::Cell;
use std::time::{Duration, Instant};

use oplink::device::DeviceContext;
use oplink::{DType, Shape};

use crate::measure::{Bench, row};
use crate::{Outcome, sums};

/// Rows for the host's part, and for all of it.
pub(crate) fn launches(bench: &Bench<'_>) -> Outcome<()> {
    let (cuda, count) = (bench.cuda, bench.sizes.launches);
    let tensor = || cuda.allocate(DType::Float, Shape::from(vec![1024]));
    let (x, y, z) = (tensor()?, tensor()?, tensor()?);
    let launch = || (0..count).try_for_each(|_| sums::launch(cuda, &x, &y, &z));
    let micros = |time: Duration| time.as_secs_f64() * 1e6 / f64::from(count);
    let (enqueued, done) = timed(bench, launch)?;
    row("launch of a small program, on the host", &format!("{:.2} µs", micros(enqueued)));
    row("launch of a small program, until it is done", &format!("{:.2} µs each of {count}", micros(done)));
    let graph = cuda.record(launch)?;
    let (enqueued, done) = timed(bench, || graph.launch())?;
    row(
        "the same launches as one CUDA graph",
        &format!("{:.2} µs each until they are done, {:.2} µs of them on the host", micros(done), micros(enqueued)),
    );
    Ok(())
}

/// How long it takes to enqueue some work, and until it is done.
fn timed(bench: &Bench<'_>, work: impl Fn() -> oplink::Result<()>) -> Outcome<(Duration, Duration)> {
    let enqueued = Cell::new(Duration::ZERO);
    let done = bench.on_host(|| {
        let start = Instant::now();
        work()?;
        enqueued.set(start.elapsed());
        bench.cuda.synchronize()
    })?;
    Ok((enqueued.get(), done))
}
