//! `EncodePng`.

use oplink::memory::try_vec;
use oplink::prelude::*;
use oplink_ops::image::EncodePng;
use png::{BitDepth, ColorType, DeflateCompression, Encoder, Filter};

/// `EncodePng` of both depths.
#[kernel(EncodePng, device = CPU, T = any)]
pub fn encode_png_cpu(image: &Tensor, compression: i64, mut contents: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    ensure!((-1..=9).contains(&compression), "compression must be -1 or between 0 and 9, it is {compression}");
    let &[ref batch @ .., rows, columns, channels] = image.shape().dims() else {
        bail!("image must be of rank 3 at least, its shape is {}", image.shape())
    };
    let (Ok(height), Ok(width)) = (i32::try_from(rows), i32::try_from(columns)) else {
        bail!("image has {rows} rows of {columns} pixels: too many for a PNG")
    };
    ensure!(rows > 0 && columns > 0, "image must have pixels, its shape is {}", image.shape());
    ensure!((1..=4).contains(&channels), "image must have 1 to 4 channels, it has {channels}");
    let out = contents.allocate(batch)?.as_mut_slice::<TString>()?;
    let bytes = image.as_bytes()?;
    let size = (bytes.len() / out.len().max(1)).max(1);
    let is_deep = image.dtype() == DType::UInt16;
    for (out, pixels) in out.iter_mut().zip(bytes.chunks_exact(size)) {
        env.poll();
        let mut file = Vec::new();
        let mut encoder = Encoder::new(&mut file, width as u32, height as u32);
        encoder.set_color(
            [ColorType::Grayscale, ColorType::GrayscaleAlpha, ColorType::Rgb, ColorType::Rgba][channels - 1],
        );
        encoder.set_depth(if is_deep { BitDepth::Sixteen } else { BitDepth::Eight });
        encoder.set_deflate_compression(match compression {
            -1 => DeflateCompression::Level(6),
            level => DeflateCompression::Level(level as u8),
        });
        encoder.set_filter(Filter::Adaptive);
        let mut writer = encoder.write_header().map_err(failed)?;
        if is_deep {
            let mut swapped = try_vec(pixels.len())?;
            swapped.extend(pixels.as_chunks::<2>().0.iter().flat_map(|&[low, high]| [high, low]));
            writer.write_image_data(&swapped).map_err(failed)?;
        } else {
            writer.write_image_data(pixels).map_err(failed)?;
        }
        writer.finish().map_err(failed)?;
        *out = TString::new(file);
    }
    Ok(())
}

fn failed(error: impl std::fmt::Display) -> Error {
    Error::internal(format!("the PNG cannot be encoded: {error}"))
}
