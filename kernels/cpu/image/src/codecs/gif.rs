//! GIF: frames drawn on each other.

use std::io::Cursor;

use gif::{ColorOutput, DecodeOptions, Decoder, MemoryLimit};
use oplink::memory::{try_filled, try_reserve};
use oplink::prelude::*;

use super::{Decoded, Samples, check_pixels};

fn invalid(error: impl std::fmt::Display) -> Error {
    Error::invalid_argument(format!("the GIF is not valid: {error}"))
}

/// One frame as it stands in the file.
struct Frame {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
    transparent: Option<u8>,
    indices: Vec<u8>,
    palette: Vec<u8>,
}

/// Decodes all frames, or without `expands` the first one alone. The image is as large as the largest frame.
pub(super) fn decode(bytes: &[u8], channels: usize, expands: bool, env: Env<'_>) -> Result<Decoded> {
    ensure!(channels == 0 || channels == 3, "a GIF has 3 channels, {channels} are asked for");
    let frames = read(bytes, env)?;
    let extent = |of: fn(&Frame) -> usize| frames.iter().map(of).max().unwrap_or(0);
    let (rows, columns) = (extent(|frame| frame.height), extent(|frame| frame.width));
    ensure!(!frames.is_empty(), "the GIF has no frame");
    check_pixels(rows, columns)?;
    let count = if expands { frames.len() } else { 1 };
    check_pixels(rows.saturating_mul(columns), count)?;
    let size = rows * columns * 3;
    let mut out = try_filled(0u8, size * count)?;
    for (number, frame) in frames[..count].iter().enumerate() {
        env.poll();
        let (before, out) = out.split_at_mut(number * size);
        if number > 0 {
            out[..size].copy_from_slice(&before[(number - 1) * size..]);
        }
        draw(frame, number, [rows, columns], &mut out[..size])?;
    }
    let shape = if expands { vec![count, rows, columns, 3] } else { vec![rows, columns, 3] };
    Ok(Decoded { shape, samples: Samples::Bytes(out) })
}

fn read(bytes: &[u8], env: Env<'_>) -> Result<Vec<Frame>> {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::Indexed);
    // Memory is bounded by the check of each frame.
    options.set_memory_limit(MemoryLimit::Unlimited);
    let mut decoder: Decoder<_> = options.read_info(Cursor::new(bytes)).map_err(invalid)?;
    let shared = decoder.global_palette().map(<[u8]>::to_vec);
    let (mut frames, mut pixels) = (Vec::new(), 0);
    while let Some(frame) = decoder.next_frame_info().map_err(invalid)? {
        env.poll();
        let (width, height) = (usize::from(frame.width), usize::from(frame.height));
        let Some(palette) = frame.palette.clone().or_else(|| shared.clone()) else {
            bail!("frame {} of the GIF has no colour table", frames.len())
        };
        let (left, top, transparent) = (usize::from(frame.left), usize::from(frame.top), frame.transparent);
        pixels += width * height;
        check_pixels(pixels, 1)?;
        let mut indices = Vec::new();
        try_reserve(&mut indices, width * height)?;
        // bounded: reserved in the line before
        indices.resize(width * height, 0);
        decoder.read_into_buffer(&mut indices).map_err(invalid)?;
        frames.push(Frame { left, top, width, height, transparent, indices, palette });
    }
    Ok(frames)
}

/// Draws a frame over the one before it; what is transparent, or outside of the image, stays.
fn draw(frame: &Frame, number: usize, [rows, columns]: [usize; 2], out: &mut [u8]) -> Result<()> {
    let colors = frame.palette.as_chunks::<3>().0;
    for (row, line) in frame.indices.chunks_exact(frame.width.max(1)).enumerate().take(rows.saturating_sub(frame.top)) {
        let out = &mut out[(frame.top + row) * columns * 3..][..columns * 3];
        for (pixel, &index) in out.as_chunks_mut::<3>().0.iter_mut().skip(frame.left).zip(line) {
            if Some(index) == frame.transparent {
                continue;
            }
            let Some(color) = colors.get(usize::from(index)) else {
                bail!("frame {number} of the GIF has the colour {index}, its table has {}", colors.len())
            };
            *pixel = *color;
        }
    }
    Ok(())
}
