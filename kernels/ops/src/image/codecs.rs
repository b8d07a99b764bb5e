//! Image files as tensors, and tensors as image files.
//!
//! A decoded image is [rows, columns, channels]; what the first bytes tell decides which format a file is of, so that
//! `DecodePng`, `DecodeJpeg`, `DecodeGif` and `DecodeImage` read each other's. The attr `channels` asks for 1 (grey), 3
//! (red, green, blue) or 4 (and opacity); 0 takes those of the file. An image of 2^29 pixels or more is an error,
//! before memory is asked for, as is a file that is cut or otherwise wrong.

use oplink::prelude::*;

attr_enum! {
    /// The colours of an encoded JPEG.
    pub enum JpegFormat { Default = "", Grayscale = "grayscale", Rgb = "rgb" }
}

attr_enum! {
    /// What the density of an encoded JPEG counts pixels in.
    pub enum DensityUnit { Inch = "in", Centimeter = "cm" }
}

/// Decodes a PNG. 16-bit samples lose their low bits where `dtype` is uint8; others are repeated where it is uint16.
#[op("DecodePng",
     input = "contents: string",
     output = "image: dtype",
     attr = "channels: int = 0",
     attr = "dtype: {uint8, uint16} = DT_UINT8",
     shape = decoded_shape)]
pub struct DecodePng;

/// Encodes images [..., rows, columns, channels] with 1 to 4 channels as PNGs, one for each.
///
/// `compression` is -1 or a level from 0 to 9.
#[op("EncodePng",
     input = "image: T",
     output = "contents: string",
     attr = "compression: int = -1",
     attr = "T: {uint8, uint16} = DT_UINT8",
     shape = encoded_png_shape)]
pub struct EncodePng;

/// Decodes a JPEG, made smaller by `ratio` (1, 2, 4 or 8).
///
/// `fancy_upscaling` interpolates colours that are stored at half the size. With `try_recover_truncated` the rest of a
/// cut file repeats its last row, if at least `acceptable_fraction` of the rows are there. `dct_method` is
/// `INTEGER_ACCURATE`, `INTEGER_FAST` or empty.
#[op("DecodeJpeg",
     input = "contents: string",
     output = "image: uint8",
     attr = "channels: int = 0",
     attr = "ratio: int = 1",
     attr = "fancy_upscaling: bool = true",
     attr = "try_recover_truncated: bool = false",
     attr = "acceptable_fraction: float = 1.0",
     attr = "dct_method: string = ''",
     shape = decoded_shape)]
pub struct DecodeJpeg;

/// Decodes the part of a JPEG that `crop_window` says: `[first row, first column, rows, columns]`.
#[op("DecodeAndCropJpeg",
     input = "contents: string",
     input = "crop_window: int32",
     output = "image: uint8",
     attr = "channels: int = 0",
     attr = "ratio: int = 1",
     attr = "fancy_upscaling: bool = true",
     attr = "try_recover_truncated: bool = false",
     attr = "acceptable_fraction: float = 1.0",
     attr = "dct_method: string = ''",
     shape = cropped_shape)]
pub struct DecodeAndCropJpeg;

/// Encodes an image [rows, columns, 1 or 3] as a JPEG of the given quality, from 0 to 100.
///
/// `optimize_size` spends time on a smaller file, `progressive` orders it from coarse to fine, `chroma_downsampling`
/// stores colours at half the size, `xmp_metadata` is kept in the file.
#[op("EncodeJpeg",
     input = "image: uint8",
     output = "contents: string",
     attr = "format: {'', 'grayscale', 'rgb'} = ''",
     attr = "quality: int = 95",
     attr = "progressive: bool = false",
     attr = "optimize_size: bool = false",
     attr = "chroma_downsampling: bool = true",
     attr = "density_unit: {'in', 'cm'} = 'in'",
     attr = "x_density: int = 300",
     attr = "y_density: int = 300",
     attr = "xmp_metadata: string = ''",
     enums(format = JpegFormat, density_unit = DensityUnit),
     shape = encoded_shape)]
pub struct EncodeJpeg;

/// Encodes an image [rows, columns, 1 or 3] as a JPEG of the quality that an input has.
#[op("EncodeJpegVariableQuality",
     input = "images: uint8",
     input = "quality: int32",
     output = "contents: string",
     shape = encoded_with_quality_shape)]
