//! BMP without compression: 8 (grey), 24 or 32 bits a pixel.

use oplink::memory::try_filled;
use oplink::prelude::*;

use super::{Decoded, Samples, check_pixels};

/// Pixels of an image at most, a quarter of those of other formats.
const MOST_PIXELS: u64 = (i32::MAX / 8) as u64;

pub(super) fn decode(bytes: &[u8], channels: usize, env: Env<'_>) -> Result<Decoded> {
    ensure!(channels != 1, "a BMP has 3 or 4 channels, or those of the file with 0: 1 is asked for");
    let header = Header::read(bytes)?;
    let Header { rows, columns, depth, .. } = header;
    let (line, channels) = ((depth * columns).next_multiple_of(4), if channels == 0 { depth } else { channels });
    let expected = header.start as u64 + line as u64 * rows as u64;
    ensure!(
        bytes.len() as u64 == expected,
        "the BMP must have {expected} bytes, as its header says, it has {}",
        bytes.len()
    );
    let lines = bytes[header.start..].chunks_exact(line);
    let mut out = try_filled(0u8, rows * columns * channels)?;
    for (row, line) in env.watch(lines).enumerate() {
        let row = if header.is_top_down { row } else { rows - 1 - row };
        let out = &mut out[row * columns * channels..][..columns * channels];
        for (out, pixel) in out.chunks_exact_mut(channels).zip(line.chunks_exact(depth)) {
            let color = match *pixel {
                [grey] => [grey, grey, grey, u8::MAX],
                [blue, green, red] => [red, green, blue, u8::MAX],
                [blue, green, red, opacity] => [red, green, blue, opacity],
                _ => [0; 4],
            };
            out.copy_from_slice(&color[..channels]);
        }
    }
    Ok(Decoded { shape: vec![rows, columns, channels], samples: Samples::Bytes(out) })
}

/// What the header says.
struct Header {
    /// Where the pixels start.
    start: usize,
    rows: usize,
    columns: usize,
    /// Bytes of a pixel.
    depth: usize,
    is_top_down: bool,
}

impl Header {
    fn read(bytes: &[u8]) -> Result<Self> {
        ensure!(bytes.len() >= 32, "the BMP has {} bytes, its header alone has 32", bytes.len());
        let number = |at: usize| i32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let (start, width, height) = (number(10), number(18), number(22));
        let bits = i16::from_le_bytes([bytes[28], bytes[29]]);
        let depth = bits / 8;
        ensure!(matches!(depth, 1 | 3 | 4), "a BMP must have 8, 24 or 32 bits a pixel, it has {bits}");
        ensure!(width > 0 && height != 0 && start >= 0, "the header of the BMP has {width} columns and {height} rows");
        let (rows, columns) = (height.unsigned_abs() as usize, width as usize);
        check_pixels(rows, columns)?;
        ensure!((rows as u64 * columns as u64) < MOST_PIXELS, "the BMP has {rows} rows of {columns} pixels: too many");
        Ok(Self { start: start as usize, rows, columns, depth: depth as usize, is_top_down: height < 0 })
    }
}
