//! PNG pictures as feeds.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use oplink::{DType, Error, PartialShape, Result, Tensor, bail, ensure};

/// Decodes a PNG to `[height, width, channels]`, or `[1, height, width, channels]` for a placeholder of rank 4.
///
/// Bytes stay 0-255 for uint8 placeholders; float placeholders get the same numbers as floats. A placeholder with one
/// channel takes gray pictures, one with three RGB (an alpha channel is dropped).
pub(super) fn read_png(path: &Path, dtype: DType, shape: &PartialShape) -> Result<Tensor> {
    let at = |e: &dyn std::fmt::Display| Error::invalid_argument(format!("{}: {e}", path.display()));
    let mut decoder = png::Decoder::new(BufReader::new(File::open(path).map_err(|e| Error::io(path.display(), e))?));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(|e| at(&e))?;
    let size = reader.output_buffer_size().ok_or_else(|| at(&"the picture is too large"))?;
    let mut bytes = vec![0; size];
    let info = reader.next_frame(&mut bytes).map_err(|e| at(&e))?;
    bytes.truncate(info.buffer_size());
    let (height, width) = (info.height as usize, info.width as usize);
    let channels = info.color_type.samples();
    let rank = shape.rank().unwrap_or(4);
    let wanted = if rank >= 3 { shape.dim(rank - 1).unwrap_or(channels) } else { 1 };
    let bytes =
        select_channels(&bytes, channels, wanted).map_err(|e| e.context(format!("reading {}", path.display())))?;
    let mut dims = vec![1; rank.saturating_sub(3)];
    dims.extend([height, width]);
    if rank >= 3 {
        dims.push(wanted);
    }
    ensure!(
        shape.accepts(&dims),
        "{}: a picture of {height}x{width} does not fit the placeholder's shape {shape}",
        path.display()
    );
    match dtype {
        DType::UInt8 => Tensor::from_vec(dims, bytes),
        DType::Float => Tensor::from_vec(dims, bytes.iter().map(|&b| f32::from(b)).collect()),
        other => bail!("{}: a picture feeds a placeholder of uint8 or float, not {other}", path.display()),
    }
}

/// Keeps the first `wanted` of each pixel's `channels`.
fn select_channels(bytes: &[u8], channels: usize, wanted: usize) -> Result<Vec<u8>> {
    ensure!(
        wanted >= 1 && wanted <= channels && !(wanted == 1 && channels >= 3),
        "the picture has {channels} channel(s), the placeholder wants {wanted}: convert it first"
    );
    Ok(bytes.chunks_exact(channels).flat_map(|pixel| &pixel[..wanted]).copied().collect())
}
