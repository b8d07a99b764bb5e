//! Many blocks of Philox at once, in vectors of the processor.

use multiversion::multiversion;

use oplink_ops::philox::{FACTORS, KEY_STEPS, Philox, ROUNDS, words};

/// Blocks that are mixed together.
const LANES: usize = 16;
/// Numbers of these blocks.
const NUMBERS: usize = LANES * Philox::BLOCK;

/// Draws the numbers from `start` on, block after block; `out` holds whole blocks.
pub(super) fn draw(mut start: Philox, out: &mut [u32]) {
    let (many, rest) = out.as_chunks_mut::<NUMBERS>();
    for numbers in many {
        mix(start.key(), counters(start.counter()), numbers);
        start = start.skipped(LANES as u64);
    }
    for block in rest.as_chunks_mut().0 {
        *block = start.block();
    }
}

/// The words of successive counters.
#[inline]
fn counters(first: u128) -> [[u32; LANES]; 4] {
    let mut counters = words(first).map(|word| [word; LANES]);
    if (first as u32).checked_add(LANES as u32).is_some() {
        counters[0].iter_mut().zip(0..).for_each(|(word, lane)| *word += lane);
        return counters;
    }
    for lane in 0..LANES {
        let word = words(first.wrapping_add(lane as u128));
        counters.iter_mut().zip(word).for_each(|(counter, word)| counter[lane] = word);
    }
    counters
}

#[allow(unsafe_code, reason = "room: calls of the versions that `multiversion` has checked the processor for")]
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn mix(key: u64, counters: [[u32; LANES]; 4], out: &mut [u32; NUMBERS]) {
    let [mut a, mut b, mut c, mut d] = counters;
    let mut key = [key as u32, (key >> 32) as u32];
    for _ in 0..ROUNDS {
        for lane in 0..LANES {
            let first = u64::from(a[lane]) * u64::from(FACTORS[0]);
            let second = u64::from(c[lane]) * u64::from(FACTORS[1]);
            a[lane] = (second >> 32) as u32 ^ b[lane] ^ key[0];
            b[lane] = second as u32;
            c[lane] = (first >> 32) as u32 ^ d[lane] ^ key[1];
            d[lane] = first as u32;
        }
        key = [key[0].wrapping_add(KEY_STEPS[0]), key[1].wrapping_add(KEY_STEPS[1])];
    }
    for (lane, block) in out.as_chunks_mut().0.iter_mut().enumerate() {
        *block = [a[lane], b[lane], c[lane], d[lane]];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_single_blocks() {
        for counter in [0, u128::from(u32::MAX) - 5, u128::from(u64::MAX) - 20, u128::MAX - 3] {
            let mut start = Philox::new(0x1234_5678_9ABC_DEF0, counter);
            let mut numbers = vec![0; 3 * NUMBERS + 8];
            draw(start, &mut numbers);
            for block in numbers.as_chunks().0 {
                assert_eq!(*block, start.block());
            }
        }
    }
}
