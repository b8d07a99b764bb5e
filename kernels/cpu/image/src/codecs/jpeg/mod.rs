//! JPEG: baseline and progressive, grey, in colour and CMYK, in the integer arithmetic of libjpeg.
//!
//! `frame` and `scan` read the coefficients, `transform` makes pixels of them, `upscale` makes all components as large
//! as the image; what colours they are is settled here.

mod frame;
pub(super) mod header;
mod huffman;
mod scan;
mod transform;
mod upscale;

use oplink::memory::{check, try_filled};
use oplink::prelude::*;

use super::{Decoded, Samples, check_pixels};
use frame::{Component, Frame};
use header::{Colors, Header};
use transform::Transform;
use upscale::Plane;

/// How a JPEG is to be decoded.
#[derive(Debug, Clone, Copy)]
pub(super) struct JpegOptions {
    ratio: usize,
    is_fancy: bool,
    transform: Transform,
}

impl Default for JpegOptions {
    fn default() -> Self {
        Self { ratio: 1, is_fancy: true, transform: Transform::Fast }
    }
}

impl JpegOptions {
    pub(super) fn new(ratio: i64, is_fancy: bool, dct_method: &[u8]) -> Result<Self> {
        ensure!(matches!(ratio, 1 | 2 | 4 | 8), "ratio must be 1, 2, 4 or 8, it is {ratio}");
        ensure!(
            matches!(dct_method, b"" | b"INTEGER_FAST" | b"INTEGER_ACCURATE"),
            "dct_method must be empty, INTEGER_FAST or INTEGER_ACCURATE, it is `{}`",
            String::from_utf8_lossy(dct_method)
        );
        let transform = if dct_method == b"INTEGER_ACCURATE" { Transform::Accurate } else { Transform::Fast };
        Ok(Self { ratio: ratio as usize, is_fancy, transform })
    }
}

pub(super) fn decode(bytes: &[u8], channels: usize, options: JpegOptions) -> Result<Decoded> {
    decode_columns(bytes, channels, options, None)
}

/// Decodes all rows; of the columns those of a window and the ones before it in the same unit of blocks, as if the
/// image ended with them.
fn decode_columns(bytes: &[u8], channels: usize, options: JpegOptions, window: Option<[usize; 2]>) -> Result<Decoded> {
    ensure!(channels != 4, "a JPEG has 1 or 3 channels, 4 are asked for");
    let header = Header::read(bytes)?;
    let (rows, columns) = (header.rows, header.columns);
    check_pixels(rows, columns)?;
    let (colors, components) = (header.colors(), header.components.len());
    let channels = if channels == 0 { components.min(3) } else { channels };
    ensure!(
        channels == 3 || !matches!(colors, Colors::Cmyk | Colors::Ycck),
        "a JPEG in CMYK has 3 channels, 1 is asked for"
    );
    // There are coefficients of two bytes, components and pixels.
    check(rows * columns * components * 4)?;
    let frame = Frame::read(bytes)?;
    ensure!(
        frame.components.len() == components,
        "the JPEG is not valid: its header has other components than its frame"
    );
    let [first, columns] = window.map_or([0, columns], |[first, count]| {
        let aligned = first - first % (8 * frame.largest[1]);
        [aligned, first + count - aligned]
    });
    let planes = frame.components.iter().map(|component| {
        let factors = [0, 1].map(|axis| frame.largest[axis] / component.units[axis]);
        let mut plane = plane(component, options.transform)?;
        (plane.first, plane.columns) = (first / factors[1], columns.div_ceil(factors[1]));
        // Between columns nothing can be where there are two only.
        let is_fancy = factors[1] == 1 || component.extents[1] > 2 && plane.columns > 1;
        plane.upscaled([rows, columns], factors, options.is_fancy && is_fancy)
    });
    let planes = planes.collect::<Result<Vec<_>>>()?;
    let mut out = try_filled(0u8, rows * columns * channels)?;
    let is_inverted = header.is_inverted();
    for (at, out) in out.chunks_exact_mut(channels).enumerate() {
        let mut pixel = [0; 4];
        pixel.iter_mut().zip(&planes).for_each(|(value, plane)| *value = plane[at]);
        convert(&pixel[..components.min(4)], colors, is_inverted, out);
    }
    let whole = Decoded { shape: vec![rows, columns, channels], samples: Samples::Bytes(out) };
    if options.ratio > 1 { smaller(&whole, options.ratio) } else { Ok(whole) }
}

/// The pixels of a component's blocks.
fn plane(component: &Component, transform: Transform) -> Result<Plane> {
    let Some(table) = &component.quantization else {
        bail!("the JPEG is not valid: no scan has one of its components")
    };
    let (factors, [block_rows, block_columns]) = (transform.factors(table), component.blocks);
    let stride = block_columns * 8;
    let mut pixels = try_filled(0u8, block_rows * 8 * stride)?;
    for (at, block) in component.coefficients.chunks_exact(64).enumerate() {
        let (row, column) = (at / block_columns, at % block_columns);
        for (line, from) in transform.pixels(block, &factors).chunks_exact(8).enumerate() {
            pixels[(row * 8 + line) * stride + column * 8..][..8].copy_from_slice(from);
        }
    }
    let [rows, columns] = component.extents;
    Ok(Plane { pixels, stride, first: 0, rows, columns })
}

