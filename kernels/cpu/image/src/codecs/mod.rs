//! Image files as tensors, and tensors as image files.

mod bmp;
mod encode_jpeg;
mod encode_png;
mod gif;
mod jpeg;
mod png;
mod webp;

use oplink::memory::try_collect;
use oplink::prelude::*;
use oplink_ops::image::{
    DecodeAndCropJpeg, DecodeAndCropJpegAttrs, DecodeBmp, DecodeGif, DecodeImage, DecodeJpeg, DecodeJpegAttrs,
    DecodePng, DecodeWebP, ExtractJpegShape,
};

pub use encode_jpeg::*;
pub use encode_png::*;

use jpeg::JpegOptions;

/// Pixels of an image, from which on it is an error.
const TOO_MANY_PIXELS: u64 = 1 << 29;

/// What a file holds.
struct Decoded {
    /// [rows, columns, channels], or with frames before.
    shape: Vec<usize>,
    samples: Samples,
}

/// Samples in the precision that a file was decoded in.
enum Samples {
    Bytes(Vec<u8>),
    Words(Vec<u16>),
}

/// Formats of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Bmp,
    Gif,
    Jpeg,
    Png,
    WebP,
}

impl Format {
    /// The format that the first bytes say.
    fn of(bytes: &[u8]) -> Result<Self> {
        ensure!(!bytes.is_empty(), "contents are empty");
        match bytes {
            [0xFF, 0xD8, 0xFF, ..] => Ok(Self::Jpeg),
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => Ok(Self::Png),
            [b'G', b'I', b'F', b'8', ..] => Ok(Self::Gif),
            [b'B', b'M', ..] => Ok(Self::Bmp),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Ok(Self::WebP),
            _ => bail!("contents are of no known format: BMP, GIF, JPEG, PNG and WebP are decoded"),
        }
    }
}

/// The bytes of a scalar string.
fn contents_of(contents: &Tensor) -> Result<&[u8]> {
    match contents.as_slice::<TString>()? {
        [bytes] if contents.rank() == 0 => Ok(bytes.as_bytes()),
        _ => bail!("contents must be a scalar, their shape is {}", contents.shape()),
    }
}

/// The channels asked for; 0 for those of the file.
fn channels_of(channels: i64) -> Result<usize> {
    match channels {
        0 | 1 | 3 | 4 => Ok(channels as usize),
        _ => bail!("channels must be 0, 1, 3 or 4, they are {channels}"),
    }
}

/// Whether an image of these extents may be decoded.
fn check_pixels(rows: usize, columns: usize) -> Result<()> {
    ensure!(rows > 0 && columns > 0, "the image has {rows} rows and {columns} columns, each must be > 0");
    ensure!(
        (rows as u64).saturating_mul(columns as u64) < TOO_MANY_PIXELS,
        "the image has {rows} rows of {columns} pixels: it must have less than 2^29 pixels"
    );
    Ok(())
}

/// Sets the output to what was decoded, in the output's dtype.
fn write(decoded: Decoded, output: &mut OutputSlot<'_>) -> Result<()> {
    let shape = Shape::new(&decoded.shape);
    let tensor = match (decoded.samples, output.dtype()) {
        (Samples::Bytes(bytes), DType::UInt8) => Tensor::from_vec(shape, bytes)?,
        (Samples::Words(words), DType::UInt16) => Tensor::from_vec(shape, words)?,
        (Samples::Bytes(bytes), DType::UInt16) => {
            Tensor::from_vec(shape, try_collect(bytes.iter().map(|&byte| u16::from(byte) << 8))?)?
        }
        (Samples::Bytes(bytes), DType::Float) => {
            Tensor::from_vec(shape, try_collect(bytes.iter().map(|&byte| f32::from(byte) * (1.0 / 255.0)))?)?
        }
        (Samples::Words(words), DType::Float) => {
            Tensor::from_vec(shape, try_collect(words.iter().map(|&word| f32::from(word) * (1.0 / 65535.0)))?)?
        }
        (_, dtype) => bail!("an image of this format cannot be decoded to {dtype}"),
    };
    output.set(tensor);
    Ok(())
}

/// Decodes a file for an op that gives one image, of any format but BMP and WebP.
fn decode_one(bytes: &[u8], channels: usize, words: bool, options: JpegOptions, env: Env<'_>) -> Result<Decoded> {
    match Format::of(bytes)? {
        Format::Jpeg => jpeg::decode(bytes, channels, options),
        Format::Png => png::decode(bytes, channels, words),
        Format::Gif => {
            let mut decoded = gif::decode(bytes, channels, true, env)?;
            let frames = decoded.shape.remove(0);
            ensure!(frames == 1, "the GIF has {frames} frames: DecodeGif and DecodeImage decode animations");
            Ok(decoded)
        }
        format => bail!("this op does not decode {format:?}: DecodeImage does"),
    }
}

