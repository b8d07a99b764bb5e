//! What a GPU of CUDA does through this crate, beside what it can do: copies, elementwise programs, products of
//! matrices against cuBLASLt called directly, convolutions, and the cost of a launch.
//!
//! `cargo bench -p oplink-device-gpu --bench cuda` prints a table. On a machine without such a GPU it says so.

extern crate oplink_api as oplink;

#[path = "cuda/convolutions.rs"]
mod convolutions;
#[path = "cuda/direct.rs"]
mod direct;
#[path = "cuda/sums.rs"]
mod sums;

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use oplink::device::{DeviceContext, MatMulSpec, copy_to_host_blocking};
use oplink::{DType, Shape, Tensor};
use oplink_core::{Device, DeviceOptions};
use oplink_device_gpu::{CudaDeviceContext, FACTORY};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Elements of the large tensors: 1 GiB of f32.
const LARGE: usize = 1 << 28;
/// Pieces of work of one measurement.
const REPEATS: u32 = 20;
/// Measurements, of which the median counts.
const ROUNDS: usize = 7;

fn main() -> Outcome<()> {
    let devices = (FACTORY.create)(&DeviceOptions::default())?;
    let Some((device, cuda)) = devices.iter().find_map(|device| Some((device, cuda_of(device)?))) else {
        println!("no CUDA device was found: nothing is measured. This machine needs a GPU of NVIDIA and its driver.");
        return Ok(());
    };
    println!("{}\n\n| what | figure |\n|---|---|", device.attributes().description);
    let copy = copies(cuda)?;
    elementwise(cuda, copy)?;
    for size in [2048, 4096, 8192] {
        products(cuda, DType::BFloat16, size)?;
        products(cuda, DType::Float, size)?;
    }
    convolutions::measure(cuda)?;
    launches(cuda)
}

fn cuda_of(device: &Arc<dyn Device>) -> Option<&CudaDeviceContext> {
    device.context()?.as_any().downcast_ref()
}

