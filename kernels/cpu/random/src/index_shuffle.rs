//! `RandomIndexShuffle`: one position of an order, by a block cipher.

use oplink::Step;
use oplink::memory::try_collect;
use oplink::prelude::*;
use oplink_cpu_support::index_shuffle::{IndexShuffle, KEY_WORDS};
use oplink_ops::random::RandomIndexShuffle;

/// The most rounds.
const MOST_ROUNDS: i64 = 1 << 16;

/// `RandomIndexShuffle` of every dtype.
#[kernel(RandomIndexShuffle, device = CPU, dtype = any, Tseed = any)]
pub fn random_index_shuffle_cpu(
    index: &Tensor,
    seed: &Tensor,
    max_index: &Tensor,
    rounds: i64,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    ensure!(
        rounds >= 4 && rounds % 2 == 0 && rounds <= MOST_ROUNDS,
        "rounds must be even and from 4 to {MOST_ROUNDS}, it is {rounds}"
    );
    let count = index.num_elements().max(max_index.num_elements()).max(seed.num_elements() / KEY_WORDS);
    for (input, name) in [(index, "index"), (max_index, "max_index")] {
        let fits = input.rank() == 0 || input.shape().dims() == [count];
        ensure!(fits, "{name} must be a scalar or a vector of {count} elements, its shape is {}", input.shape());
    }
    let fits = seed.shape().dims() == [KEY_WORDS] || seed.shape().dims() == [count, KEY_WORDS];
    ensure!(fits, "seed must have the shape [3] or [{count},3], its shape is {}", seed.shape());
    let is_scalar = index.rank() == 0 && max_index.rank() == 0 && seed.rank() == 1;
    let out = output.allocate(if is_scalar { Shape::new(&[]) } else { Shape::new(&[count]) })?;
    let inputs = Inputs { index, max_index, key: words(seed)?, rounds: rounds as usize };
    match out.dtype() {
        DType::Int32 => inputs.fill::<i32>(out, &env, Into::into, |value| value as i32),
        DType::UInt32 => inputs.fill::<u32>(out, &env, Into::into, |value| value as u32),
        DType::Int64 => inputs.fill::<i64>(out, &env, Into::into, |value| value as i64),
        _ => inputs.fill::<u64>(out, &env, Into::into, |value| value as u64),
    }
}

/// The lower 32 bits of integers.
fn words(seed: &Tensor) -> Result<Vec<u32>> {
    match seed.dtype() {
        DType::Int32 => try_collect(seed.as_slice::<i32>()?.iter().map(|&word| word as u32)),
        DType::UInt32 => try_collect(seed.as_slice::<u32>()?.iter().copied()),
        DType::Int64 => try_collect(seed.as_slice::<i64>()?.iter().map(|&word| word as u32)),
        _ => try_collect(seed.as_slice::<u64>()?.iter().map(|&word| word as u32)),
    }
}

struct Inputs<'a> {
    index: &'a Tensor,
    max_index: &'a Tensor,
    key: Vec<u32>,
    rounds: usize,
}

impl Inputs<'_> {
    fn fill<T: Element + Copy>(
        &self,
        out: &mut Tensor,
        env: &Env<'_>,
        widen: impl Fn(T) -> i128,
        narrow: impl Fn(i128) -> T,
    ) -> Result<()> {
        let stop = env.step().ok().map(Step::cancellation);
        let (indices, last) = (self.index.as_slice::<T>()?, self.max_index.as_slice::<T>()?);
        for (at, out) in env.watch(out.as_mut_slice::<T>()?.iter_mut().enumerate()) {
            let (index, last) = (widen(indices[at % indices.len()]), widen(last[at % last.len()]));
            ensure!(index >= 0, "index must be >= 0, it is {index}");
            ensure!(last >= index, "max_index must be >= index, they are {last} and {index}");
            let key = &self.key[at * KEY_WORDS % self.key.len()..][..KEY_WORDS];
            let order = IndexShuffle::new([key[0], key[1], key[2]], last as u64, self.rounds);
            *out = narrow(order.place(index as u64, stop).into());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn places_are_those_of_tensorflow() {
        let seed = || [1, 2, 3].into();
        check("RandomIndexShuffle", [[0, 1, 2, 3].into(), seed(), 9.into()], [2, 0, 6, 4]);
        check("RandomIndexShuffle", [3.into(), seed(), 9.into()], 4);
        check("RandomIndexShuffle", [[5, 6].into(), seed(), 65536.into()], [22922, 65476]);
        check("RandomIndexShuffle", [[5, 6].into(), seed(), 100_000.into()], [36952, 78922]);
        let large = (1i64 << 62) + 5;
        check("RandomIndexShuffle", [[5i64, 6].into(), seed(), large.into()], [744_505_735_367i64, 881_944_689_652]);
    }

    #[test]
    fn indices_outside_of_the_range_are_errors() {
        let seed = || [1, 2, 3].into();
        check_error(
            "RandomIndexShuffle",
            [10.into(), seed(), 9.into()],
            "max_index must be >= index, they are 9 and 10",
        );
        check_error("RandomIndexShuffle", [(-1).into(), seed(), 9.into()], "index must be >= 0");
        check_error("RandomIndexShuffle", [[1, 2].into(), [1, 2].into(), 9.into()], "seed must have the shape");
    }
}
