//! `RandomUniformInt`, `StatelessRandomUniformInt`, `StatelessRandomUniformIntV2`: integers in `[minval, maxval)`.
//!
//! The output has the shape that the vector `shape` holds; `minval` and `maxval` are scalars, and `minval` must be less where there
//! is a number to draw. A number is `minval` plus the remainder of the drawn bits by the extent of the range, TensorFlow's bit
//! for bit; where the extent is no power of two, small remainders are slightly more likely.

use oplink::prelude::*;

use super::filling::{Distribution, Filler, Host, Integers, fill, fill_by_bits};
use super::generator::{Generator, from_key_and_counter, from_seed, output_shape};
use crate::support::philox::Philox;

/// Random integers in `[minval, maxval)`, from the sequence of the node.
#[op("RandomUniformInt",
     no_gradient,
     input = "shape: T",
     input = "minval: Tout",
     input = "maxval: Tout",
     output = "output: Tout",
     attr = "seed: int = 0",
     attr = "seed2: int = 0",
     attr = "Tout: {int32, int64}",
     attr = "T: {int32, int64}",
     stateful,
     shape = shape_fns::random_uniform_int)]
pub struct RandomUniformInt;

/// Random integers in `[minval, maxval)`, a function of the shape and the seed.
#[op("StatelessRandomUniformInt",
     no_gradient,
     input = "shape: T",
     input = "seed: Tseed",
     input = "minval: dtype",
     input = "maxval: dtype",
     output = "output: dtype",
     attr = "dtype: {int32, int64}",
     attr = "T: {int32, int64}",
     attr = "Tseed: {int32, int64} = DT_INT64",
     shape = shape_fns::stateless_random_uniform_int)]
pub struct StatelessRandomUniformInt;

/// Random integers in `[minval, maxval)`, a function of the shape, the key and the counter.
#[op("StatelessRandomUniformIntV2",
     no_gradient,
     input = "shape: Tshape",
     input = "key: uint64",
     input = "counter: uint64",
     input = "alg: int32",
     input = "minval: dtype",
     input = "maxval: dtype",
     output = "output: dtype",
     attr = "dtype: {int32, int64, uint32, uint64}",
     attr = "Tshape: {int32, int64} = DT_INT32",
     shape = shape_fns::stateless_random_uniform_int_v2)]
pub struct StatelessRandomUniformIntV2;

/// `RandomUniformInt` with the generator of the node.
pub struct RandomUniformIntCpu(Generator);

#[kernel(RandomUniformInt, device = CPU, Tout = any, T = any, host_memory = [shape, minval, maxval])]
impl Kernel for RandomUniformIntCpu {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        Generator::new(*construction).map(Self)
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        integers_from_node::<Host>(context, &self.0)
    }
}

/// `StatelessRandomUniformInt` of int32 and int64.
#[kernel(StatelessRandomUniformInt, device = CPU, dtype = any, T = any, Tseed = any,
         host_memory = [shape, seed, minval, maxval])]
pub fn stateless_random_uniform_int_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    integers_from_seed::<Host>(context)
}

/// `StatelessRandomUniformIntV2` of int32 and int64.
#[kernel(StatelessRandomUniformIntV2, device = CPU, dtype = [i32, i64], Tshape = any,
         host_memory = [shape, alg, minval, maxval])]
pub fn stateless_random_uniform_int_v2_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    integers_from_key::<Host>(context)
}

/// `RandomUniformInt` on any device, from the sequence of the node.
///
/// # Errors
/// The inputs have wrong shapes, there is no number in the range, memory runs out, or `F` fails.
pub fn integers_from_node<F: Filler<Integers>>(context: &mut KernelContext<'_>, generator: &Generator) -> Result<()> {
    let shape = output_shape(context)?;
    set_integers::<F>(context, shape, 1, |_, outputs| Ok(generator.reserve_outputs(outputs)))
}

/// `StatelessRandomUniformInt` on any device.
///
/// # Errors
/// As [`integers_from_node`].
pub fn integers_from_seed<F: Filler<Integers>>(context: &mut KernelContext<'_>) -> Result<()> {
    let shape = output_shape(context)?;
    set_integers::<F>(context, shape, 2, |context, _| from_seed(context.input(1)))
}

