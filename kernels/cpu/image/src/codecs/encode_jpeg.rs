//! `EncodeJpeg` and `EncodeJpegVariableQuality`.
//!
//! Colours are converted and halved here, in the integers of libjpeg: `jpeg_encoder` gets pixels of luma and chroma,
//! and adds the cosine transform, which is libjpeg's too, and the codes.

use jpeg_encoder::{ColorType, Encoder, PixelDensity, PixelDensityUnit, SamplingFactor};
use oplink::memory::try_vec;
use oplink::prelude::*;
use oplink_ops::image::{DensityUnit, EncodeJpeg, EncodeJpegAttrs, EncodeJpegVariableQuality, JpegFormat};

/// What the segment of an XMP packet starts with.
const XMP: &[u8] = b"http://ns.adobe.com/xap/1.0/\0";

/// `EncodeJpeg`.
#[kernel(EncodeJpeg, device = CPU)]
pub fn encode_jpeg_cpu(image: &Tensor, attrs: EncodeJpegAttrs<'_>, mut contents: OutputSlot<'_>) -> Result<()> {
    let picture = Picture::new(image, attrs.format, attrs.quality)?;
    let density = |name: &str, value: i64| {
        u16::try_from(value)
            .map_err(|_| Error::invalid_argument(format!("{name} must be between 0 and {}, it is {value}", u16::MAX)))
    };
    let density = (density("x_density", attrs.x_density)?, density("y_density", attrs.y_density)?);
    let unit = match attrs.density_unit {
        DensityUnit::Inch => PixelDensityUnit::Inches,
        DensityUnit::Centimeter => PixelDensityUnit::Centimeters,
    };
    let scans = if attrs.progressive || attrs.optimize_size { Scans::EachChannel } else { Scans::Together };
    let file = picture.encode(attrs.chroma_downsampling, scans, |encoder| {
        encoder.set_progressive(attrs.progressive);
        encoder.set_optimized_huffman_tables(attrs.optimize_size);
        encoder.set_density(PixelDensity { density, unit });
        if !attrs.xmp_metadata.is_empty() {
            encoder.add_app_segment(1, [XMP, attrs.xmp_metadata.as_bytes()].concat())?;
        }
        Ok(())
    })?;
    contents.set_scalar(TString::new(file));
    Ok(())
}

/// `EncodeJpegVariableQuality`.
#[kernel(EncodeJpegVariableQuality, device = CPU)]
pub fn encode_jpeg_variable_quality_cpu(images: &Tensor, quality: &Tensor, mut contents: OutputSlot<'_>) -> Result<()> {
    ensure!(quality.rank() == 0, "quality must be a scalar, its shape is {}", quality.shape());
    let picture = Picture::new(images, JpegFormat::Default, quality.to_scalar::<i32>()?.into())?;
    let file = picture.encode(true, Scans::Together, |encoder| {
        encoder.set_density(PixelDensity { density: (300, 300), unit: PixelDensityUnit::Inches });
        Ok(())
    })?;
    contents.set_scalar(TString::new(file));
    Ok(())
}

/// How channels are written, which says how many blocks of each there are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scans {
    /// Whole units of blocks of all channels.
    Together,
    /// Of each channel the blocks that it has pixels in.
    EachChannel,
}

/// An image that a JPEG can hold.
struct Picture<'a> {
    pixels: &'a [u8],
    rows: u16,
    columns: u16,
    /// `Luma`, or `Ycbcr` where the pixels have a colour.
    color: ColorType,
    quality: u8,
}

impl<'a> Picture<'a> {
    fn new(image: &'a Tensor, format: JpegFormat, quality: i64) -> Result<Self> {
        let &[rows, columns, channels] = image.shape().dims() else {
            bail!("the image must be of rank 3, its shape is {}", image.shape())
        };
        let color = match (format, channels) {
            (JpegFormat::Default | JpegFormat::Grayscale, 1) => ColorType::Luma,
            (JpegFormat::Default | JpegFormat::Rgb, 3) => ColorType::Ycbcr,
            _ => bail!("the image has {channels} channels: a grey JPEG has 1, one in colour 3"),
        };
        let (Ok(rows), Ok(columns)) = (u16::try_from(rows), u16::try_from(columns)) else {
            bail!("the image has {rows} rows of {columns} pixels: a JPEG has 65535 of each at most")
        };
        ensure!(rows > 0 && columns > 0, "the image must have pixels, its shape is {}", image.shape());
        ensure!((0..=100).contains(&quality), "quality must be between 0 and 100, it is {quality}");
        Ok(Self { pixels: image.as_slice()?, rows, columns, color, quality: quality.max(1) as u8 })
    }

