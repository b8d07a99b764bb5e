//! Pictures drawn as `tests/tools/make_digits.py` draws them: glyphs of 5 by 7 dots, turned, sheared, scaled, moved,
//! and with noise. The numbers are drawn from another generator.

use oplink::prelude::*;

use crate::data::{Digits, PIXELS, Random};

/// The rows of each digit's glyph, a bit a dot.
const GLYPHS: [[u8; 7]; 10] = [
    [0x0e, 0x11, 0x13, 0x15, 0x19, 0x11, 0x0e],
    [0x04, 0x0c, 0x04, 0x04, 0x04, 0x04, 0x0e],
    [0x0e, 0x11, 0x01, 0x02, 0x04, 0x08, 0x1f],
    [0x1f, 0x02, 0x04, 0x02, 0x01, 0x11, 0x0e],
    [0x02, 0x06, 0x0a, 0x12, 0x1f, 0x02, 0x02],
    [0x1f, 0x10, 0x1e, 0x01, 0x01, 0x11, 0x0e],
    [0x06, 0x08, 0x10, 0x1e, 0x11, 0x11, 0x0e],
    [0x1f, 0x01, 0x02, 0x04, 0x08, 0x08, 0x08],
    [0x0e, 0x11, 0x11, 0x0e, 0x11, 0x11, 0x0e],
    [0x0e, 0x11, 0x11, 0x0f, 0x01, 0x02, 0x0c],
];

/// So many pictures, which follow from the seed.
pub(crate) fn draw(count: usize, seed: u64) -> Result<Digits> {
    let mut random = Random::new(seed);
    let labels: Vec<u8> = (0..count).map(|_| (random.next() % 10) as u8).collect();
    let mut images = Vec::with_capacity(count * PIXELS);
    for &label in &labels {
        draw_one(&GLYPHS[usize::from(label)], &mut random, &mut images);
    }
    Digits::new(images, labels)
}

fn draw_one(glyph: &[u8; 7], random: &mut Random, image: &mut Vec<u8>) {
    let (angle, shear, scale) = (random.within(-0.35, 0.35), random.within(-0.25, 0.25), random.within(2.2, 3.4));
    let [a, b, c, d] = [angle.cos(), shear - angle.sin(), angle.sin(), angle.cos()].map(|x| x * scale);
    let determinant = a * d - b * c;
    let (center_x, center_y) = (13.5 + random.within(-3.0, 3.0), 13.5 + random.within(-3.0, 3.0));
    let (stroke, brightness) = (random.within(1.2, 2.0), random.within(170.0, 255.0));
    for pixel in 0..PIXELS {
        let (x, y) = ((pixel % 28) as f32 - center_x, (pixel / 28) as f32 - center_y);
        let (column, row) = ((d * x - b * y) / determinant + 2.0, (a * y - c * x) / determinant + 3.0);
        let ink = (covered(glyph, column, row) * stroke).min(1.0) * brightness + 14.0 * random.normal();
        image.push(ink.clamp(0.0, 255.0) as u8);
    }
}

/// How much of a point is covered: bilinear between the dots.
fn covered(glyph: &[u8; 7], column: f32, row: f32) -> f32 {
    let (left, top) = (column.floor(), row.floor());
    let dot = |i: f32, j: f32| {
        let inside = (0.0..7.0).contains(&i) && (0.0..5.0).contains(&j);
        let is_set = inside && (glyph[i as usize] >> (4 - j as usize)) & 1 == 1;
        if is_set { (1.0 - (column - j).abs()) * (1.0 - (row - i).abs()) } else { 0.0 }
    };
    dot(top, left) + dot(top, left + 1.0) + dot(top + 1.0, left) + dot(top + 1.0, left + 1.0)
}