/// `DecodePng`.
#[kernel(DecodePng, device = CPU, dtype = any)]
pub fn decode_png_cpu(contents: &Tensor, channels: i64, mut image: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let (bytes, words) = (contents_of(contents)?, image.dtype() == DType::UInt16);
    write(decode_one(bytes, channels_of(channels)?, words, JpegOptions::default(), env)?, &mut image)
}

/// `DecodeJpeg`.
#[kernel(DecodeJpeg, device = CPU)]
pub fn decode_jpeg_cpu(
    contents: &Tensor,
    attrs: DecodeJpegAttrs<'_>,
    mut image: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let options = JpegOptions::new(attrs.ratio, attrs.fancy_upscaling, attrs.dct_method.as_bytes())?;
    write(decode_one(contents_of(contents)?, channels_of(attrs.channels)?, false, options, env)?, &mut image)
}

/// `DecodeAndCropJpeg`.
#[kernel(DecodeAndCropJpeg, device = CPU)]
pub fn decode_and_crop_jpeg_cpu(
    contents: &Tensor,
    crop_window: &Tensor,
    attrs: DecodeAndCropJpegAttrs<'_>,
    mut image: OutputSlot<'_>,
) -> Result<()> {
    let options = JpegOptions::new(attrs.ratio, attrs.fancy_upscaling, attrs.dct_method.as_bytes())?;
    let (bytes, channels) = (contents_of(contents)?, channels_of(attrs.channels)?);
    ensure!(Format::of(bytes)? == Format::Jpeg, "DecodeAndCropJpeg decodes JPEG, contents are another format");
    let &[y, x, rows, columns] = crop_window.as_slice::<i32>()? else {
        bail!("crop_window must have shape [4], its shape is {}", crop_window.shape())
    };
    ensure!(crop_window.rank() == 1, "crop_window must have shape [4], its shape is {}", crop_window.shape());
    write(jpeg::decode_window(bytes, channels, options, [y, x, rows, columns])?, &mut image)
}

/// `DecodeBmp`.
#[kernel(DecodeBmp, device = CPU)]
pub fn decode_bmp_cpu(contents: &Tensor, channels: i64, mut image: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let (bytes, channels) = (contents_of(contents)?, channels_of(channels)?);
    ensure!(Format::of(bytes)? == Format::Bmp, "DecodeBmp decodes BMP, contents are another format");
    write(bmp::decode(bytes, channels, env)?, &mut image)
}

/// `DecodeGif`.
#[kernel(DecodeGif, device = CPU)]
pub fn decode_gif_cpu(contents: &Tensor, mut image: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let bytes = contents_of(contents)?;
    let decoded = match Format::of(bytes)? {
        Format::Gif => gif::decode(bytes, 3, true, env)?,
        _ => {
            let mut decoded = decode_one(bytes, 3, false, JpegOptions::default(), env)?;
            decoded.shape.insert(0, 1);
            decoded
        }
    };
    write(decoded, &mut image)
}

/// `DecodeWebP`, which takes PNG and JPEG too.
#[kernel(DecodeWebP, device = CPU, dtype = any)]
pub fn decode_webp_cpu(contents: &Tensor, channels: i64, mut image: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let (bytes, channels) = (contents_of(contents)?, channels_of(channels)?);
    let decoded = match Format::of(bytes)? {
        Format::WebP => webp::decode(bytes, channels, true),
        Format::Gif => bail!("DecodeWebP does not decode GIF: DecodeGif and DecodeImage do"),
        _ => decode_one(bytes, channels, false, JpegOptions::default(), env),
    };
    write(decoded?, &mut image)
}

/// `DecodeImage`.
#[kernel(DecodeImage, device = CPU, dtype = any)]
pub fn decode_image_cpu(
    contents: &Tensor,
    channels: i64,
    expand_animations: bool,
    mut image: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (bytes, channels) = (contents_of(contents)?, channels_of(channels)?);
    let decoded = match Format::of(bytes)? {
        Format::Jpeg => jpeg::decode(bytes, channels, JpegOptions::default()),
        Format::Png => png::decode(bytes, channels, image.dtype() != DType::UInt8),
        Format::Gif => gif::decode(bytes, channels, expand_animations, env),
        Format::Bmp => bmp::decode(bytes, channels, env),
        Format::WebP => {
            let dtype = image.dtype();
            ensure!(dtype == DType::UInt8, "a WebP is decoded to uint8 only, the dtype is {dtype}");
            webp::decode(bytes, channels, expand_animations)
        }
    };
    write(decoded?, &mut image)
}

/// `ExtractJpegShape`.
#[kernel(ExtractJpegShape, device = CPU, output_type = any)]
pub fn extract_jpeg_shape_cpu(contents: &Tensor, mut image_shape: OutputSlot<'_>) -> Result<()> {
    let header = jpeg::header::Header::read(contents_of(contents)?)?;
    let shape = [header.rows, header.columns, header.components.len()];
    image_shape.set(match image_shape.dtype() {
        DType::Int32 => Tensor::from(shape.map(|extent| extent as i32)),
        _ => Tensor::from(shape.map(|extent| extent as i64)),
    });
    Ok(())
}

#[cfg(test)]
mod tests;
