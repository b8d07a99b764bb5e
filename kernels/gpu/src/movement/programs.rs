//! The programs that move words, and what is shorter than a word.

use oplink::gpu::grid_stride;
use oplink::prelude::*;
use oplink::program;

/// One axis of a move: its positions, how far apart they are in the source and in the output, and one more than where
/// its part of the table starts, or 0. Distances that go back wrap.
#[device_struct]
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveAxis {
    pub(super) count: u32,
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) table: u32,
}

/// The axes of a move, of which `rank` count.
#[device_struct]
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveAxes {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) rank: u32,
    pub(super) axes: [MoveAxis; 8],
}

/// Moves `count` words along axes, innermost first. What each position adds to the side that `scatters` names stands in
/// `table`, for axes that have a part of it.
#[program(block = 256)]
pub(super) fn move_words(source: &[u32], table: &[i32], out: &mut [u32], along: MoveAxes, scatters: bool, count: u32) {
    for index in grid_stride(count) {
        let mut rest = index;
        let (mut source_at, mut out_at) = (along.from, along.to);
        let mut looked_up = 0u32;
        for number in 0..8_u32 {
            if number < along.rank {
                let axis = along.axes[number as usize];
                let place = rest % axis.count;
                rest /= axis.count;
                source_at += place * axis.from;
                out_at += place * axis.to;
                if axis.table > 0 {
                    looked_up += table[(axis.table - 1 + place) as usize] as u32;
                }
            }
        }
        if scatters {
            out_at += looked_up;
        } else {
            source_at += looked_up;
        }
        out[out_at as usize] = source[source_at as usize];
    }
}

/// Moves elements of which a word holds `per_word` to `words` words of the output from `first_word` on, along axes,
/// those of the widest steps in `out` first; the table is about the source. Each thread puts a word together; elements
/// that are not moved stay.
#[program(block = 256)]
pub(super) fn move_parts(
    source: &[u32],
    table: &[i32],
    out: &mut [u32],
    along: MoveAxes,
    first_word: u32,
    words: u32,
    per_word: u32,
) {
    let bits = 32 / per_word;
    let mask = (1u32 << bits) - 1;
    for index in grid_stride(words) {
        let word = first_word + index;
        let mut value = out[word as usize];
        for part in 0..per_word {
            let mut rest = word * per_word + part - along.to;
            let mut at = along.from;
            let mut inside = true;
            for number in 0..8_u32 {
                if number < along.rank {
                    let axis = along.axes[number as usize];
                    let place = rest / axis.to;
                    rest -= place * axis.to;
                    at += place * axis.from;
                    inside = inside && place < axis.count;
                    if axis.table > 0 && inside {
                        at += table[(axis.table - 1 + place) as usize] as u32;
                    }
                }
            }
            if inside && rest == 0 {
                let moved = (source[(at / per_word) as usize] >> (at % per_word * bits)) & mask;
                value = (value & !(mask << (part * bits))) | (moved << (part * bits));
            }
        }
        out[word as usize] = value;
    }
}

/// Writes four words again and again.
#[program(block = 256)]
pub(super) fn fill_words(out: &mut [u32], pattern: [u32; 4], count: u32) {
    for index in grid_stride(count as usize) {
        out[index] = pattern[index % 4];
    }
}

/// Writes the one element of `value` everywhere: its `width` words, or the bits of `mask` `spread` over a word.
#[program(block = 256)]
pub(super) fn fill_from(value: &[u32], out: &mut [u32], count: u32, width: u32, mask: u32, spread: u32) {
    for index in grid_stride(count as usize) {
        out[index] = (value[index % width as usize] & mask) * spread;
    }
}
