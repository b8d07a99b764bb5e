//! Copies of a large tensor in each direction, and a sum as a share of the copy within the GPU.

use oplink::device::{DeviceContext, copy_to_host_blocking};
use oplink::{DType, Shape, Tensor};

use crate::measure::{Bench, gigabytes_a_second, row};
use crate::{Outcome, sums};

fn large(bench: &Bench<'_>) -> oplink::Result<Tensor> {
    bench.cuda.allocate(DType::Float, Shape::from(vec![bench.sizes.elements]))
}

/// The bytes a second that a copy within the GPU reads and writes.
fn within(bench: &Bench<'_>, tensor: &Tensor) -> Outcome<f64> {
    let time = bench.on_gpu(|| bench.cuda.copy_in_device(tensor).map(drop))?;
    Ok(gigabytes_a_second(2 * tensor.num_bytes(), time))
}

/// Copies to, from and within the GPU.
pub(crate) fn copies(bench: &Bench<'_>) -> Outcome<()> {
    let (cuda, device) = (bench.cuda, large(bench)?);
    let bytes = device.num_bytes();
    let size = format!("{} MiB", bytes >> 20);
    row(&format!("copy within the GPU of {size}, read and written"), &format!("{:.0} GB/s", within(bench, &device)?));
    let pinned = copy_to_host_blocking(cuda, &device)?;
    let up = bench.on_host(|| cuda.copy_to_device(&pinned).map(drop).and_then(|()| cuda.synchronize()))?;
    row("copy to the GPU from pinned memory", &format!("{:.1} GB/s", gigabytes_a_second(bytes, up)));
    let ordinary = pinned.deep_copy()?;
    let staged = bench.on_host(|| cuda.copy_to_device(&ordinary).map(drop).and_then(|()| cuda.synchronize()))?;
    row("copy to the GPU from ordinary memory", &format!("{:.1} GB/s", gigabytes_a_second(bytes, staged)));
    drop(pinned);
    let down = bench.on_host(|| copy_to_host_blocking(cuda, &device).map(drop))?;
    row("copy to the host", &format!("{:.1} GB/s", gigabytes_a_second(bytes, down)));
    let scalar = cuda.allocate(DType::Float, Shape::scalar())?;
    let wait = bench.on_host(|| copy_to_host_blocking(cuda, &scalar).map(drop))?;
    row("copy of four bytes to the host, with the wait", &format!("{:.1} µs", wait.as_secs_f64() * 1e6));
    Ok(())
}

/// A sum reads two tensors and writes one; a copy reads one and writes one.
pub(crate) fn elementwise(bench: &Bench<'_>) -> Outcome<()> {
    let (x, y, z) = (large(bench)?, large(bench)?, large(bench)?);
    let copy = within(bench, &x)?;
    let sum = bench.on_gpu(|| sums::launch(bench.cuda, &x, &y, &z))?;
    let speed = gigabytes_a_second(3 * x.num_bytes(), sum);
    row(
        &format!("sum of two f32 tensors of {} MiB", x.num_bytes() >> 20),
        &format!("{speed:.0} GB/s, {:.0} % of the copy ({copy:.0})", 100.0 * speed / copy),
    );
    Ok(())
}
