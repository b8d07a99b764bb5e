//! Animated WebP: every frame over what the ones before it left, in the integers of libwebp.

use std::io::Cursor;

use image_webp::WebPDecoder;
use oplink::memory::{try_filled, try_vec};
use oplink::prelude::*;

use super::invalid;

/// A frame, and how it goes with its neighbours.
struct Frame<'a> {
    left: usize,
    top: usize,
    columns: usize,
    rows: usize,
    /// Its rectangle becomes transparent before the next one.
    disposes: bool,
    /// What is transparent shows the frames below.
    blends: bool,
    /// The chunks of a still image.
    image: &'a [u8],
}

/// What a frame leaves for the next one to know.
#[derive(Clone, Copy)]
struct Previous {
    disposed: Option<[usize; 4]>,
    /// Nothing of the canvas is left of earlier frames once this one is disposed of.
    is_all: bool,
}

/// The chunks of a file after its header, or of a frame: names and contents.
fn chunks(mut bytes: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    std::iter::from_fn(move || {
        let (header, rest) = bytes.split_at_checked(8)?;
        let size = u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize;
        let contents = rest.get(..size)?;
        bytes = rest.get(size.checked_add(size % 2)?..).unwrap_or_default();
        Some((&header[..4], contents))
    })
}

/// Decodes as many frames as `out` holds, each `rows` rows of `columns` pixels of four channels.
pub(super) fn decode(bytes: &[u8], rows: usize, columns: usize, out: &mut [u8]) -> Result<()> {
    let mut canvas = try_filled(0u8, rows * columns * 4)?;
    let mut previous: Option<Previous> = None;
    let mut frames = chunks(bytes.get(12..).unwrap_or_default()).filter(|(name, _)| *name == b"ANMF");
    for out in out.chunks_exact_mut(canvas.len()) {
        let Some((_, chunk)) = frames.next() else { return Err(invalid("frames are missing")) };
        let frame = Frame::read(chunk)?;
        let fits = frame.left + frame.columns <= columns && frame.top + frame.rows <= rows;
        ensure!(fits, "the WebP is not valid: a frame lies outside of the image");
        let (pixels, has_alpha) = frame.pixels()?;
        let is_whole = frame.rows == rows && frame.columns == columns;
        let replaces = (!has_alpha || !frame.blends) && is_whole;
        let is_first = replaces || previous.is_none_or(|previous| previous.disposed.is_some() && previous.is_all);
        if is_first {
            canvas.fill(0);
        }
        let below = if is_first || !frame.blends { None } else { previous };
        frame.draw(&pixels, &mut canvas, columns, below);
        out.copy_from_slice(&canvas);
        if frame.disposes {
            frame.lines(columns).for_each(|line| canvas[line].fill(0));
        }
        let rectangle = [frame.top, frame.left, frame.rows, frame.columns];
        previous = Some(Previous { disposed: frame.disposes.then_some(rectangle), is_all: is_whole || is_first });
    }
    Ok(())
}

impl<'a> Frame<'a> {
    fn read(chunk: &'a [u8]) -> Result<Self> {
        let Some((header, image)) = chunk.split_at_checked(16) else { return Err(invalid("a frame is cut")) };
        let number = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], 0]) as usize;
        let (disposes, blends) = (header[15] & 1 != 0, header[15] & 2 == 0);
        let (columns, rows) = (number(6) + 1, number(9) + 1);
        Ok(Self { left: 2 * number(0), top: 2 * number(3), columns, rows, disposes, blends, image })
    }

    /// The bytes of the frame's rows in a canvas.
    fn lines(&self, columns: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
        let (top, rows, left, width) = (self.top, self.rows, self.left, self.columns);
        (top..top + rows).map(move |row| (row * columns + left) * 4..(row * columns + left + width) * 4)
    }

    /// The frame's own pixels with four channels, and whether they have transparency: it is decoded as a file of its
    /// own.
    fn pixels(&self) -> Result<(Vec<u8>, bool)> {
        let extents = [self.columns - 1, self.rows - 1].map(|extent| (extent as u32).to_le_bytes());
        let mut file = try_vec(self.image.len() + 30)?;
        file.extend_from_slice(b"RIFF\0\0\0\0WEBP");
        if chunks(self.image).any(|(name, _)| name == b"ALPH") {
            file.extend_from_slice(b"VP8X\x0A\0\0\0\x10\0\0\0");
            extents.iter().for_each(|extent| file.extend_from_slice(&extent[..3]));
        }
        file.extend_from_slice(self.image);
        let size = (file.len() - 8) as u32;
        file[4..8].copy_from_slice(&size.to_le_bytes());
        let mut decoder = WebPDecoder::new(Cursor::new(file)).map_err(invalid)?;
        let is_as_said = decoder.dimensions() == (self.columns as u32, self.rows as u32) && !decoder.is_animated();
        ensure!(is_as_said, "the WebP is not valid: a frame's image has other extents than the frame");
        let count = self.rows * self.columns;
        let mut pixels = try_filled(255u8, count * 4)?;
        if decoder.has_alpha() {
            decoder.read_image(&mut pixels).map_err(invalid)?;
            return Ok((pixels, true));
        }
        let mut colors = try_filled(0u8, count * 3)?;
        decoder.read_image(&mut colors).map_err(invalid)?;
        pixels.chunks_exact_mut(4).zip(colors.chunks_exact(3)).for_each(|(to, color)| to[..3].copy_from_slice(color));
        Ok((pixels, false))
    }

    /// Draws the frame, blended with what is below where that counts: not where the previous frame was disposed of.
    fn draw(&self, pixels: &[u8], canvas: &mut [u8], columns: usize, below: Option<Previous>) {
        for (at, line) in self.lines(columns).enumerate() {
            let row = self.top + at;
            let from = pixels[at * self.columns * 4..].chunks_exact(4);
            for (column, (to, from)) in (self.left..).zip(canvas[line].chunks_exact_mut(4).zip(from)) {
                let is_empty = |[top, left, rows, columns]: [usize; 4]| {
                    (top..top + rows).contains(&row) && (left..left + columns).contains(&column)
                };
                match below {
                    Some(previous) if !previous.disposed.is_some_and(is_empty) => blend(from, to),
                    _ => to.copy_from_slice(from),
                }
            }
        }
    }
}

/// Blends a pixel over another; colours are not multiplied by their alpha.
fn blend(from: &[u8], to: &mut [u8]) {
    let [from_alpha, to_alpha] = [from[3], to[3]].map(u32::from);
    if from_alpha == 0 {
        return;
    }
    let share = (to_alpha * (256 - from_alpha)) >> 8;
    let alpha = from_alpha + share;
    let scale = (1 << 24) / alpha;
    for (to, &from) in to[..3].iter_mut().zip(from) {
        let sum = u32::from(from) * from_alpha + u32::from(*to) * share;
        *to = ((sum * scale) >> 24) as u8;
    }
    to[3] = alpha as u8;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_blend_in_integers() {
        let mut below = [255, 200, 100, 255];
        blend(&[10, 20, 30, 0], &mut below);
        assert_eq!(below, [255, 200, 100, 255]);
        blend(&[10, 20, 30, 128], &mut below);
        assert_eq!(below, [132, 109, 64, 255]);
        let mut clear = [7, 7, 7, 0];
        blend(&[255, 2, 3, 3], &mut clear);
        assert_eq!(clear, [254, 1, 2, 3]);
    }
}
