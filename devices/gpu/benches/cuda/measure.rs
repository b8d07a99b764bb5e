//! How times are taken, and of how much work.

use std::time::{Duration, Instant};

use oplink::{DType, Shape, Tensor};
use oplink_device_gpu::CudaDeviceContext;

use crate::Outcome;

/// How much is measured.
#[derive(Clone, Copy)]
pub(crate) struct Sizes {
    /// Elements of f32 of the large tensors.
    pub(crate) elements: usize,
    /// Rows and columns of square matrices.
    pub(crate) matrices: &'static [usize],
    /// Pictures and channels of a convolution.
    pub(crate) batch: usize,
    pub(crate) channels: usize,
    /// Launches of a small program.
    pub(crate) launches: u32,
    /// Pieces of work of one measurement.
    pub(crate) repeats: u32,
    /// Measurements, of which the median counts.
    pub(crate) rounds: usize,
}

/// For a GPU.
pub(crate) const LARGE: Sizes = Sizes {
    elements: 1 << 28,
    matrices: &[2048, 4096, 8192],
    batch: 64,
    channels: 128,
    launches: 10_000,
    repeats: 20,
    rounds: 7,
};
/// For a GPU that is emulated.
pub(crate) const SMALL: Sizes =
    Sizes { elements: 1 << 18, matrices: &[64], batch: 1, channels: 8, launches: 50, repeats: 2, rounds: 3 };

/// A GPU, and how much of it is measured.
pub(crate) struct Bench<'a> {
    pub(crate) cuda: &'a CudaDeviceContext,
    pub(crate) sizes: Sizes,
}

impl Bench<'_> {
    /// The GPU's time for one of the pieces of work that `work` enqueues; the first round does not count.
    pub(crate) fn on_gpu(&self, work: impl Fn() -> oplink::Result<()>) -> Outcome<Duration> {
        let Sizes { repeats, rounds, .. } = self.sizes;
        let round = || self.cuda.time(|| (0..repeats).try_for_each(|_| work()));
        round()?;
        let times = (0..rounds).map(|_| round()).collect::<oplink::Result<_>>()?;
        Ok(median(times) / repeats)
    }

    /// The time on the host for one piece of work that waits; the first does not count.
    pub(crate) fn on_host(&self, work: impl Fn() -> oplink::Result<()>) -> Outcome<Duration> {
        work()?;
        let round = || {
            let start = Instant::now();
            work().map(|()| start.elapsed())
        };
        Ok(median((0..self.sizes.rounds).map(|_| round()).collect::<oplink::Result<_>>()?))
    }
}

/// Prints a row of the table.
pub(crate) fn row(what: &str, figure: &str) {
    println!("| {what} | {figure} |");
}

pub(crate) fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

pub(crate) fn gigabytes_a_second(bytes: usize, time: Duration) -> f64 {
    bytes as f64 / time.as_secs_f64() / 1e9
}

/// Operations a second.
pub(crate) fn speed(operations: f64, time: Duration) -> f64 {
    operations / time.as_secs_f64()
}

/// A speed as the table has it.
pub(crate) fn flops(speed: f64) -> String {
    if speed < 1e11 { format!("{:.2} GFLOP/s", speed / 1e9) } else { format!("{:.1} TFLOP/s", speed / 1e12) }
}

/// Values between -1 and 1 that do not repeat soon: power, and so speed, depends on them.
pub(crate) fn values(dtype: DType, shape: Shape) -> oplink::Result<Tensor> {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / 8_388_608.0 - 1.0
    };
    let values = std::iter::repeat_with(&mut next).take(shape.num_elements());
    let bytes: Vec<u8> = match dtype {
        DType::Float => values.flat_map(f32::to_ne_bytes).collect(),
        DType::Half => values.flat_map(|value| oplink::element::f16::from_f32(value).to_ne_bytes()).collect(),
        // The upper half of an f32 is a bf16.
        _ => values.flat_map(|value| ((value.to_bits() >> 16) as u16).to_ne_bytes()).collect(),
    };
    Tensor::from_bytes(dtype, shape, &bytes)
}
