//! The Schur form of complex matrices: `A = Q T Q^H` with upper triangular `T`, by shifted QR steps.

use num_complex::Complex;
use oplink::prelude::*;

use crate::dense::identity;

type Number = Complex<f64>;

/// Steps for each eigenvalue, after which a matrix is given up.
const STEPS: usize = 60;

/// The unitary and the triangular factor; `None` where the iteration does not end, as for NaN.
pub(crate) fn schur(env: Env<'_>, matrix: &[Number], size: usize) -> Result<Option<[Vec<Number>; 2]>> {
    let (mut t, mut q) = (matrix.to_vec(), identity::<Number>(size)?);
    for column in 0..size.saturating_sub(2) {
        env.poll();
        for row in (column + 2..size).rev() {
            let rotation = Rotation::new(t[(row - 1) * size + column], t[row * size + column]);
            rotation.apply(&mut t, &mut q, size, row - 1);
        }
    }
    let mut end = size;
    let mut left = STEPS * size;
    while end > 1 {
        let start = block_start(&mut t, size, end);
        if start + 1 == end {
            end -= 1;
            continue;
        }
        if left == 0 {
            return Ok(None);
        }
        left -= 1;
        env.poll();
        let shift = if left % 11 == 10 { t[(end - 1) * size + end - 2] * 1.5 } else { shift(&t, size, end) };
        step(&mut t, &mut q, size, start..end, shift);
    }
    for row in 0..size {
        t[row * size..][..row].fill(Number::default());
    }
    Ok(t.iter().all(|value| value.is_finite()).then_some([q, t]))
}

/// Where the block that ends at `end` starts; what is nearly zero below the diagonal becomes zero.
fn block_start(t: &mut [Number], size: usize, end: usize) -> usize {
    for row in (1..end).rev() {
        let scale = t[row * size + row].l1_norm() + t[(row - 1) * size + row - 1].l1_norm();
        let below = &mut t[row * size + row - 1];
        if below.l1_norm() <= f64::EPSILON * scale.max(f64::MIN_POSITIVE) {
            *below = Number::default();
            return row;
        }
    }
    0
}

/// The eigenvalue of the last two rows that is nearer to their last element.
fn shift(t: &[Number], size: usize, end: usize) -> Number {
    let at = |row: usize, column: usize| t[(end - 2 + row) * size + end - 2 + column];
    let half = (at(0, 0) - at(1, 1)) * 0.5;
    let root = (half * half + at(0, 1) * at(1, 0)).sqrt();
    let sum = if (half + root).norm() > (half - root).norm() { half + root } else { half - root };
    if sum.norm() == 0.0 { at(1, 1) } else { at(1, 1) - at(0, 1) * at(1, 0) / sum }
}

/// One step on a block: a rotation made of the shifted first column, and those that chase what it adds.
fn step(t: &mut [Number], q: &mut [Number], size: usize, block: std::ops::Range<usize>, shift: Number) {
    let first = block.start;
    let mut pair = [t[first * size + first] - shift, t[(first + 1) * size + first]];
    for row in first..block.end - 1 {
        Rotation::new(pair[0], pair[1]).apply(t, q, size, row);
        if row + 2 < block.end {
            pair = [t[(row + 1) * size + row], t[(row + 2) * size + row]];
        }
    }
}

/// A rotation of two neighbouring rows that makes the second of two numbers zero.
struct Rotation {
    cosine: f64,
    sine: Number,
}

impl Rotation {
    fn new(a: Number, b: Number) -> Self {
        let length = a.norm().hypot(b.norm());
        if length == 0.0 || b.norm() == 0.0 {
            return Self { cosine: 1.0, sine: Number::default() };
        }
        let phase = if a.norm() == 0.0 { Number::new(1.0, 0.0) } else { a / a.norm() };
        Self { cosine: a.norm() / length, sine: phase * b.conj() / length }
    }

    /// Rotates rows `row` and `row + 1` of `t`, then its columns and those of `q`.
    fn apply(&self, t: &mut [Number], q: &mut [Number], size: usize, row: usize) {
        for column in 0..size {
            let (x, y) = (t[row * size + column], t[(row + 1) * size + column]);
            t[row * size + column] = x * self.cosine + y * self.sine;
            t[(row + 1) * size + column] = y * self.cosine - x * self.sine.conj();
        }
        for matrix in [t, q] {
            for values in matrix.chunks_exact_mut(size) {
                let (x, y) = (values[row], values[row + 1]);
                values[row] = x * self.cosine + y * self.sine.conj();
                values[row + 1] = y * self.cosine - x * self.sine;
            }
        }
    }
}