    /// Encodes whole units of blocks, filled up as libjpeg does, and says the true extents in the header.
    fn encode(
        &self,
        chroma_downsampling: bool,
        scans: Scans,
        set: impl FnOnce(&mut Encoder<&mut Vec<u8>>) -> Result<(), jpeg_encoder::EncodingError>,
    ) -> Result<Vec<u8>> {
        let is_grey = self.color == ColorType::Luma;
        let halves = chroma_downsampling && !is_grey;
        let unit = if halves && scans == Scans::Together { 16 } else { 8 };
        let whole = |extent: u16| extent.checked_next_multiple_of(unit).unwrap_or(extent);
        let (rows, columns) = (whole(self.rows), whole(self.columns));
        let pixels = match (is_grey, halves) {
            (true, _) => self.filled_up(self.pixels, rows, columns, 1)?,
            (false, false) => self.filled_up(&self.converted()?, rows, columns, 3)?,
            (false, true) => self.halved(&self.converted()?, rows, columns)?,
        };
        let mut file = Vec::new();
        let mut encoder = Encoder::new(&mut file, self.quality);
        // Where colours have half the size, four pixels have one colour already.
        encoder.set_sampling_factor(if halves { SamplingFactor::F_2_2 } else { SamplingFactor::F_1_1 });
        let encoded = set(&mut encoder).and_then(|()| encoder.encode(&pixels, columns, rows, self.color));
        encoded.map_err(|error| Error::invalid_argument(format!("the JPEG cannot be encoded: {error}")))?;
        set_extents(&mut file, self.rows, self.columns)?;
        Ok(file)
    }

    /// The pixels as luma and chroma, rounded as libjpeg rounds.
    fn converted(&self) -> Result<Vec<u8>> {
        let mut out = try_vec(self.pixels.len())?;
        for pixel in self.pixels.chunks_exact(3) {
            let weighted = |weights: [i32; 3], offset: i32| {
                let sum: i32 = weights.iter().zip(pixel).map(|(weight, &value)| weight * i32::from(value)).sum();
                ((sum + offset) >> 16) as u8
            };
            let middle = (128 << 16) + 0x7FFF;
            out.push(weighted([19595, 38470, 7471], 0x8000));
            out.push(weighted([-11059, -21709, 32768], middle));
            out.push(weighted([32768, -27439, -5329], middle));
        }
        Ok(out)
    }

    /// The pixels with the last column and the last row repeated.
    fn filled_up(&self, pixels: &[u8], rows: u16, columns: u16, channels: usize) -> Result<Vec<u8>> {
        let (rows, columns, line) = (usize::from(rows), usize::from(columns), usize::from(self.columns) * channels);
        let mut out = try_vec(rows * columns * channels)?;
        for row in 0..rows {
            let line = &pixels[row.min(usize::from(self.rows) - 1) * line..][..line];
            out.extend_from_slice(line);
            for _ in usize::from(self.columns)..columns {
                out.extend_from_slice(&line[line.len() - channels..]);
            }
        }
        Ok(out)
    }

    /// The pixels filled up, with one colour for each square of four: the mean, of which halves are rounded down in
    /// even columns of squares and up in odd ones. Rows below the image repeat the last row of squares.
    fn halved(&self, pixels: &[u8], rows: u16, columns: u16) -> Result<Vec<u8>> {
        let mut out = self.filled_up(pixels, rows, columns, 3)?;
        let (last_row, last_column) = (usize::from(self.rows) - 1, usize::from(self.columns) - 1);
        let at = |row: usize, column: usize, channel: usize| {
            let pixel = row.min(last_row) * (last_column + 1) + column.min(last_column);
            u16::from(pixels[pixel * 3 + channel])
        };
        for (index, pixel) in out.chunks_exact_mut(3).enumerate() {
            let (row, column) = (index / usize::from(columns), index % usize::from(columns));
            let (top, left) = (row.min(last_row) & !1, column & !1);
            for (channel, value) in pixel.iter_mut().enumerate().skip(1) {
                let above = at(top, left, channel) + at(top, left + 1, channel);
                let below = at(top + 1, left, channel) + at(top + 1, left + 1, channel);
                *value = ((above + below + 1 + (column / 2 % 2) as u16) / 4) as u8;
            }
        }
        Ok(out)
    }
}

/// Sets the extents that the header of a JPEG says.
fn set_extents(file: &mut [u8], rows: u16, columns: u16) -> Result<()> {
    let mut at = 2;
    while let Some(&[0xFF, marker, high, low]) = file.get(at..at + 4) {
        if matches!(marker, 0xC0..=0xC2) {
            let ([top, bottom], [left, right]) = (rows.to_be_bytes(), columns.to_be_bytes());
            file[at + 5..at + 9].copy_from_slice(&[top, bottom, left, right]);
            return Ok(());
        }
        at += 2 + usize::from(u16::from_be_bytes([high, low]));
    }
    Err(Error::internal("the encoded JPEG has no frame"))
}