fn row(what: &str, figure: &str) {
    println!("| {what} | {figure} |");
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// The GPU's time for one of the pieces of work that `work` enqueues; the first round does not count.
fn on_gpu(cuda: &CudaDeviceContext, work: impl Fn() -> oplink::Result<()>) -> Outcome<Duration> {
    let round = || cuda.time(|| (0..REPEATS).try_for_each(|_| work()));
    round()?;
    let times = (0..ROUNDS).map(|_| round()).collect::<oplink::Result<_>>()?;
    Ok(median(times) / REPEATS)
}

/// The time on the host for one piece of work that waits; the first does not count.
fn on_host(work: impl Fn() -> oplink::Result<()>) -> Outcome<Duration> {
    work()?;
    let round = || {
        let start = Instant::now();
        work().map(|()| start.elapsed())
    };
    Ok(median((0..ROUNDS).map(|_| round()).collect::<oplink::Result<_>>()?))
}

fn gigabytes_a_second(bytes: usize, time: Duration) -> f64 {
    bytes as f64 / time.as_secs_f64() / 1e9
}

/// Copies of 1 GiB; gives the bytes a second that a copy within the GPU reads and writes.
fn copies(cuda: &CudaDeviceContext) -> Outcome<f64> {
    let bytes = LARGE * 4;
    let device = cuda.allocate(DType::Float, Shape::from(vec![LARGE]))?;
    let within = gigabytes_a_second(2 * bytes, on_gpu(cuda, || cuda.copy_in_device(&device).map(drop))?);
    row("copy within the GPU, read and written", &format!("{within:.0} GB/s"));
    let pinned = copy_to_host_blocking(cuda, &device)?;
    let up = on_host(|| cuda.copy_to_device(&pinned).map(drop).and_then(|()| cuda.synchronize()))?;
    row("copy to the GPU from pinned memory", &format!("{:.1} GB/s", gigabytes_a_second(bytes, up)));
    let ordinary = pinned.deep_copy()?;
    let staged = on_host(|| cuda.copy_to_device(&ordinary).map(drop).and_then(|()| cuda.synchronize()))?;
    row("copy to the GPU from ordinary memory", &format!("{:.1} GB/s", gigabytes_a_second(bytes, staged)));
    drop(pinned);
    let down = on_host(|| copy_to_host_blocking(cuda, &device).map(drop))?;
    row("copy to the host", &format!("{:.1} GB/s", gigabytes_a_second(bytes, down)));
    let scalar = cuda.allocate(DType::Float, Shape::scalar())?;
    let wait = on_host(|| copy_to_host_blocking(cuda, &scalar).map(drop))?;
    row("copy of four bytes to the host, with the wait", &format!("{:.1} µs", wait.as_secs_f64() * 1e6));
    Ok(within)
}

fn elementwise(cuda: &CudaDeviceContext, copy: f64) -> Outcome<()> {
    let tensor = || cuda.allocate(DType::Float, Shape::from(vec![LARGE]));
    let (x, y, z) = (tensor()?, tensor()?, tensor()?);
    let sum = on_gpu(cuda, || sums::launch(cuda, &x, &y, &z))?;
    let speed = gigabytes_a_second(3 * LARGE * 4, sum);
    row("sum of two f32 tensors of 1 GiB", &format!("{speed:.0} GB/s, {:.0} % of the copy", 100.0 * speed / copy));
    Ok(())
}

/// Products of square matrices, by the device's own call and by cuBLASLt called directly, on the same values.
fn products(cuda: &CudaDeviceContext, dtype: DType, size: usize) -> Outcome<()> {
    let host = values(dtype, Shape::from([size, size]))?;
    let (a, b) = (cuda.copy_to_device(&host)?, cuda.copy_to_device(&host)?);
    let out = cuda.allocate(dtype, host.shape().clone())?;
    let spec = MatMulSpec::dense(dtype, 1, [size; 3], [false, false]);
    let absent = || oplink::Error::not_found("cuBLASLt is not here: install it, or name its folder in LD_LIBRARY_PATH");
    let own = on_gpu(cuda, || cuda.matmul(&spec, &a, &b, &out).unwrap_or_else(|| Err(absent())))?;
    drop((a, b, out));
    cuda.synchronize()?;
    let direct = direct::time(dtype, &host, size, REPEATS, ROUNDS)?;
    let speed = |time: Duration| 2.0 * (size as f64).powi(3) / time.as_secs_f64() / 1e12;
    let (own, direct) = (speed(own), speed(direct));
    let share = 100.0 * own / direct;
    row(
        &format!("product of {dtype} matrices of {size} x {size}"),
        &format!("{own:.0} TFLOP/s, {share:.0} % of cuBLASLt called directly ({direct:.0})"),
    );
    Ok(())
}

/// Values between -1 and 1 that do not repeat soon: power, and so speed, depends on them.
fn values(dtype: DType, shape: Shape) -> oplink::Result<Tensor> {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / 8_388_608.0 - 1.0
    };
    let values = std::iter::repeat_with(&mut next).take(shape.num_elements());
    let bytes: Vec<u8> = match dtype {
        DType::Float => values.flat_map(f32::to_ne_bytes).collect(),
        // The upper half of an f32 is a bf16.
        _ => values.flat_map(|value| ((value.to_bits() >> 16) as u16).to_ne_bytes()).collect(),
    };
    Tensor::from_bytes(dtype, shape, &bytes)
}

fn launches(cuda: &CudaDeviceContext) -> Outcome<()> {
    let count = 10_000;
    let tensor = || cuda.allocate(DType::Float, Shape::from(vec![1024]));
    let (x, y, z) = (tensor()?, tensor()?, tensor()?);
    let round = || (0..count).try_for_each(|_| sums::launch(cuda, &x, &y, &z));
    let host = on_host(|| {
        let start = Instant::now();
        round()?;
        let enqueued = start.elapsed();
        cuda.synchronize()?;
        LAST.set(enqueued);
        Ok(())
    })?;
    let micros = |time: Duration| time.as_secs_f64() * 1e6 / f64::from(count);
    row("launch of a small program, on the host", &format!("{:.2} µs", micros(LAST.get())));
    row("launch of a small program, until it is done", &format!("{:.2} µs each of {count}", micros(host)));
    Ok(())
}

thread_local! {
    /// How long the last round of launches took to enqueue.
    static LAST: std::cell::Cell<Duration> = const { std::cell::Cell::new(Duration::ZERO) };
}
