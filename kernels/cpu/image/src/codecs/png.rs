//! PNG: every colour type and depth, interlaced or not.

use std::io::Cursor;

use oplink::memory::{try_collect, try_filled};
use oplink::prelude::*;
use png::{BitDepth, ColorType, Decoder, Limits, Transformations};

use super::{Decoded, Samples, check_pixels};

/// Extents from which on an image is an error.
const TOO_LONG: usize = 1 << 27;
/// What red, green and blue count in a grey of 15 bits.
const GREY: [u32; 3] = [9797, 19234, 3737];

fn invalid(error: impl std::fmt::Display) -> Error {
    Error::invalid_argument(format!("the PNG is not valid: {error}"))
}

/// Decodes to samples of 16 bits, or of 8.
pub(super) fn decode(bytes: &[u8], channels: usize, words: bool) -> Result<Decoded> {
    // Memory is bounded by the check of the extents.
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: usize::MAX });
    decoder.set_transformations(Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(invalid)?;
    let info = reader.info();
    let (rows, columns) = (info.height as usize, info.width as usize);
    check_pixels(rows, columns)?;
    ensure!(rows < TOO_LONG && columns < TOO_LONG, "the PNG has {rows} rows and {columns} columns, 2^27 is too many");
    let (color, depth, has_transparency) = (info.color_type, info.bit_depth, info.trns.is_some());
    let Some(size) = reader.output_buffer_size() else { bail!("the PNG has {rows} rows of {columns} pixels") };
    let mut buffer = try_filled(0u8, size)?;
    let frame = reader.next_frame(&mut buffer).map_err(invalid)?;
    reader.finish().map_err(invalid)?;
    let from = Layout { channels: frame.color_type.samples(), deep: frame.bit_depth == BitDepth::Sixteen };
    let to = match (channels, color) {
        (0, ColorType::Indexed) => 3 + usize::from(has_transparency),
        (0, color) => color.samples(),
        _ => channels,
    };
    let samples: Vec<u16> = match from.deep {
        true => try_collect(buffer.as_chunks::<2>().0.iter().map(|&pair| u16::from_be_bytes(pair)))?,
        false => try_collect(buffer.iter().map(|&byte| u16::from(byte)))?,
    };
    // Without a given opacity all is opaque, in the depth of the file.
    let opaque = ((1u32 << depth as u32) - 1).min(if from.deep { 65535 } else { 255 }) as u16;
    let out = converted(&samples, from, to, opaque)?;
    let samples = match (from.deep, words) {
        (true, true) => Samples::Words(out),
        (false, true) => Samples::Words(try_collect(out.iter().map(|&sample| sample * 257))?),
        (true, false) => Samples::Bytes(try_collect(out.iter().map(|&sample| (sample >> 8) as u8))?),
        (false, false) => Samples::Bytes(try_collect(out.iter().map(|&sample| sample as u8))?),
    };
    Ok(Decoded { shape: vec![rows, columns, to], samples })
}

/// How samples lie.
#[derive(Clone, Copy)]
struct Layout {
    channels: usize,
    deep: bool,
}

/// The pixels with other channels: grey and colours made of each other, opacity added or left out.
fn converted(samples: &[u16], from: Layout, to: usize, opaque: u16) -> Result<Vec<u16>> {
    let mut out = try_filled(0u16, samples.len() / from.channels * to)?;
    for (out, pixel) in out.chunks_exact_mut(to).zip(samples.chunks_exact(from.channels)) {
        let (color, opacity) = match *pixel {
            [grey] => ([grey; 3], opaque),
            [grey, opacity] => ([grey; 3], opacity),
            [red, green, blue] => ([red, green, blue], opaque),
            [red, green, blue, opacity] => ([red, green, blue], opacity),
            _ => ([0; 3], opaque),
        };
        let colors = if to < 3 { &[grey(color, from.deep)][..] } else { &color[..] };
        out[..colors.len()].copy_from_slice(colors);
        if to.is_multiple_of(2) {
            out[to - 1] = opacity;
        }
    }
    Ok(out)
}

fn grey([red, green, blue]: [u16; 3], deep: bool) -> u16 {
    if red == green && red == blue {
        return red;
    }
    let sum = GREY[0] * u32::from(red) + GREY[1] * u32::from(green) + GREY[2] * u32::from(blue);
    ((sum + if deep { 1 << 14 } else { 0 }) >> 15) as u16
}
