//! `Softmax` along the last axis.

use oplink::device::Region;
use oplink::prelude::*;

use super::{Real, launch};

/// `exp(x - max) / sum(exp(x - max))` along the last axis.
#[op("Softmax",
     input = "logits: T",
     output = "softmax: T",
     attr = "T: {half, bfloat16, float, double}",
     shape = shape_fns::unchanged_with_rank_at_least::<1>)]
pub struct Softmax;

/// `Softmax` on the device, in two pieces of work with memory of its own between them.
#[kernel(Softmax, device = SIM, T = [f32, f64])]
pub fn softmax<T: Real>(context: &KernelContext<'_>, logits: &Tensor, softmax: &mut Tensor) -> Result<()> {
    let shape = logits.shape();
    ensure!(shape.rank() >= 1, "logits must be of rank 1 at least, its shape is {shape}");
    if logits.num_elements() == 0 {
        return Ok(());
    }
    let classes = shape[shape.rank() - 1];
    let powers = context.device()?.allocate(T::DTYPE, shape.clone())?;
    let (logits, powers, softmax) =
        (Region::of_tensor(logits)?, Region::of_tensor(&powers)?, Region::of_tensor(softmax)?);
    launch(context, move |memory| {
        let mut values = memory.read::<T>(logits)?;
        values.chunks_exact_mut(classes).for_each(powers_of);
        memory.write(powers, &values)
    })?;
    launch(context, move |memory| {
        let mut values = memory.read::<T>(powers)?;
        values.chunks_exact_mut(classes).for_each(normalize);
        memory.write(softmax, &values)
    })
}

fn powers_of<T: Real>(row: &mut [T]) {
    let greatest = row.iter().copied().reduce(|x, y| if x < y { y } else { x }).unwrap_or_default();
    row.iter_mut().for_each(|value| *value = (*value - greatest).exp());
}

fn normalize<T: Real>(row: &mut [T]) {
    let sum = row.iter().fold(T::default(), |sum, &value| sum + value);
    row.iter_mut().for_each(|value| *value = *value / sum);
}
