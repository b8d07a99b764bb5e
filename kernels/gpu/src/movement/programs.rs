//! The programs that move words, and what is shorter than a word.
#![allow(clippy::too_many_arguments, reason = "a program takes each axis by its own values")]

use oplink::gpu::{block_dim, block_index, grid_dim, thread_index};
use oplink::program;

/// Moves `count` words along up to 8 axes, innermost first. Axis `i` has `c` positions, `f` words apart in `source` and `t` in
/// `out`; where `b` is not 0, what each position adds to the side that `scatters` names stands in `table` from `b - 1` on.
/// Negative distances wrap.
#[program(block = 256)]
pub(super) fn move_words(
    source: &[u32],
    table: &[i32],
    out: &mut [u32],
    count: u32,
    from: u32,
    to: u32,
    scatters: bool,
    rank: u32,
    c0: u32,
    f0: u32,
    t0: u32,
    b0: u32,
    c1: u32,
    f1: u32,
    t1: u32,
    b1: u32,
    c2: u32,
    f2: u32,
    t2: u32,
    b2: u32,
    c3: u32,
    f3: u32,
    t3: u32,
    b3: u32,
    c4: u32,
    f4: u32,
    t4: u32,
    b4: u32,
    c5: u32,
    f5: u32,
    t5: u32,
    b5: u32,
    c6: u32,
    f6: u32,
    t6: u32,
    b6: u32,
    c7: u32,
    f7: u32,
    t7: u32,
    b7: u32,
) {
    let counts = [c0, c1, c2, c3, c4, c5, c6, c7];
    let from_steps = [f0, f1, f2, f3, f4, f5, f6, f7];
    let to_steps = [t0, t1, t2, t3, t4, t5, t6, t7];
    let tables = [b0, b1, b2, b3, b4, b5, b6, b7];
    let first = block_index().x * block_dim().x + thread_index().x;
    for index in (first..count as usize).step_by(grid_dim().x * block_dim().x) {
        let mut rest = index as u32;
        let mut source_at = from;
        let mut out_at = to;
        let mut looked_up = 0u32;
        for axis in 0..8 {
            if axis < rank {
                let place = rest % counts[axis as usize];
                rest /= counts[axis as usize];
                source_at += place * from_steps[axis as usize];
                out_at += place * to_steps[axis as usize];
                if tables[axis as usize] > 0 {
                    looked_up += table[(tables[axis as usize] - 1 + place) as usize] as u32;
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

/// Moves elements of which a word holds `per_word`, along up to 8 axes, those of the widest steps in `out` first; otherwise as
/// [`move_words`], the table being about the source. Each thread puts a word together; elements that are not moved stay.
#[program(block = 256)]
pub(super) fn move_parts(
    source: &[u32],
    table: &[i32],
    out: &mut [u32],
    first_word: u32,
    words: u32,
    per_word: u32,
    from: u32,
    to: u32,
    rank: u32,
    c0: u32,
    f0: u32,
    t0: u32,
    b0: u32,
    c1: u32,
    f1: u32,
    t1: u32,
    b1: u32,
    c2: u32,
    f2: u32,
    t2: u32,
    b2: u32,
    c3: u32,
    f3: u32,
    t3: u32,
    b3: u32,
    c4: u32,
    f4: u32,
    t4: u32,
    b4: u32,
    c5: u32,
    f5: u32,
    t5: u32,
    b5: u32,
    c6: u32,
    f6: u32,
    t6: u32,
    b6: u32,
    c7: u32,
    f7: u32,
    t7: u32,
    b7: u32,
) {
    let counts = [c0, c1, c2, c3, c4, c5, c6, c7];
    let from_steps = [f0, f1, f2, f3, f4, f5, f6, f7];
    let to_steps = [t0, t1, t2, t3, t4, t5, t6, t7];
    let tables = [b0, b1, b2, b3, b4, b5, b6, b7];
    let bits = 32 / per_word;
    let mask = (1u32 << bits) - 1;
    let first = block_index().x * block_dim().x + thread_index().x;
    for index in (first..words as usize).step_by(grid_dim().x * block_dim().x) {
        let word = first_word + index as u32;
        let mut value = out[word as usize];
        for part in 0..per_word {
            let mut rest = word * per_word + part - to;
            let mut at = from;
            let mut inside = true;
            for axis in 0..8 {
                if axis < rank {
                    let place = rest / to_steps[axis as usize];
                    rest -= place * to_steps[axis as usize];
                    at += place * from_steps[axis as usize];
                    inside = inside && place < counts[axis as usize];
                    if tables[axis as usize] > 0 && inside {
                        at += table[(tables[axis as usize] - 1 + place) as usize] as u32;
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
pub(super) fn fill_words(out: &mut [u32], count: u32, w0: u32, w1: u32, w2: u32, w3: u32) {
    let first = block_index().x * block_dim().x + thread_index().x;
    for index in (first..count as usize).step_by(grid_dim().x * block_dim().x) {
        let part = index % 4;
        let mut value = w0;
        if part == 1 {
            value = w1;
        }
        if part == 2 {
            value = w2;
        }
        if part == 3 {
            value = w3;
        }
        out[index] = value;
    }
}

/// Writes the one element of `value` everywhere: its `width` words, or the bits of `mask` `spread` over a word.
#[program(block = 256)]
pub(super) fn fill_from(value: &[u32], out: &mut [u32], count: u32, width: u32, mask: u32, spread: u32) {
    let first = block_index().x * block_dim().x + thread_index().x;
    for index in (first..count as usize).step_by(grid_dim().x * block_dim().x) {
        out[index] = (value[index % width as usize] & mask) * spread;
    }
}
