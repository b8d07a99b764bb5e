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
    let first = block_index().x * block_dim().x + thread_index().x;
    for index in (first..count as usize).step_by(grid_dim().x * block_dim().x) {
        let mut rest = index as u32;
        let mut source_at = from;
        let mut out_at = to;
        let mut looked_up = 0u32;
        let place = rest % c0;
        rest /= c0;
        source_at += place * f0;
        out_at += place * t0;
        if b0 > 0 {
            looked_up += table[(b0 - 1 + place) as usize] as u32;
        }
        if rank > 1 {
            let place = rest % c1;
            rest /= c1;
            source_at += place * f1;
            out_at += place * t1;
            if b1 > 0 {
                looked_up += table[(b1 - 1 + place) as usize] as u32;
            }
        }
        if rank > 2 {
            let place = rest % c2;
            rest /= c2;
            source_at += place * f2;
            out_at += place * t2;
            if b2 > 0 {
                looked_up += table[(b2 - 1 + place) as usize] as u32;
            }
        }
        if rank > 3 {
            let place = rest % c3;
            rest /= c3;
            source_at += place * f3;
            out_at += place * t3;
            if b3 > 0 {
                looked_up += table[(b3 - 1 + place) as usize] as u32;
            }
        }
        if rank > 4 {
            let place = rest % c4;
            rest /= c4;
            source_at += place * f4;
            out_at += place * t4;
            if b4 > 0 {
                looked_up += table[(b4 - 1 + place) as usize] as u32;
            }
        }
        if rank > 5 {
            let place = rest % c5;
            rest /= c5;
            source_at += place * f5;
            out_at += place * t5;
            if b5 > 0 {
                looked_up += table[(b5 - 1 + place) as usize] as u32;
            }
        }
        if rank > 6 {
            let place = rest % c6;
            rest /= c6;
            source_at += place * f6;
            out_at += place * t6;
            if b6 > 0 {
                looked_up += table[(b6 - 1 + place) as usize] as u32;
            }
        }
        if rank > 7 {
            let place = rest % c7;
            source_at += place * f7;
            out_at += place * t7;
            if b7 > 0 {
                looked_up += table[(b7 - 1 + place) as usize] as u32;
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
            let place = rest / t0;
            rest -= place * t0;
            at += place * f0;
            inside = inside && place < c0;
            if b0 > 0 && inside {
                at += table[(b0 - 1 + place) as usize] as u32;
            }
            if rank > 1 {
                let place = rest / t1;
                rest -= place * t1;
                at += place * f1;
                inside = inside && place < c1;
                if b1 > 0 && inside {
                    at += table[(b1 - 1 + place) as usize] as u32;
                }
            }
            if rank > 2 {
                let place = rest / t2;
                rest -= place * t2;
                at += place * f2;
                inside = inside && place < c2;
                if b2 > 0 && inside {
                    at += table[(b2 - 1 + place) as usize] as u32;
                }
            }
            if rank > 3 {
                let place = rest / t3;
                rest -= place * t3;
                at += place * f3;
                inside = inside && place < c3;
                if b3 > 0 && inside {
                    at += table[(b3 - 1 + place) as usize] as u32;
                }
            }
            if rank > 4 {
                let place = rest / t4;
                rest -= place * t4;
                at += place * f4;
                inside = inside && place < c4;
                if b4 > 0 && inside {
                    at += table[(b4 - 1 + place) as usize] as u32;
                }
            }
            if rank > 5 {
                let place = rest / t5;
                rest -= place * t5;
                at += place * f5;
                inside = inside && place < c5;
                if b5 > 0 && inside {
                    at += table[(b5 - 1 + place) as usize] as u32;
                }
            }
            if rank > 6 {
                let place = rest / t6;
                rest -= place * t6;
                at += place * f6;
                inside = inside && place < c6;
                if b6 > 0 && inside {
                    at += table[(b6 - 1 + place) as usize] as u32;
                }
            }
            if rank > 7 {
                let place = rest / t7;
                rest -= place * t7;
                at += place * f7;
                inside = inside && place < c7;
                if b7 > 0 && inside {
                    at += table[(b7 - 1 + place) as usize] as u32;
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
