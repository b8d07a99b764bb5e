//! WebP: lossy, lossless and animated.

mod animation;

use std::io::Cursor;

use image_webp::WebPDecoder;
use oplink::memory::try_filled;
use oplink::prelude::*;

use super::{Decoded, Samples, check_pixels};

fn invalid(error: impl std::fmt::Display) -> Error {
    Error::invalid_argument(format!("the WebP is not valid: {error}"))
}

/// Decodes all frames, or without `expands` the first one alone.
pub(super) fn decode(bytes: &[u8], channels: usize, expands: bool) -> Result<Decoded> {
    let mut decoder = WebPDecoder::new(Cursor::new(bytes)).map_err(invalid)?;
    let (columns, rows) = decoder.dimensions();
    let (rows, columns) = (rows as usize, columns as usize);
    check_pixels(rows, columns)?;
    let own = if decoder.has_alpha() { 4 } else { 3 };
    ensure!(channels == 0 || channels == own, "the WebP has {own} channels, {channels} are asked for");
    let frames = if decoder.is_animated() { decoder.num_frames().max(1) as usize } else { 1 };
    ensure!(frames == 1 || own == 4, "the WebP is an animation without transparency: only those with it are decoded");
    let count = if expands { frames } else { 1 };
    check_pixels(rows * columns, count)?;
    let mut out = try_filled(0u8, rows * columns * own * count)?;
    if decoder.is_animated() {
        animation::decode(bytes, rows, columns, &mut out)?;
    } else {
        decoder.read_image(&mut out).map_err(invalid)?;
    }
    let shape = if expands { vec![count, rows, columns, own] } else { vec![rows, columns, own] };
    Ok(Decoded { shape, samples: Samples::Bytes(out) })
}
