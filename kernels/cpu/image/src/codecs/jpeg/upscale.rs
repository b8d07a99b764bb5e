//! Components of half the size made as large as the image, as libjpeg does.

use oplink::memory::{try_filled, try_vec};
use oplink::prelude::*;

/// A component's pixels: of its lines, which are `stride` apart, the first `rows`, and of those `columns` from `first`
/// on.
pub(super) struct Plane {
    pub(super) pixels: Vec<u8>,
    pub(super) stride: usize,
    pub(super) first: usize,
    pub(super) rows: usize,
    pub(super) columns: usize,
}

impl Plane {
    fn line(&self, row: usize) -> &[u8] {
        &self.pixels[row.min(self.rows - 1) * self.stride + self.first..][..self.columns]
    }

    /// The pixels of an image of these extents, which is `factors` times as large: with `is_fancy` each between its
    /// neighbours, where that is twice as large, else the nearest.
    pub(super) fn upscaled(&self, [rows, columns]: [usize; 2], factors: [usize; 2], is_fancy: bool) -> Result<Vec<u8>> {
        let mut out = try_vec(rows * columns)?;
        let mut line = try_filled(0u8, self.columns * factors[1])?;
        let mut sums = try_filled(0u16, self.columns)?;
        for row in 0..rows {
            let (nearest, is_below) = (row / factors[0], row % factors[0] == 1);
            let next = if is_below { nearest + 1 } else { nearest.saturating_sub(1) };
            let near = self.line(nearest);
            match factors {
                [1, 2] if is_fancy => wider(near, &mut line),
                [2, 2] if is_fancy => {
                    let both = near.iter().zip(self.line(next));
                    sums.iter_mut().zip(both).for_each(|(sum, (&a, &b))| *sum = u16::from(a) * 3 + u16::from(b));
                    wider_sums(&sums, &mut line);
                }
                [2, 1] if is_fancy => {
                    let bias = 1 + u16::from(is_below);
                    let both = near.iter().zip(self.line(next));
                    let between = both.map(|(&a, &b)| ((u16::from(a) * 3 + u16::from(b) + bias) >> 2) as u8);
                    line.iter_mut().zip(between).for_each(|(to, value)| *to = value);
                }
                [_, factor] => line.chunks_exact_mut(factor).zip(near).for_each(|(to, &value)| to.fill(value)),
            }
            out.extend_from_slice(&line[..columns]);
        }
        Ok(out)
    }
}

/// A line twice as long: between a pixel and its neighbour, three quarters of the way.
fn wider(from: &[u8], to: &mut [u8]) {
    let last = from.len() - 1;
    let value = |at: usize| u16::from(from[at]);
    for (at, to) in to.chunks_exact_mut(2).enumerate() {
        let left = if at == 0 { value(0) } else { (value(at) * 3 + value(at - 1) + 1) >> 2 };
        let right = if at == last { value(last) } else { (value(at) * 3 + value(at + 1) + 2) >> 2 };
        to.copy_from_slice(&[left as u8, right as u8]);
    }
}

/// As [`wider`], of sums of two lines, four times as large.
fn wider_sums(from: &[u16], to: &mut [u8]) {
    let last = from.len() - 1;
    for (at, to) in to.chunks_exact_mut(2).enumerate() {
        let (own, before, behind) = (from[at], from[at.saturating_sub(1)], from[(at + 1).min(last)]);
        to.copy_from_slice(&[((own * 3 + before + 8) >> 4) as u8, ((own * 3 + behind + 7) >> 4) as u8]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_lie_between_their_neighbours() {
        let plane = Plane { pixels: vec![0, 100, 200, 9, 40, 80, 120, 9], stride: 4, first: 0, rows: 2, columns: 3 };
        let wide = plane.upscaled([2, 6], [1, 2], true).unwrap();
        assert_eq!(wide, [0, 25, 75, 125, 175, 200, 40, 50, 70, 90, 110, 120]);
        let large = plane.upscaled([4, 5], [2, 2], true).unwrap();
        assert_eq!(large[..10], [0, 25, 75, 125, 175, 10, 31, 74, 116, 159]);
        assert_eq!(plane.upscaled([1, 5], [2, 2], false).unwrap(), [0, 0, 100, 100, 200]);
    }
}
