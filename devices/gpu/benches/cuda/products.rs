//! Products of square matrices, by the device's own call and by cuBLASLt called directly, on the same values.

use oplink::device::{DeviceContext, MatMulSpec};
use oplink::{DType, Shape};

use crate::measure::{Bench, flops, row, speed, values};
use crate::{Outcome, direct};

/// A row for each size and dtype.
pub(crate) fn products(bench: &Bench<'_>) -> Outcome<()> {
    bench.sizes.matrices.iter().try_for_each(|&size| {
        [DType::BFloat16, DType::Half, DType::Float].into_iter().try_for_each(|dtype| product(bench, dtype, size))
    })
}

fn product(bench: &Bench<'_>, dtype: DType, size: usize) -> Outcome<()> {
    let (cuda, what) = (bench.cuda, format!("product of {dtype} matrices of {size} x {size}"));
    let host = values(dtype, Shape::from([size, size]))?;
    let (a, b) = (cuda.copy_to_device(&host)?, cuda.copy_to_device(&host)?);
    let out = cuda.allocate(dtype, host.shape().clone())?;
    let spec = MatMulSpec::dense(dtype, 1, [size; 3], [false, false]);
    let multiply = || cuda.matmul(&spec, &a, &b, &out);
    match multiply() {
        Some(enqueued) => enqueued?,
        None => {
            row(&what, "no cuBLASLt: install it, or name its folder in LD_LIBRARY_PATH");
            return Ok(());
        }
    }
    let own = bench.on_gpu(|| multiply().unwrap_or(Ok(())))?;
    drop((a, b, out));
    cuda.synchronize()?;
    let direct = direct::products::time(dtype, &host, size, &bench.sizes)?;
    let operations = 2.0 * (size as f64).powi(3);
    let (own, direct) = (speed(operations, own), speed(operations, direct));
    let share = 100.0 * own / direct;
    row(&what, &format!("{}, {share:.0} % of cuBLASLt called directly ({})", flops(own), flops(direct)));
    Ok(())
}
