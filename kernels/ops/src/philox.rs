//! Philox 4x32-10, the counter-based generator that TensorFlow's random ops draw from.
//!
//! A block of four numbers is a function of a 64-bit key and a 128-bit counter that goes up by one a block, so that any
//! part of a sequence can be computed by itself (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011).

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

/// Rounds that mix a counter.
pub const ROUNDS: usize = 10;
/// Factors of the two multiplications of a round.
pub const FACTORS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
/// What the words of the key grow by with each round.
pub const KEY_STEPS: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];

/// Key under which the seed of a stateless op is mixed.
const SEED_KEY: u64 = 0x0246_1E29_3EC8_F720;

/// A position in a sequence of blocks of four numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Philox {
    key: u64,
    counter: u128,
}

impl Philox {
    /// Four numbers drawn together.
    pub const BLOCK: usize = 4;

    /// The sequence of `key`, from the block `counter` on.
    pub const fn new(key: u64, counter: u128) -> Self {
        Self { key, counter }
    }

    /// The sequence that the attrs `seed` and `seed2` stand for; for both 0 one that nobody can foretell.
    pub fn from_seeds(seed: i64, seed2: i64) -> Self {
        let (low, high) = if seed == 0 && seed2 == 0 { (entropy(), entropy()) } else { (seed as u64, seed2 as u64) };
        Self::new(low, u128::from(high) << 64)
    }

    /// The sequence that a seed of two numbers stands for in ops that hold no generator.
    pub fn from_seed([first, second]: [i64; 2]) -> Self {
        let counter = u128::from(first as u64) | u128::from(second as u64) << 64;
        let [a, b, c, d] = Self::new(SEED_KEY, counter).block().map(u128::from);
        Self::new((a | b << 32) as u64, (c | d << 32) << 64)
    }

    /// The key.
    pub const fn key(self) -> u64 {
        self.key
    }

    /// Position of the next block.
    pub const fn counter(self) -> u128 {
        self.counter
    }

    /// The position `blocks` later.
    #[must_use]
    pub const fn skipped(self, blocks: u64) -> Self {
        Self { key: self.key, counter: self.counter.wrapping_add(blocks as u128) }
    }

    /// Draws the next block.
    #[inline]
    pub fn block(&mut self) -> [u32; Self::BLOCK] {
        let block = mix(words(self.counter), [self.key as u32, (self.key >> 32) as u32]);
        self.counter = self.counter.wrapping_add(1);
        block
    }
}

/// A number that nobody can foretell.
fn entropy() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// The 32-bit words of a counter, the lowest first.
pub const fn words(counter: u128) -> [u32; 4] {
    [counter as u32, (counter >> 32) as u32, (counter >> 64) as u32, (counter >> 96) as u32]
}

#[inline]
fn mix(mut counter: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    for _ in 0..ROUNDS {
        let [first, second] = [counter[0], counter[2]];
        let (first, second) = (u64::from(first) * u64::from(FACTORS[0]), u64::from(second) * u64::from(FACTORS[1]));
        counter = [
            (second >> 32) as u32 ^ counter[1] ^ key[0],
            second as u32,
            (first >> 32) as u32 ^ counter[3] ^ key[1],
            first as u32,
        ];
        key = [key[0].wrapping_add(KEY_STEPS[0]), key[1].wrapping_add(KEY_STEPS[1])];
    }
    counter
}

/// Numbers drawn one by one.
#[derive(Clone, Debug)]
pub struct Singles {
    generator: Philox,
    block: [u32; Philox::BLOCK],
    used: usize,
}

impl Singles {
    /// The numbers from a position on.
    pub fn new(generator: Philox) -> Self {
        Self { generator, block: [0; Philox::BLOCK], used: Philox::BLOCK }
    }

    /// The numbers from the `start`-th one after a position on.
    pub fn starting_at(generator: Philox, start: u64) -> Self {
        let blocks = Philox::BLOCK as u64;
        let mut singles = Self::new(generator.skipped(start / blocks));
        for _ in 0..start % blocks {
            singles.draw();
        }
        singles
    }

    /// Draws the next number.
    #[inline]
    pub fn draw(&mut self) -> u32 {
        if self.used == Philox::BLOCK {
            self.block = self.generator.block();
            self.used = 0;
        }
        self.used += 1;
        self.block[self.used - 1]
    }

    /// Draws a number of 64 bits, the low half first.
    pub fn draw_long(&mut self) -> u64 {
        let low = u64::from(self.draw());
        low | u64::from(self.draw()) << 32
    }

    /// Draws a number below `n`, without a bias: numbers that some remainders have more of are dropped.
    pub fn below(&mut self, n: u32) -> u32 {
        let rest = u32::MAX % n + 1;
        loop {
            let number = self.draw();
            if n.is_power_of_two() || number >= rest {
                return number % n;
            }
        }
    }

    /// As [`Self::below`].
    pub fn long_below(&mut self, n: u64) -> u64 {
        let rest = u64::MAX % n + 1;
        loop {
            let number = self.draw_long();
            if n.is_power_of_two() || number >= rest {
                return number % n;
            }
        }
    }

    /// Draws a number in `[0, 1)`.
    pub fn single(&mut self) -> f32 {
        single(self.draw())
    }

    /// Draws a number in `[0, 1)`.
    pub fn double(&mut self) -> f64 {
        double(self.draw(), self.draw())
    }
}

/// The number in `[0, 1)` whose significand ends in these bits.
#[inline]
pub fn single(bits: u32) -> f32 {
    f32::from_bits(0x3F80_0000 | (bits & 0x007F_FFFF)) - 1.0
}

/// As [`single`], from the high and the low bits.
#[inline]
pub fn double(high: u32, low: u32) -> f64 {
    let bits = u64::from(high & 0x000F_FFFF) << 32 | u64::from(low);
    f64::from_bits(0x3FF0_0000_0000_0000 | bits) - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test vectors of Random123, the authors' implementation.
    #[test]
    fn blocks_are_those_of_the_published_vectors() {
        let cases = [
            (0, 0, [0x6627_E8D5, 0xE169_C58D, 0xBC57_AC4C, 0x9B00_DBD8]),
            (u64::MAX, u128::MAX, [0x408F_276D, 0x41C8_3B0E, 0xA20B_C7C6, 0x6D54_51FD]),
            (
                0x299F_31D0_A409_3822,
                0x0370_7344_1319_8A2E_85A3_08D3_243F_6A88,
                [0xD16C_FE09, 0x94FD_CCEB, 0x5001_E420, 0x2412_6EA1],
            ),
        ];
        for (key, counter, expected) in cases {
            assert_eq!(Philox::new(key, counter).block(), expected);
        }
    }

    #[test]
    fn skipping_is_drawing() {
        let start = Philox::new(7, u128::from(u64::MAX) - 1);
        let mut drawn = start;
        for _ in 0..5 {
            drawn.block();
        }
        assert_eq!(start.skipped(5), drawn);
        for count in 0..9 {
            let mut singles = Singles::new(start);
            for _ in 0..count {
                singles.draw();
            }
            assert_eq!(Singles::starting_at(start, count).draw(), singles.draw());
        }
    }
}
