//! `ImageSummary`: pictures as PNG.
//!
//! `tensor` is [batch, rows, columns, depth] with 1 (grey), 3 (red, green, blue) or 4 channels (and opacity). At most
//! `max_images` pictures are written, tagged `tag/image/0` and so on, or `tag/image` where there can be only one.
//! Elements of uint8 stay as they are. The finite elements of a picture of floats are scaled so that, without negative
//! ones, the largest becomes 255; with negative ones 0 becomes 128 and the largest magnitude 127 away from it. Pixels
//! with NaN or infinity become `bad_color`. The pixels are TensorFlow's, the bytes of the compressed picture are not.

use crate::strings::scalar;
use oplink::prelude::*;
use oplink_cpu_support::summary::{IMAGE, TAG, add_value};
use oplink_cpu_support::wire::Message;
use oplink_ops::string::ImageSummary;
use png::{BitDepth, ColorType, Encoder};

/// Largest magnitude of a picture that counts as black.
const BLACK: f32 = 1.0e-6;

/// `ImageSummary` of every dtype.
#[kernel(ImageSummary, device = CPU, T = any)]
pub fn image_summary_cpu(tag: &Tensor, tensor: &Tensor, max_images: i64, bad_color: &Tensor) -> Result<TString> {
    let summary = pictures(scalar(tag, "tag")?, tensor, max_images, bad_color)?;
    Ok(TString::new(summary.into_bytes()))
}

/// The summary of pictures.
pub(super) fn pictures(tag: &[u8], tensor: &Tensor, max_images: i64, bad_color: &Tensor) -> Result<Message> {
    let &[batch, height, width, depth @ (1 | 3 | 4)] = tensor.shape().dims() else {
        bail!("tensor must be of rank 4 with 1, 3 or 4 channels, its shape is {}", tensor.shape())
    };
    ensure!(bad_color.rank() == 1, "bad_color must be a vector, its shape is {}", bad_color.shape());
    let bad_color = bad_color.as_slice::<u8>()?;
    ensure!(
        bad_color.len() >= depth || tensor.dtype() == DType::UInt8,
        "bad_color has {} channels, the pictures have {depth}",
        bad_color.len()
    );
    let mut summary = Message::default();
    for index in 0..batch.min(max_images as usize) {
        let pixels = pixels(tensor, index, &bad_color[..depth.min(bad_color.len())])?;
        let image = Message::default()
            .integer_unless_zero(1, height as u64)
            .integer_unless_zero(2, width as u64)
            .integer(3, depth as u64)
            .bytes(4, &encode(&pixels, [height, width, depth])?);
        let suffix = if max_images > 1 { format!("/image/{index}") } else { "/image".to_owned() };
        let value = Message::default().bytes(TAG, &[tag, suffix.as_bytes()].concat()).bytes(IMAGE, &image.into_bytes());
        summary = add_value(summary, value);
    }
    Ok(summary)
}

/// The bytes of a picture of a batch.
fn pixels(tensor: &Tensor, index: usize, bad_color: &[u8]) -> Result<Vec<u8>> {
    let count = tensor.shape()[1..].iter().product::<usize>();
    let range = index * count..(index + 1) * count;
    Ok(match tensor.dtype() {
        DType::UInt8 => tensor.as_slice::<u8>()?[range].to_vec(),
        DType::Half => normalized(&tensor.as_slice::<f16>()?[range], bad_color),
        DType::Double => normalized(&tensor.as_slice::<f64>()?[range], bad_color),
        _ => normalized(&tensor.as_slice::<f32>()?[range], bad_color),
    })
}

fn normalized<T: Float>(values: &[T], bad_color: &[u8]) -> Vec<u8> {
    let pixels = || values.chunks_exact(bad_color.len());
    let is_finite = |pixel: &&[T]| pixel.iter().all(|value| value.is_finite());
    let finite = || pixels().filter(is_finite).flatten().map(|&value| Float::to_f32(value));
    let (min, max) = (finite().fold(f32::INFINITY, f32::min), finite().fold(f32::NEG_INFINITY, f32::max));
    let (largest, top, zero) = if min < 0.0 { (min.abs().max(max.abs()), 127.0, 128.0) } else { (max, 255.0, 0.0) };
    let scale = T::from_f32(if largest < BLACK { 0.0 } else { top / largest });
    let scaled = |value: &T| (*value * scale + T::from_f32(zero)).to_f64().unwrap_or(0.0) as u8;
    // bounded: no longer than the input
    let mut bytes = Vec::with_capacity(values.len());
    for pixel in pixels() {
        if is_finite(&pixel) {
            bytes.extend(pixel.iter().map(scaled));
        } else {
            bytes.extend_from_slice(bad_color);
        }
    }
    bytes
}

fn encode(pixels: &[u8], [height, width, depth]: [usize; 3]) -> Result<Vec<u8>> {
    let failed = |error: png::EncodingError| Error::invalid_argument(format!("the picture cannot be encoded: {error}"));
    let extent = |extent: usize| u32::try_from(extent).map_err(|_| Error::invalid_argument("the picture is too large"));
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, extent(width)?, extent(height)?);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_color(match depth {
        1 => ColorType::Grayscale,
        3 => ColorType::Rgb,
        _ => ColorType::Rgba,
    });
    encoder.write_header().and_then(|mut writer| writer.write_image_data(pixels)).map_err(failed)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_are_scaled() {
        assert_eq!(normalized(&[0f32, 1.0, 2.0], &[9]), [0, 127, 255]);
        assert_eq!(normalized(&[-2f64, 0.0, 1.0], &[9]), [1, 128, 191]);
        assert_eq!(normalized(&[f32::NAN, 1.0, 2.0, 4.0], &[7, 9]), [7, 9, 127, 255]);
        assert_eq!(normalized(&[0f32, 1e-7], &[9]), [0, 0]);
    }
}
