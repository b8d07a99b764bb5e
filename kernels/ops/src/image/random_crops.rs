//! Parts of images at random, and glimpses of them.

use oplink::prelude::*;

use super::sized::sized_image;

/// A part of `image`, [rows, columns, channels], of the rows and columns in `size`, at a random place.
#[op("RandomCrop",
     input = "image: T",
     input = "size: int64",
     output = "output: T",
     attr = "T: {uint8, int8, int16, int32, int64, float, double}",
     attr = "seed: int = 0",
     attr = "seed2: int = 0",
     deprecated(since = 8, note = "Random crop is now pure Python"),
     stateful,
     no_gradient,
     shape = crop)]
pub struct RandomCrop;

/// A random part of an image that covers enough of one of the boxes: where it begins, its size, and its box.
///
/// `image_size` is [rows, columns, channels], `bounding_boxes` [batch, count, 4] with `[y1, x1, y2, x2]` in parts of
/// the image. The part's width is its height times a number of `aspect_ratio_range`, its area in `area_range`, in
/// parts of the image; it covers at least `min_object_covered` of one box. After `max_attempts` tries it is the whole
/// image. Without boxes, which `use_image_if_no_bounding_boxes` allows, the image is the box. The channels are all:
/// they begin at 0, and their number is -1.
#[op("SampleDistortedBoundingBox",
     input = "image_size: T",
     input = "bounding_boxes: float",
     output = "begin: T",
     output = "size: T",
     output = "bboxes: float",
     attr = "T: {uint8, int8, int16, int32, int64}",
     attr = "seed: int = 0",
     attr = "seed2: int = 0",
     attr = "min_object_covered: float = 0.1",
     attr = "aspect_ratio_range: list(float) = [0.75, 1.3300000429153442]",
     attr = "area_range: list(float) = [0.05000000074505806, 1.0]",
     attr = "max_attempts: int = 100",
     attr = "use_image_if_no_bounding_boxes: bool = false",
     stateful,
     no_gradient,
     shape = sample)]
pub struct SampleDistortedBoundingBox;

/// As [`SampleDistortedBoundingBox`], with an input for what is covered.
#[op("SampleDistortedBoundingBoxV2",
     input = "image_size: T",
     input = "bounding_boxes: float",
     input = "min_object_covered: float",
     output = "begin: T",
     output = "size: T",
     output = "bboxes: float",
     attr = "T: {uint8, int8, int16, int32, int64}",
     attr = "seed: int = 0",
     attr = "seed2: int = 0",
     attr = "aspect_ratio_range: list(float) = [0.75, 1.3300000429153442]",
     attr = "area_range: list(float) = [0.05000000074505806, 1.0]",
     attr = "max_attempts: int = 100",
     attr = "use_image_if_no_bounding_boxes: bool = false",
     stateful,
     no_gradient,
     shape = sample)]
pub struct SampleDistortedBoundingBoxV2;

/// As [`SampleDistortedBoundingBoxV2`], of a seed of two numbers, the same part for the same seed.
#[op("StatelessSampleDistortedBoundingBox",
     input = "image_size: T",
     input = "bounding_boxes: float",
     input = "min_object_covered: float",
     input = "seed: Tseed",
     output = "begin: T",
     output = "size: T",
     output = "bboxes: float",
     attr = "T: {uint8, int8, int16, int32, int64}",
     attr = "Tseed: {int32, int64}",
     attr = "aspect_ratio_range: list(float) = [0.75, 1.3300000429153442]",
     attr = "area_range: list(float) = [0.05000000074505806, 1.0]",
     attr = "max_attempts: int = 100",
     attr = "use_image_if_no_bounding_boxes: bool = false",
     shape = sample)]
pub struct StatelessSampleDistortedBoundingBox;

/// Parts of images around points.
///
/// `input` is [batch, rows, columns, channels], `size` the rows and columns of a part, `offsets` [batch, 2] has a row
/// and a column for each image, those of the middle of the part: in pixels, or with `normalized` in parts of the image;
/// from the corner, or with `centered` from the centre, in halves. Beyond the image is noise: `uniform` between the
/// least and the largest value of the image, `gaussian` with mean and deviation of each channel, `zero` for none.
#[op("ExtractGlimpse",
     input = "input: float",
     input = "size: int32",
     input = "offsets: float",
     output = "glimpse: float",
     attr = "centered: bool = true",
     attr = "normalized: bool = true",
     attr = "uniform_noise: bool = true",
     attr = "noise: string = 'uniform'",
     no_gradient,
     shape = glimpse)]
pub struct ExtractGlimpse;

/// As [`ExtractGlimpse`]; offsets are those of the part's corner, and in pixels are not halved; only normalized ones
/// from the centre are those of the middle.
#[op("ExtractGlimpseV2",
     input = "input: float",
     input = "size: int32",
     input = "offsets: float",
     output = "glimpse: float",
     attr = "centered: bool = true",
     attr = "normalized: bool = true",
     attr = "uniform_noise: bool = true",
     attr = "noise: string = 'uniform'",
     shape = glimpse)]
pub struct ExtractGlimpseV2;

fn crop(c: &mut ShapeContext<'_>) -> Result<()> {
    let image = c.with_rank(0, 3)?;
    c.merge_dim(c.with_rank(1, 1)?.dim(0), Some(2))?;
    let shape = match c.constant_ints(1)?.as_deref() {
        Some(&[rows, columns]) => PartialShape::from_i64(Some(&[
            rows.max(-1),
            columns.max(-1),
            image.dim(2).map_or(-1, |extent| extent as i64),
        ]))?,
        _ => PartialShape::new(&[None, None, image.dim(2)]),
    };
    c.set_output(0, shape);
    Ok(())
}

fn sample(c: &mut ShapeContext<'_>) -> Result<()> {
    c.merge_dim(c.with_rank(0, 1)?.dim(0), Some(3))?;
    c.merge_dim(c.with_rank(1, 3)?.dim(2), Some(4))?;
    if c.num_inputs() > 2 {
        c.with_rank(2, 0)?;
    }
    if c.num_inputs() > 3 {
        c.merge_dim(c.with_rank(3, 1)?.dim(0), Some(2))?;
    }
    c.set_output(0, PartialShape::new(&[Some(3)]));
    c.set_output(1, PartialShape::new(&[Some(3)]));
    c.set_output(2, PartialShape::new(&[Some(1), Some(1), Some(4)]));
    Ok(())
}

fn glimpse(c: &mut ShapeContext<'_>) -> Result<()> {
    let (input, offsets) = (c.with_rank(0, 4)?, c.with_rank(2, 2)?);
    let batch = c.merge_dim(input.dim(0), offsets.dim(0))?;
    c.merge_dim(offsets.dim(1), Some(2))?;
    let shape = sized_image(c, batch, 1, input.dim(3))?;
    c.set_output(0, shape);
    Ok(())
}
