//! JPEG: baseline and progressive, grey, in colour and CMYK.
//!
//! Components are decoded by the crate `zune-jpeg`, whose cosine transform is the accurate one and whose upscaling is
//! the fancy one, and made into colours here, by the integer arithmetic of libjpeg.

use oplink::memory::{check, try_filled};
use oplink::prelude::*;

use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;

use super::jpeg_header::{Colors, Header};
use super::{Decoded, Samples, check_pixels};

/// How a JPEG is to be decoded.
#[derive(Debug, Clone, Copy)]
pub(super) struct JpegOptions {
    ratio: usize,
}

impl Default for JpegOptions {
    fn default() -> Self {
        Self { ratio: 1 }
    }
}

impl JpegOptions {
    pub(super) fn new(ratio: i64, _fancy_upscaling: bool, dct_method: &[u8]) -> Result<Self> {
        ensure!(matches!(ratio, 1 | 2 | 4 | 8), "ratio must be 1, 2, 4 or 8, it is {ratio}");
        ensure!(
            matches!(dct_method, b"" | b"INTEGER_FAST" | b"INTEGER_ACCURATE"),
            "dct_method must be empty, INTEGER_FAST or INTEGER_ACCURATE, it is `{}`",
            String::from_utf8_lossy(dct_method)
        );
        Ok(Self { ratio: ratio as usize })
    }
}

fn invalid(error: impl std::fmt::Display) -> Error {
    Error::invalid_argument(format!("the JPEG is not valid: {error}"))
}

pub(super) fn decode(bytes: &[u8], channels: usize, options: JpegOptions) -> Result<Decoded> {
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
    // The decoder holds coefficients of two bytes, components and pixels.
    check(rows * columns * components * 4)?;
    let wanted = DecoderOptions::default()
        .set_max_width(usize::MAX)
        .set_max_height(usize::MAX)
        .set_strict_mode(true)
        .jpeg_set_out_colorspace(space(colors));
    let samples = JpegDecoder::new_with_options(ZCursor::new(bytes), wanted).decode().map_err(invalid)?;
    ensure!(
        samples.len() == rows * columns * components,
        "the JPEG has {} samples, {rows} rows of {columns} pixels with {components} components were expected",
        samples.len()
    );
    let mut out = try_filled(0u8, rows * columns * channels)?;
    let is_inverted = header.is_inverted();
    for (out, pixel) in out.chunks_exact_mut(channels).zip(samples.chunks_exact(components)) {
        convert(pixel, colors, is_inverted, out);
    }
    let whole = Decoded { shape: vec![rows, columns, channels], samples: Samples::Bytes(out) };
    if options.ratio > 1 { smaller(&whole, options.ratio) } else { Ok(whole) }
}

fn space(colors: Colors) -> ColorSpace {
    match colors {
        Colors::Grey => ColorSpace::Luma,
        Colors::Rgb => ColorSpace::RGB,
        Colors::YCbCr => ColorSpace::YCbCr,
        Colors::Cmyk => ColorSpace::CMYK,
        Colors::Ycck => ColorSpace::YCCK,
    }
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
    let whole = decode(bytes, channels, options)?;
    let (&[rows, columns, channels], Samples::Bytes(samples)) = (whole.shape.as_slice(), whole.samples) else {
        bail!("the JPEG has no pixels")
    };
    let fits = |start: i32, count: i32, extent: usize| {
        start >= 0 && count > 0 && i64::from(start) + i64::from(count) <= extent as i64
    };
    let [y, x, height, width] = window;
    ensure!(
        fits(y, height, rows) && fits(x, width, columns),
        "crop_window {window:?} must lie within the {rows} rows and {columns} columns of the image"
    );
    let (y, x, height, width) = (y as usize, x as usize, height as usize, width as usize);
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
    let green = y + ((-fixed(0.344_136_286) * cb - fixed(0.714_136_286) * cr + 32768) >> 16);
    let blue = y + ((fixed(1.772) * cb + 32768) >> 16);
    [red, green, blue].map(|value| value.clamp(0, 255) as u8)
}
