//! Philox 4x32-10 in a program: blocks of four numbers by their positions.

use oplink::gpu::mul_hi;
use oplink::prelude::*;
use oplink_ops::philox::{Philox, words};

/// A position as a program takes it: words of the key and of the counter, the lowest first.
#[device_struct]
#[derive(Clone, Copy, Debug)]
pub(super) struct Position {
    pub(super) key: [u32; 2],
    pub(super) counter: [u32; 4],
}

/// A position for a program.
pub(super) fn position(start: Philox) -> Position {
    let key = start.key();
    Position { key: [key as u32, (key >> 32) as u32], counter: words(start.counter()) }
}

/// The block that lies `low` and `high` times 2^32 blocks after the position `start`.
#[device_fn]
pub(super) fn draw(start: Position, low: u32, high: u32) -> [u32; 4] {
    let mut a = start.counter[0].wrapping_add(low);
    let mut carry = u32::from(a < low);
    let sum = start.counter[1].wrapping_add(high);
    let mut b = sum.wrapping_add(carry);
    carry = u32::from(sum < high || b < carry);
    let mut c = start.counter[2].wrapping_add(carry);
    let mut d = start.counter[3].wrapping_add(u32::from(c < carry));
    let [mut key0, mut key1] = start.key;
    for _ in 0..10_u32 {
        let first = a;
        let second = c;
        a = mul_hi(second, 0xCD9E_8D57) ^ b ^ key0;
        b = second.wrapping_mul(0xCD9E_8D57);
        c = mul_hi(first, 0xD251_1F53) ^ d ^ key1;
        d = first.wrapping_mul(0xD251_1F53);
        key0 = key0.wrapping_add(0x9E37_79B9);
        key1 = key1.wrapping_add(0xBB67_AE85);
    }
    [a, b, c, d]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_those_of_the_cpu() {
        for counter in [0, u128::from(u32::MAX) - 5, u128::from(u64::MAX) - 20, u128::MAX - 3] {
            let start = Philox::new(0x1234_5678_9ABC_DEF0, counter);
            for (low, high) in [(0, 0), (21, 0), (u32::MAX, 0), (7, 3), (u32::MAX, u32::MAX)] {
                let block = draw(position(start), low, high);
                let blocks = u64::from(low) | u64::from(high) << 32;
                assert_eq!(block, start.skipped(blocks).block(), "{counter} + {blocks}");
            }
        }
    }
}
