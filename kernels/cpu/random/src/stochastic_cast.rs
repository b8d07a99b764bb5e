//! `StochasticCastToInt`: floats rounded to one of the two integers beside them.

use std::ops::{Add, Sub};

use super::uniform::{brain, half};
use oplink::prelude::*;
use oplink_ops::philox::{Philox, double, single};
use oplink_ops::random::StochasticCastToInt;
use oplink_ops::random::draws::{KeyCounter, from_key_and_counter};

/// Numbers that are rounded together where they share blocks.
const GROUP: usize = 8;

/// `StochasticCastToInt` of every dtype.
#[kernel(StochasticCastToInt, device = CPU, Tin = [floats], Tout = [i8, i16, i32], host_memory = [alg])]
pub fn stochastic_cast_to_int_cpu<Tin: Roundable, Tout: Rounded>(
    input: &Tensor,
    key: &Tensor,
    counter: &Tensor,
    alg: &Tensor,
    output: &mut Tensor,
    env: Env<'_>,
) -> Result<()> {
    // The algorithm is checked even where nothing is drawn.
    let given = from_key_and_counter(KeyCounter { key, counter, alg }, 1)?;
    let mut start = Philox::new(given.counter() as u64, u128::from(given.key()) << 64);
    let (input, output) = (input.as_slice::<Tin>()?, output.as_mut_slice::<Tout>()?);
    let limits = [Tout::LEAST, Tout::LARGEST].map(Tin::of);
    let sharing = if Tout::DTYPE == DType::Int32 { Tin::SHARING } else { 0 };
    let grouped = if sharing > 0 { input.len() / GROUP * GROUP } else { 0 };
    let mut block = [Tin::of(0); Philox::BLOCK];
    for (at, (&number, out)) in env.watch(input).zip(output).enumerate() {
        let rounded = if at < grouped {
            if at % sharing == 0 {
                block = Tin::draw(&mut start);
            }
            // As TensorFlow rounds in vectors: the draw is subtracted from 1 first.
            let upward = Tin::of(1) - block[at % Philox::BLOCK];
            exact(number, limits).unwrap_or_else(|| number.moved(block[at % Philox::BLOCK], number + upward))
        } else {
            exact(number, limits).unwrap_or_else(|| {
                let [drawn, ..] = Tin::draw(&mut start);
                number.moved(drawn, number + Tin::of(1) - drawn)
            })
        };
        *out = Tout::of(rounded.truncated());
    }
    Ok(())
}

/// What a number becomes that is rounded without a draw.
fn exact<T: Roundable>(number: T, [least, largest]: [T; 2]) -> Option<T> {
    if number.partial_cmp(&number).is_none() {
        return Some(T::of(0));
    }
    let limited = if number >= largest { largest } else { number };
    let limited = if limited <= least { least } else { limited };
    (limited != number || limited.floored() == limited).then_some(limited)
}

/// Floats that are rounded.
pub trait Roundable: Element + Copy + PartialOrd + Add<Output = Self> + Sub<Output = Self> {
    /// Numbers one after the other that share a block where they become int32; 0 where none do.
    const SHARING: usize;

    /// The numbers of the next block, as often as they fill it.
    fn draw(start: &mut Philox) -> [Self; Philox::BLOCK];

    /// The float nearest to an integer.
    fn of(integer: i32) -> Self;

    /// The largest integer that is not above.
    fn floored(self) -> Self;

    /// An integer as one of 32 bits, the least of these where it is beyond.
    fn truncated(self) -> i32;

    /// The integer below the number and the draw where the number is negative, or else that below `upward`.
    fn moved(self, drawn: Self, upward: Self) -> Self {
        if self < Self::of(0) { (self + drawn).floored() } else { upward.floored() }
    }
}

/// Integers that floats become.
pub trait Rounded: Element {
    /// The least one.
    const LEAST: i32;
    /// The largest one.
    const LARGEST: i32;

    /// The one with these low bits.
    fn of(integer: i32) -> Self;
}

macro_rules! roundable {
    ($($float:ty, $sharing:expr, $wide:ty, |$block:ident| $drawn:expr;)*) => {$(
        impl Roundable for $float {
            const SHARING: usize = $sharing;

            fn draw(start: &mut Philox) -> [Self; Philox::BLOCK] {
                let $block = start.block();
                $drawn
            }

            fn of(integer: i32) -> Self {
                oplink::num_traits::cast::AsPrimitive::as_(integer)
            }

            fn floored(self) -> Self {
                oplink::num_traits::Float::floor(self)
            }

            fn truncated(self) -> i32 {
                let wide = <$wide>::from(self);
                if wide < -(i32::MIN as $wide) { wide as i32 } else { i32::MIN }
            }
        }
    )*};
}

