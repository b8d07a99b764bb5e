//! Orders of numbers that are found one by one, by a block cipher.

use oplink::Cancellation;
use oplink::interrupt::watch;

/// Words of a key.
pub const KEY_WORDS: usize = 3;
/// Smallest number of bits of a block.
const SMALLEST_BLOCK: u32 = 16;
/// Bits that the round keys are mixed with, and the sequence of the lowest one.
const KEY_CONSTANT: u32 = 0xFFFF_FFFC;
const KEY_SEQUENCE: u64 = 0x7369_F885_192C_0EF5;

/// An order of the numbers up to a last one: Simon on blocks of two words.
#[derive(Clone, Debug)]
pub struct IndexShuffle {
    last: u64,
    bits: u32,
    mask: u32,
    keys: Vec<u32>,
}

impl IndexShuffle {
    /// The order of the numbers up to `last` by a key, in an even number of rounds, 4 or more.
    pub fn new(key: [u32; KEY_WORDS], last: u64, rounds: usize) -> Self {
        let block = ((last as f64).log2().ceil() as u32).next_multiple_of(2).clamp(SMALLEST_BLOCK, u64::BITS);
        let bits = block / 2;
        let mask = u32::MAX >> (u32::BITS - bits);
        let mut cipher = Self { last, bits, mask, keys: key.map(|word| word & mask).to_vec() };
        for round in KEY_WORDS..rounds {
            let (third, first) = (cipher.keys[round - KEY_WORDS], cipher.keys[round - 1]);
            let sequence = KEY_SEQUENCE & (u64::MAX >> (u64::BITS - bits));
            let bit = sequence.checked_shr((round - KEY_WORDS) as u32).unwrap_or(0) as u32 & 1;
            let mixed = KEY_CONSTANT ^ bit ^ third ^ cipher.rotated(first, bits - 3) ^ cipher.rotated(first, bits - 4);
            cipher.keys.push(mixed & mask);
        }
        cipher
    }

    /// The number at a position up to the last one: the position, encrypted until it is at most that.
    pub fn place(&self, mut index: u64, stop: Option<&Cancellation>) -> u64 {
        if self.last == 0 {
            return 0;
        }
        for () in watch(stop, std::iter::repeat(())) {
            index = self.encrypted(index);
            if index <= self.last {
                break;
            }
        }
        index
    }

    fn encrypted(&self, value: u64) -> u64 {
        let (mut left, mut right) = ((value >> self.bits) as u32 & self.mask, value as u32 & self.mask);
        for keys in self.keys.as_chunks::<2>().0 {
            left ^= self.mixed(right) ^ keys[0];
            right ^= self.mixed(left) ^ keys[1];
        }
        u64::from(left) << self.bits | u64::from(right)
    }

    fn mixed(&self, word: u32) -> u32 {
        self.rotated(word, 1) & self.rotated(word, 8) ^ self.rotated(word, 2)
    }

    /// A word rotated to the left by at most its bits.
    fn rotated(&self, word: u32, by: u32) -> u32 {
        let word = u64::from(word);
        (word << by | word >> (self.bits - by)) as u32 & self.mask
    }
}
