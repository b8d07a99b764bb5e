//! The Fourier transform of real numbers of 16 bits, in such numbers.
//!
//! All numbers are fractions of 2^15. Each step halves, or divides by 4, before it adds, so that the transform of `n`
//! numbers is divided by `n`; products are rounded. It is that of KISS FFT with numbers of 16 bits, bit for bit.

use oplink::memory::{try_collect, try_filled};
use oplink::prelude::*;

/// The largest number.
const MOST: i32 = i16::MAX as i32;

/// A complex number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Fixed {
    pub(super) re: i16,
    pub(super) im: i16,
}

/// A product, rounded to 15 bits behind the point.
fn rounded(product: i32) -> i16 {
    (product.wrapping_add(1 << 14) >> 15) as i16
}

impl Fixed {
    /// The number on the unit circle at an angle.
    fn at(angle: f64) -> Self {
        let fraction = |value: f64| (0.5 + f64::from(MOST) * value).floor() as i16;
        Self { re: fraction(angle.cos()), im: fraction(angle.sin()) }
    }

    fn divided(self, by: i32) -> Self {
        let part = |value: i16| rounded(i32::from(value) * (MOST / by));
        Self { re: part(self.re), im: part(self.im) }
    }

    fn plus(self, other: Self) -> Self {
        Self { re: self.re.wrapping_add(other.re), im: self.im.wrapping_add(other.im) }
    }

    fn minus(self, other: Self) -> Self {
        Self { re: self.re.wrapping_sub(other.re), im: self.im.wrapping_sub(other.im) }
    }

    fn times(self, other: Self) -> Self {
        let [re, im, c, d] = [self.re, self.im, other.re, other.im].map(i32::from);
        let (real, imaginary) = ((re * c).wrapping_sub(im * d), (re * d).wrapping_add(im * c));
        Self { re: rounded(real), im: rounded(imaginary) }
    }
}

/// A transform of numbers whose count is a power of 2, at least 2.
pub(super) struct Transform {
    /// The roots of unity of half as many complex numbers.
    roots: Vec<Fixed>,
    /// What the halves of the transform are put together by.
    joins: Vec<Fixed>,
    /// The transform of pairs taken for complex numbers.
    pairs: Vec<Fixed>,
}

impl Transform {
    pub(super) fn new(count: usize) -> Result<Self> {
        use std::f64::consts::PI;
        let half = count / 2;
        let root = |at: usize| Fixed::at(-2.0 * PI * at as f64 / half as f64);
        let join = |at: usize| Fixed::at(-PI * ((at + 1) as f64 / half as f64 + 0.5));
        Ok(Self {
            roots: try_collect((0..half).map(root))?,
            joins: try_collect((0..half / 2).map(join))?,
            pairs: try_filled(Fixed::default(), half)?,
        })
    }

    /// The transform of `input`: one more number than half as many.
    pub(super) fn run(&mut self, input: &[i16], out: &mut [Fixed]) {
        let Self { roots, joins, pairs } = self;
        let half = pairs.len();
        let pair = |at: usize| Fixed { re: input[2 * at], im: input[2 * at + 1] };
        step(pairs, &pair, (0, 1), roots);
        let first = pairs[0].divided(2);
        out[0] = Fixed { re: first.re.wrapping_add(first.im), im: 0 };
        out[half] = Fixed { re: first.re.wrapping_sub(first.im), im: 0 };
        for at in 1..=half / 2 {
            let other = pairs[half - at];
            let other = Fixed { re: other.re, im: other.im.wrapping_neg() };
            let (front, back) = (pairs[at].divided(2), other.divided(2));
            let (sum, turned) = (front.plus(back), front.minus(back).times(joins[at - 1]));
            let [a, b, c, d] = [sum.re, sum.im, turned.re, turned.im].map(i32::from);
            let halved = |value: i32| (value >> 1) as i16;
            out[at] = Fixed { re: halved(a + c), im: halved(b + d) };
            out[half - at] = Fixed { re: halved(a - c), im: halved(d - b) };
        }
    }
}

/// Transforms the inputs at `first`, `first + stride` and so on, as many as `out` has, whose count is a power of 2.
fn step(out: &mut [Fixed], input: &impl Fn(usize) -> Fixed, (first, stride): (usize, usize), roots: &[Fixed]) {
    let count = out.len();
    let radix = if count.is_multiple_of(4) { 4 } else { count.min(2) };
    let part = count / radix;
    if part == 1 {
        for (at, out) in out.iter_mut().enumerate() {
            *out = input(first + at * stride);
        }
    } else {
        for (at, out) in out.chunks_exact_mut(part).enumerate() {
            step(out, input, (first + at * stride, stride * radix), roots);
        }
    }
    match radix {
        4 => join_four(out, part, stride, roots),
        2 => join_two(out, part, stride, roots),
        _ => out[0] = out[0].divided(1),
    }
}

fn join_two(out: &mut [Fixed], part: usize, stride: usize, roots: &[Fixed]) {
    for at in 0..part {
        let (a, b) = (out[at].divided(2), out[at + part].divided(2));
        let turned = b.times(roots[at * stride]);
        (out[at], out[at + part]) = (a.plus(turned), a.minus(turned));
    }
}

fn join_four(out: &mut [Fixed], part: usize, stride: usize, roots: &[Fixed]) {
    for at in 0..part {
        let given = |number: usize| out[at + number * part].divided(4);
        let turned = |number: usize| given(number).times(roots[number * at * stride]);
        let (first, [second, third, fourth]) = (given(0), [1, 2, 3].map(turned));
        let (sum, difference) = (first.plus(third), first.minus(third));
        let (odd_sum, odd) = (second.plus(fourth), second.minus(fourth));
        out[at] = sum.plus(odd_sum);
        out[at + 2 * part] = sum.minus(odd_sum);
        let quarter = Fixed { re: odd.im, im: odd.re.wrapping_neg() };
        out[at + part] = difference.plus(quarter);
        out[at + 3 * part] = difference.minus(quarter);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transforms_are_near_those_of_real_numbers() {
        for count in [2usize, 4, 8, 16, 64, 128] {
            let input: Vec<i16> = (0..count).map(|at| ((at * at * 7919) % 60_000) as i16).collect();
            let mut out = vec![Fixed::default(); count / 2 + 1];
            Transform::new(count).unwrap().run(&input, &mut out);
            for (bin, out) in out.iter().enumerate() {
                let (mut re, mut im) = (0.0, 0.0);
                for (at, &value) in input.iter().enumerate() {
                    let angle = -2.0 * std::f64::consts::PI * (at * bin) as f64 / count as f64;
                    re += f64::from(value) * angle.cos() / count as f64;
                    im += f64::from(value) * angle.sin() / count as f64;
                }
                let far = (f64::from(out.re) - re).abs().max((f64::from(out.im) - im).abs());
                assert!(far < 8.0, "{count} {bin} {out:?} {re} {im}");
            }
        }
    }
}
