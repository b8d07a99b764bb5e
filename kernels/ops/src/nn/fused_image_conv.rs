//! Convolutions of images that are resized, and get a border of their own pixels, on the way.
//!
//! `input` is [batch, rows, columns, depth], `filter` is [rows, columns, depth, out_depth]. `paddings`, [4, 2], says
//! how many rows and columns come before and after, none for batch and depth. The attr `mode` says whether the edge
//! itself is mirrored too (`SYMMETRIC`: a border is at most the extent) or not (`REFLECT`: less than the extent). It is
//! an error when input or output are empty.
//!
//! Windows are those of `Conv2D`, but for those smaller than their stride, which begin inside the image by half of what
//! they leave out of it.

use oplink::prelude::*;
use oplink::shape::Dim;
use oplink::shape_fns::conv_output_size;
use oplink::shape_inference::shape_error;

use crate::attrs::{MirrorMode, Padding};

/// Mirrors a border around images, then convolves them with a filter.
///
/// The 16-bit floats are summed in f32. Each image of a batch is convolved by itself, where TensorFlow convolves the
/// first one for all.
#[op("FusedPadConv2D",
     input = "input: T",
     input = "paddings: int32",
     input = "filter: T",
     output = "output: T",
     attr = "T: {half, bfloat16, float, double}",
     attr = "mode: {'REFLECT', 'SYMMETRIC'}",
     attr = "strides: list(int)",
     attr = "padding: {'SAME', 'VALID'}",
     enums(mode = MirrorMode, padding = Padding),
     shape = padded)]
pub struct FusedPadConv2D;

/// Resizes images to the rows and columns in `size` as `ResizeBilinear` does, mirrors a border around them, then
/// convolves them with a filter.
///
/// Pixels are interpolated in the dtype itself, the 16-bit floats summed in f32. Each image of a batch is convolved by
/// itself, where TensorFlow convolves the first one for all.
#[op("FusedResizeAndPadConv2D",
     input = "input: T",
     input = "size: int32",
     input = "paddings: int32",
     input = "filter: T",
     output = "output: T",
     attr = "T: {half, float, double}",
     attr = "resize_align_corners: bool = false",
     attr = "mode: {'REFLECT', 'SYMMETRIC'}",
     attr = "strides: list(int)",
     attr = "padding: {'SAME', 'VALID'}",
     enums(mode = MirrorMode, padding = Padding),
     shape = resized_and_padded)]
pub struct FusedResizeAndPadConv2D;

fn padded(c: &mut ShapeContext<'_>) -> Result<()> {
    let input = c.with_rank(0, 4)?;
    convolved(c, [input.dim(0), input.dim(1), input.dim(2), input.dim(3)], 1)
}

fn resized_and_padded(c: &mut ShapeContext<'_>) -> Result<()> {
    let input = c.with_rank(0, 4)?;
    c.merge(c.input(1), &PartialShape::new(&[Some(2)]))?;
    let extent = |value: i64| match usize::try_from(value) {
        Ok(value) => Ok(Some(value)),
        Err(_) if value == -1 => Ok(None),
        Err(_) => Err(shape_error(format!("rows and columns must be > 0, they have {value}"))),
    };
    let [rows, columns] = match c.constant_ints(1)?.as_deref() {
        Some(&[rows, columns]) => [extent(rows)?, extent(columns)?],
        _ => [None; 2],
    };
    convolved(c, [input.dim(0), rows, columns, input.dim(3)], 2)
}

/// The convolution of images of these extents, the input at `paddings` around them, by the filter that comes next.
fn convolved(c: &mut ShapeContext<'_>, mut image: [Dim; 4], paddings: usize) -> Result<()> {
    c.merge(c.input(paddings), &PartialShape::new(&[Some(4), Some(2)]))?;
    match c.constant_ints(paddings)? {
        None => image = [None; 4],
        Some(values) => {
            for (dim, row) in image.iter_mut().zip(values.chunks_exact(2)) {
                let (Ok(before), Ok(after)) = (usize::try_from(row[0]), usize::try_from(row[1])) else {
                    return Err(shape_error(format!("paddings must be >= 0, they are {row:?}")));
                };
                *dim = dim.map(|dim| dim.saturating_add(before).saturating_add(after));
            }
        }
    }
    let filter = c.with_rank(paddings + 1, 4)?;
    c.merge_dim(image[3], filter.dim(2))?;
    let strides = c.attr::<&[i64]>("strides")?;
    let &[_, down, along, _] = strides else {
        return Err(shape_error(format!("strides must have 4 elements, it is {strides:?}")));
    };
    let padding = match c.attr::<Padding>("padding")? {
        Padding::Same => shape_fns::Padding::Same,
        Padding::Valid => shape_fns::Padding::Valid,
    };
    let rows = conv_output_size(image[1], filter.dim(0), 1, down, padding)?;
    let columns = conv_output_size(image[2], filter.dim(1), 1, along, padding)?;
    c.set_output(0, PartialShape::new(&[image[0], rows, columns, filter.dim(3)]));
    Ok(())
}