/// `StatelessRandomUniformIntV2` on any device.
///
/// # Errors
/// As [`integers_from_node`]; the algorithm is unknown.
pub fn integers_from_key<F: Filler<Integers>>(context: &mut KernelContext<'_>) -> Result<()> {
    let shape = output_shape(context)?;
    set_integers::<F>(context, shape, 4, |context, outputs| from_key_and_counter(context, 1, outputs))
}

/// Sets the output to numbers in the range whose bounds are the inputs from `bounds` on, drawn where `start` says.
fn set_integers<F: Filler<Integers>>(
    context: &mut KernelContext<'_>,
    shape: Shape,
    bounds: usize,
    start: impl FnOnce(&KernelContext<'_>, usize) -> Result<Philox>,
) -> Result<()> {
    let mut out = context.allocate_output(0, shape)?;
    let start = start(context, out.num_elements())?;
    if out.num_elements() > 0 {
        let range = match out.dtype() {
            DType::Int32 => range::<i32>(context, bounds)?,
            _ => range::<i64>(context, bounds)?,
        };
        F::fill(context, &mut out, start, &range)?;
    }
    context.set_output(0, out);
    Ok(())
}

/// The integers between the inputs from `bounds` on.
fn range<T: Integer + Into<i64>>(context: &KernelContext<'_>, bounds: usize) -> Result<Integers> {
    let [low, high] = [bounds, bounds + 1].map(|index| context.input(index));
    for (bound, name) in [(low, "minval"), (high, "maxval")] {
        ensure!(bound.rank() == 0, "{name} must be a scalar, its shape is {}", bound.shape());
    }
    let (low, high) = (low.to_scalar::<T>()?, high.to_scalar::<T>()?);
    ensure!(low < high, "minval must be < maxval, they are {low:?} and {high:?}");
    let low = low.into();
    Ok(Integers { low, extent: high.into().wrapping_sub(low) as u64 })
}

impl Filler<Integers> for Host {
    fn fill(context: &KernelContext<'_>, out: &mut Tensor, start: Philox, range: &Integers) -> Result<()> {
        match out.dtype() {
            DType::Int32 => fill(context.env(), start, range, out.as_mut_slice::<i32>()?),
            _ => fill(context.env(), start, range, out.as_mut_slice::<i64>()?),
        }
        Ok(())
    }
}

impl Distribution<i32> for Integers {
    const GROUP: usize = 4;

    fn fill(&self, start: Philox, out: &mut [i32]) {
        let (low, extent) = (self.low as i32, self.extent as u32);
        let number = |bits: u32| low.wrapping_add((bits % extent) as i32);
        fill_by_bits::<_, 1>(start, out, |bits, out| {
            out.iter_mut().zip(bits).for_each(|(out, &bits)| *out = number(bits));
        });
    }
}

impl Distribution<i64> for Integers {
    const GROUP: usize = 2;

    fn fill(&self, start: Philox, out: &mut [i64]) {
        let number = |[low, high]: [u32; 2]| {
            let bits = u64::from(low) | u64::from(high) << 32;
            self.low.wrapping_add((bits % self.extent) as i64)
        };
        fill_by_bits::<_, 2>(start, out, |bits, out| {
            out.iter_mut().zip(bits.as_chunks().0).for_each(|(out, &bits)| *out = number(bits));
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{check_error, run};

    #[test]
    fn numbers_lie_in_the_range() {
        let draw = |low: i64, high: i64| {
            let inputs = vec![Tensor::from([1000]), Tensor::from([1i64, 2]), low.into(), high.into()];
            run("StatelessRandomUniformInt", &[], inputs).unwrap().remove(0).as_slice::<i64>().unwrap().to_vec()
        };
        let dice = draw(1, 7);
        assert!((1..7).all(|face| dice.contains(&face)) && dice.iter().all(|face| (1..7).contains(face)));
        let wide = draw(i64::MIN, i64::MAX);
        assert!(wide.iter().any(|number| *number < -(1 << 60)) && wide.iter().any(|number| *number > 1 << 60));
    }

    #[test]
    fn ranges_without_a_number_are_errors() {
        let seed = || Tensor::from([1i64, 2]);
        check_error(
            "StatelessRandomUniformInt",
            [[1].into(), seed(), 3.into(), 3.into()],
            "minval must be < maxval, they are 3 and 3",
        );
        let inputs = vec![[0].into(), seed(), 3.into(), 3.into()];
        assert!(run("StatelessRandomUniformInt", &[], inputs).is_ok());
    }
}
