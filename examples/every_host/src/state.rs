//! Kernels that keep something between their runs, and one that fails.

use std::sync::atomic::{AtomicU64, Ordering};

use oplink::prelude::*;

/// `y[i] = table[x[i]]`, where the table is the squares below `size`, made once.
#[op("LookUp", input = "x: int64", output = "y: float", attr = "size: int >= 1 = 16", shape = shape_fns::unchanged)]
pub struct LookUp;

/// The squares.
pub struct Table(Vec<f32>);

#[kernel(LookUp, device = CPU)]
impl Kernel for Table {
    type Op = LookUp;

    fn new(construction: Construction<'_, LookUp>) -> Result<Self> {
        let size = construction.attrs.size;
        ensure!(size <= 1 << 20, "a table of {size} numbers is too large");
        Ok(Self((0..size).map(|number| (number * number) as f32).collect()))
    }

    fn compute(&self, inputs: LookUpInputs<'_>, outputs: &mut LookUpOutputs<'_>, _: Env<'_>) -> Result<()> {
        let x = inputs.x.into_ref();
        let y = outputs.y.allocate(x.shape().clone())?;
        for (y, &x) in y.as_mut_slice::<f32>()?.iter_mut().zip(x.as_slice::<i64>()?) {
            let found = usize::try_from(x).ok().and_then(|x| self.0.get(x)).copied();
            *y = found.ok_or_else(|| Error::out_of_range(format!("{x} is not below {}", self.0.len())))?;
        }
        Ok(())
    }
}

/// `x`, and how often the kernel of these attrs ran before.
#[op("CountCalls", stateful, input = "x: float", output = "calls: int64", attr = "counter: string = ''")]
pub fn count_calls_shapes(c: &mut ShapeContext<'_>) -> Result<()> {
    c.set_output(0, PartialShape::scalar());
    Ok(())
}

/// The calls so far.
pub struct Counter(AtomicU64);

#[kernel(CountCalls, device = CPU)]
impl RawKernel for Counter {
    fn new(_: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self(AtomicU64::new(0)))
    }

    fn compute(&self, c: &mut KernelContext<'_>) -> Result<()> {
        c.set_scalar(0, self.0.fetch_add(1, Ordering::Relaxed) as i64);
        Ok(())
    }
}

/// Numbers in `[0, 1)` of the shape of `x`: other ones at each call, the same ones for the same `seed` in each process.
#[op("NoiseLike", stateful, is(random), input = "x: float", output = "y: float", attr = "seed: int = 0",
     shape = shape_fns::unchanged)]
pub struct NoiseLike;

/// Where the sequence stands.
pub struct Noise(AtomicU64);

#[kernel(NoiseLike, device = CPU)]
impl RawKernel for Noise {
    fn new(c: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self(AtomicU64::new(c.attr::<i64>("seed")? as u64)))
    }

    fn compute(&self, c: &mut KernelContext<'_>) -> Result<()> {
        let shape = c.input(0).shape().clone();
        let mut y = c.allocate_output(0, shape)?;
        for y in y.as_mut_slice::<f32>()? {
            let mut z = self.0.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            *y = ((z ^ (z >> 31)) >> 40) as f32 / (1u32 << 24) as f32;
        }
        c.set_output(0, y);
        Ok(())
    }
}

/// `x`; panics where an element is above `limit`.
#[op("FailAbove", input = "x: float", output = "y: float", attr = "limit: float = 1.0", shape = shape_fns::unchanged)]
pub struct FailAbove;

#[kernel(FailAbove, device = CPU)]
pub fn fail_above(x: ArrayViewD<'_, f32>, limit: f32) -> Result<ArrayD<f32>> {
    assert!(x.iter().all(|x| *x <= limit), "an element is above {limit}");
    Ok(x.to_owned())
}