/// The image made smaller: each pixel the mean of `ratio` times `ratio`, as far as they are there.
fn smaller(whole: &Decoded, ratio: usize) -> Result<Decoded> {
    let (&[rows, columns, channels], Samples::Bytes(samples)) = (whole.shape.as_slice(), &whole.samples) else {
        bail!("the JPEG has no pixels")
    };
    let (out_rows, out_columns) = (rows.div_ceil(ratio), columns.div_ceil(ratio));
    let mut out = try_filled(0u8, out_rows * out_columns * channels)?;
    for (at, out) in out.iter_mut().enumerate() {
        let (channel, pixel) = (at % channels, at / channels);
        let (row, column) = (pixel / out_columns * ratio, pixel % out_columns * ratio);
        let (height, width) = (ratio.min(rows - row), ratio.min(columns - column));
        let line = |y: usize| (0..width).map(move |x| ((row + y) * columns + column + x) * channels + channel);
        let sum: usize = (0..height).flat_map(line).map(|at| usize::from(samples[at])).sum();
        *out = ((sum + height * width / 2) / (height * width)) as u8;
    }
    Ok(Decoded { shape: vec![out_rows, out_columns, channels], samples: Samples::Bytes(out) })
}

/// The part `[first row, first column, rows, columns]` of the image.
pub(super) fn decode_window(bytes: &[u8], channels: usize, options: JpegOptions, window: [i32; 4]) -> Result<Decoded> {
    let header = Header::read(bytes)?;
    let [rows, columns] = [header.rows, header.columns].map(|extent| extent.div_ceil(options.ratio));
    let fits = |start: i32, count: i32, extent: usize| {
        start >= 0 && count > 0 && i64::from(start) + i64::from(count) <= extent as i64
    };
    let [y, x, height, width] = window;
    ensure!(
        fits(y, height, rows) && fits(x, width, columns),
        "crop_window {window:?} must lie within the {rows} rows and {columns} columns of the image"
    );
    let (y, mut x, height, width) = (y as usize, x as usize, height as usize, width as usize);
    let around = (options.ratio == 1).then_some([x, width]);
    let decoded = decode_columns(bytes, channels, options, around)?;
    let (&[_, columns, channels], Samples::Bytes(samples)) = (decoded.shape.as_slice(), decoded.samples) else {
        bail!("the JPEG has no pixels")
    };
    if around.is_some() {
        x = columns - width;
    }
    let mut out = try_filled(0u8, height * width * channels)?;
    for (row, out) in out.chunks_exact_mut(width * channels).enumerate() {
        out.copy_from_slice(&samples[((y + row) * columns + x) * channels..][..width * channels]);
    }
    Ok(Decoded { shape: vec![height, width, channels], samples: Samples::Bytes(out) })
}

/// Sets a pixel of 1 or 3 channels to the colour that components say.
fn convert(pixel: &[u8], colors: Colors, is_inverted: bool, out: &mut [u8]) {
    match (colors, pixel, out) {
        (Colors::Rgb, &[r, g, b], [grey]) => *grey = luminance([r, g, b]),
        (_, [first, ..], [grey]) => *grey = *first,
        (Colors::Rgb, pixel @ [_, _, _], out) => out.copy_from_slice(pixel),
        (Colors::YCbCr, &[y, cb, cr], out) => out.copy_from_slice(&rgb(y, cb, cr)),
        (Colors::Ycck, &[y, cb, cr, k], out) => {
            let [c, m, y] = rgb(y, cb, cr).map(|ink| 255 - ink);
            out.copy_from_slice(&[c, m, y].map(|ink| under_black(ink, k, is_inverted)));
        }
        (_, &[c, m, y, k], out) => out.copy_from_slice(&[c, m, y].map(|ink| under_black(ink, k, is_inverted))),
        (_, [first, ..], out) => out.fill(*first),
        _ => {}
    }
}

/// Ink and black as light.
fn under_black(ink: u8, black: u8, is_inverted: bool) -> u8 {
    let (ink, black) = (u32::from(ink), u32::from(black));
    (if is_inverted { black * ink / 255 } else { (255 - black) * (255 - ink) / 255 }) as u8
}

/// A factor with 16 bits after the point.
const fn fixed(factor: f64) -> i32 {
    (factor * 65536.0 + 0.5) as i32
}

fn luminance([r, g, b]: [u8; 3]) -> u8 {
    let sum = fixed(0.299) * i32::from(r) + fixed(0.587) * i32::from(g) + fixed(0.114) * i32::from(b);
    ((sum + 32768) >> 16) as u8
}

/// Red, green and blue by the formula of JFIF.
fn rgb(y: u8, cb: u8, cr: u8) -> [u8; 3] {
    let (y, cb, cr) = (i32::from(y), i32::from(cb) - 128, i32::from(cr) - 128);
    let red = y + ((fixed(1.402) * cr + 32768) >> 16);
    let green = y + ((-fixed(0.344_14) * cb - fixed(0.714_14) * cr + 32768) >> 16);
    let blue = y + ((fixed(1.772) * cb + 32768) >> 16);
    [red, green, blue].map(|value| value.clamp(0, 255) as u8)
}

#[cfg(test)]
mod tests;
