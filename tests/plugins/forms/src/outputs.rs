//! Outputs returned, in lists, from a kernel with state, and later.

use std::sync::atomic::{AtomicI64, Ordering};

use oplink::AsyncKernelContext;
use oplink::prelude::*;

/// Doubles, and counts.
#[op("FormReturn", input = "x: T", output = "y: T", output = "n: int32", attr = "T: {float, double}")]
pub struct FormReturn;

#[kernel(FormReturn, device = CPU, T = [f32, f64])]
pub fn form_return_cpu<T: Float>(x: ArrayViewD<'_, T>) -> Result<(ArrayD<T>, i32)> {
    Ok((x.map(|&x| x + x), x.len() as i32))
}

/// Rows of the input.
#[op("FormSplit", input = "x: T", output = "rows: N * T", attr = "N: int >= 1", attr = "T: type")]
pub struct FormSplit;

#[kernel(FormSplit, device = CPU, T = any)]
pub fn form_split_cpu(x: &Tensor, n: i64) -> Result<Vec<Tensor>> {
    (0..n as usize).map(|row| x.slice(row, row + 1)).collect()
}

/// Gives a list of any types back, from the last to the first.
#[op("FormList", input = "xs: Tin", output = "ys: Tout", attr = "Tin: list(type)", attr = "Tout: list(type)")]
pub struct FormList;

#[kernel(FormList, device = CPU)]
pub fn form_list_cpu(xs: &[Tensor]) -> Vec<Tensor> {
    xs.iter().rev().cloned().collect()
}

/// Counts its runs.
#[op("FormCount", output = "runs: int64", attr = "start: int = 0", stateful)]
pub struct FormCount;

pub struct Count(AtomicI64);

#[kernel(FormCount, device = CPU)]
impl RawKernel for Count {
    fn new(c: &KernelConstruction<'_>) -> Result<Self> {
        let start = c.attr::<i64>("start")?;
        ensure!(start >= 0, "start is {start}, below 0");
        Ok(Self(AtomicI64::new(start)))
    }

    fn compute(&self, c: &mut KernelContext<'_>) -> Result<()> {
        c.set_scalar(0, self.0.fetch_add(1, Ordering::Relaxed));
        Ok(())
    }
}

/// Adds one on another thread; fails below zero, and forgets to finish at 100.
#[op("FormLater", input = "x: int64", output = "y: int64", shape = shape_fns::unchanged)]
pub struct FormLater;

#[kernel(FormLater, device = CPU, async)]
pub fn form_later_cpu(mut c: AsyncKernelContext) {
    std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(5));
        match c.inputs()[0].to_scalar::<i64>() {
            Ok(100) => {}
            Ok(x) if x < 0 => c.finish(Err(Error::out_of_range(format!("{x} is below 0")))),
            Ok(x) => {
                c.set_output(0, Tensor::scalar(x + 1));
                c.finish(Ok(()));
            }
            Err(error) => c.finish(Err(error)),
        }
    });
}