pub struct EncodeJpegVariableQuality;

/// The shape [rows, columns, channels] of a JPEG, without decoding it.
#[op("ExtractJpegShape",
     input = "contents: string",
     output = "image_shape: output_type",
     attr = "output_type: {int32, int64} = DT_INT32",
     shape = jpeg_shape_shape)]
pub struct ExtractJpegShape;

/// Decodes a BMP of 8, 24 or 32 bits a pixel, without compression.
#[op("DecodeBmp",
     input = "contents: string",
     output = "image: uint8",
     attr = "channels: int = 0",
     shape = decoded_shape)]
pub struct DecodeBmp;

/// Decodes a GIF as [frames, rows, columns, 3].
///
/// A frame that covers a part of the image leaves the rest as the frame before has it.
#[op("DecodeGif",
     input = "contents: string",
     output = "image: uint8",
     shape = gif_shape)]
pub struct DecodeGif;

/// Decodes a WebP as [frames, rows, columns, channels] with 3 or 4 channels, a JPEG or a PNG as `DecodePng` does.
#[op("DecodeWebP",
     input = "contents: string",
     output = "image: dtype",
     attr = "channels: int = 0",
     attr = "dtype: {uint8} = DT_UINT8",
     shape = decoded_frames_shape)]
pub struct DecodeWebP;

/// Decodes a BMP, GIF, JPEG, PNG or WebP.
///
/// With `expand_animations` a GIF is [frames, rows, columns, 3] and a WebP [frames, rows, columns, channels]; without
/// it the first frame is decoded. Samples of 8 bits become uint16 by multiplication with 256 (those of PNG with 257)
/// and float by division by 255; a WebP is decoded to uint8 only.
#[op("DecodeImage",
     input = "contents: string",
     output = "image: dtype",
     attr = "channels: int = 0",
     attr = "dtype: {uint8, uint16, float} = DT_UINT8",
     attr = "expand_animations: bool = true",
     shape = any_decoded_shape)]
pub struct DecodeImage;

/// The channels that an attr asks for.
fn channels(c: &ShapeContext<'_>) -> Result<Option<usize>> {
    let channels = c.attr::<i64>("channels")?;
    match usize::try_from(channels) {
        Ok(0) => Ok(None),
        Ok(channels) => Ok(Some(channels)),
        Err(_) => bail!("channels must be 0, 1, 3 or 4, they are {channels}"),
    }
}

fn decoded_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(0, 0)?;
    let channels = channels(c)?;
    c.set_output(0, PartialShape::new(&[None, None, channels]));
    Ok(())
}

fn decoded_frames_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(0, 0)?;
    let channels = channels(c)?;
    c.set_output(0, PartialShape::new(&[None, None, None, channels]));
    Ok(())
}

fn gif_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(0, 0)?;
    c.set_output(0, PartialShape::new(&[None, None, None, Some(3)]));
    Ok(())
}

fn any_decoded_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    if c.attr("expand_animations")? {
        c.with_rank(0, 0)?;
        c.set_output(0, PartialShape::unknown());
        return Ok(());
    }
    decoded_shape(c)
}

fn cropped_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(0, 0)?;
    let channels = channels(c)?;
    c.merge_dim(c.with_rank(1, 1)?.dim(0), Some(4))?;
    let [rows, columns] = match c.constant_ints(1)?.as_deref() {
        Some(&[_, _, rows, columns]) => [super::sized::extent(rows)?, super::sized::extent(columns)?],
        _ => [None, None],
    };
    c.set_output(0, PartialShape::new(&[rows, columns, channels]));
    Ok(())
}

fn encoded_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(0, 3)?;
    c.set_output(0, PartialShape::new(&[]));
    Ok(())
}

fn encoded_with_quality_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(1, 0)?;
    encoded_shape(c)
}

fn encoded_png_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let images = c.with_rank_at_least(0, 3)?;
    let shape = c.subshape(&images, 0, Some(-3))?;
    c.set_output(0, shape);
    Ok(())
}

fn jpeg_shape_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(0, 0)?;
    c.set_output(0, PartialShape::new(&[Some(3)]));
    Ok(())
}