roundable! {
    f16, 0, f32, |block| block.map(half);
    bf16, 0, f32, |block| block.map(brain);
    f32, 8, f32, |block| block.map(single);
    f64, 4, f64, |block| {
        let [a, b, c, d] = block;
        let (first, second) = (double(a, b), double(c, d));
        [first, second, first, second]
    };
}

macro_rules! rounded {
    ($($integer:ty)*) => {$(
        impl Rounded for $integer {
            const LEAST: i32 = <$integer>::MIN as i32;
            const LARGEST: i32 = <$integer>::MAX as i32;

            fn of(integer: i32) -> Self {
                integer as $integer
            }
        }
    )*};
}

rounded! { i8 i16 i32 }

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    fn rounded(input: impl Into<Tensor>, to: DType, algorithm: i32) -> Result<Tensor> {
        let inputs = vec![input.into(), [5u64].into(), [9u64, 0].into(), algorithm.into()];
        Ok(run("StochasticCastToInt", &[("Tout", to.into())], inputs)?.remove(0))
    }

    #[test]
    fn draws_are_those_of_tensorflow() {
        let numbers = [
            0.5, -0.5, 1.25, -1.25, 2.75, -2.75, 10.0, 0.1, -0.1, 0.9, -0.9, 3.3, -3.3, 7.7, -7.7, 100.5, -100.5, 0.25,
            1.5, -1.5,
        ];
        let halves = [1, 0, 1, -1, 3, -3, 10, 0, 0, 1, -1, 3, -4, 8, -8, 101, -101, 1, 1, -1];
        let brains = [0, 0, 2, -1, 2, -3, 10, 0, 0, 1, 0, 3, -3, 8, -8, 101, -100, 0, 1, -1];
        let singles = [1, -1, 1, -1, 3, -3, 10, 0, 0, 1, -1, 3, -4, 8, -8, 101, -100, 0, 2, -2];
        let doubles = [1, 0, 1, -1, 3, -3, 10, 0, 0, 1, -1, 3, -3, 8, -8, 100, -101, 0, 1, -1];
        let grouped_singles = [1, -1, 1, -1, 3, -3, 10, 0, -1, 1, -1, 3, -4, 7, -7, 100, -101, 0, 2, -2];
        let grouped_doubles = [1, 0, 2, -1, 3, -3, 10, 0, 0, 0, -1, 3, -3, 8, -8, 101, -101, 1, 1, -1];
        let cases: [(Tensor, [i32; 20], [i32; 20]); 4] = [
            (numbers.map(f16::from_f64).into(), halves, halves),
            (numbers.map(bf16::from_f64).into(), brains, brains),
            (numbers.map(|number| number as f32).into(), singles, grouped_singles),
            (numbers.into(), doubles, grouped_doubles),
        ];
        for (input, short, long) in cases {
            let out = rounded(input.clone(), DType::Int8, 1).unwrap();
            assert_eq!(out.as_slice::<i8>().unwrap(), short.map(|number| number as i8));
            let out = rounded(input.clone(), DType::Int16, 1).unwrap();
            assert_eq!(out.as_slice::<i16>().unwrap(), short.map(|number| number as i16));
            assert_eq!(rounded(input, DType::Int32, 3).unwrap().as_slice::<i32>().unwrap(), long);
        }
    }

    #[test]
    fn numbers_beyond_the_limits_and_nan() {
        let numbers = [3e9f32, -3e9, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 200.0, -200.0];
        let out = rounded(numbers, DType::Int8, 1).unwrap();
        assert_eq!(out.as_slice::<i8>().unwrap(), [127, -128, 0, 127, -128, 127, -128]);
        let out = rounded(numbers, DType::Int32, 3).unwrap();
        assert_eq!(out.as_slice::<i32>().unwrap(), [i32::MIN, i32::MIN, 0, i32::MIN, i32::MIN, 200, -200]);
        let out = rounded([f16::from_f32(4e4), f16::from_f32(-4e4)], DType::Int16, 1).unwrap();
        assert_eq!(out.as_slice::<i16>().unwrap(), [i16::MIN; 2]);
    }

    #[test]
    fn the_algorithm_must_be_philox() {
        assert!(rounded([0f32; 0], DType::Int8, 2).unwrap_err().to_string().contains("alg must be 1"));
    }
}
