//! Blocks of images moved between space, depth and batch, and patches.

use crate::attrs::Padding;
use oplink::prelude::*;

attr_enum! {
    /// The order of axes in which blocks are moved between space and depth.
    pub enum DepthFormat { Nhwc = "NHWC", Nchw = "NCHW", NchwVectC = "NCHW_VECT_C" }
}

/// Moves positions of the batch to blocks along the axes behind it.
///
/// With `block_shape` [b, …] and `crops` [[before, after], …], element `(n * b + i, y, …)` of the input (batch first,
/// one axis for each block) goes to `(n', y * b + i - before, …)`, and what lies outside of the cropped extent
/// `y * b - before - after` is left out. `BatchToSpace` has two such axes and one block size for both, the attr
/// `block_size`. It is an error when the batch is no multiple of the product of the blocks, and when crops exceed an
/// extent.
#[op("BatchToSpaceND", is(moves),
     input = "input: T",
     input = "block_shape: Tblock_shape",
     input = "crops: Tcrops",
     output = "output: T",
     attr = "T: type",
     attr = "Tblock_shape: {int32, int64} = DT_INT32",
     attr = "Tcrops: {int32, int64} = DT_INT32",
     shape = shape_fns::batch_to_space_nd)]
pub struct BatchToSpaceND;

/// Moves positions of the batch to squares of `block_size` along the two axes behind it.
#[op("BatchToSpace", is(moves),
     input = "input: T",
     input = "crops: Tidx",
     output = "output: T",
     attr = "T: type",
     attr = "block_size: int >= 2",
     attr = "Tidx: {int32, int64} = DT_INT32",
     shape = shape_fns::batch_to_space)]
pub struct BatchToSpace;

/// Moves blocks along the axes behind the batch to positions in it.
///
/// With `block_shape` [b, …] and `paddings` [[before, after], …], the input (batch first, one axis for each block) is
/// padded with zeros, and its element `(n, y * b + i, …)` goes to `(i * batch + n, y, …)`, positions in the blocks of
/// the first axis counting most. `SpaceToBatch` has two such axes and one block size for both, the attr `block_size`.
/// It is an error when a padded extent is no multiple of its block.
#[op("SpaceToBatchND", is(moves),
     input = "input: T",
     input = "block_shape: Tblock_shape",
     input = "paddings: Tpaddings",
     output = "output: T",
     attr = "T: type",
     attr = "Tblock_shape: {int32, int64} = DT_INT32",
     attr = "Tpaddings: {int32, int64} = DT_INT32",
     shape = shape_fns::space_to_batch_nd)]
pub struct SpaceToBatchND;

/// Moves squares of `block_size` along the two axes behind the batch to positions in it.
#[op("SpaceToBatch", is(moves),
     input = "input: T",
     input = "paddings: Tpaddings",
     output = "output: T",
     attr = "T: type",
     attr = "Tpaddings: {int32, int64} = DT_INT32",
     attr = "block_size: int >= 2",
     shape = shape_fns::space_to_batch)]
pub struct SpaceToBatch;

/// Channels to squares of pixels.
///
/// With the attr `block_size` b, channel `(i * b + j) * c + k` of a pixel at (y, x) stands for channel `k` of the pixel
/// at `(y * b + i, x * b + j)`, c being the number of channels of the larger image. Every dtype, `data_format` `NHWC`
/// and `NCHW`. It is an error when the channels, or the rows and columns, do not divide.
#[op("DepthToSpace", is(moves),
     input = "input: T",
     output = "output: T",
     attr = "T: type",
     attr = "block_size: int >= 2",
     attr = "data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC'",
     enums(data_format = DepthFormat),
     shape = shape_fns::depth_to_space)]
pub struct DepthToSpace;

/// Squares of pixels to channels.
#[op("SpaceToDepth", is(moves),
     input = "input: T",
     output = "output: T",
     attr = "T: type",
     attr = "block_size: int >= 2",
     attr = "data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC'",
     enums(data_format = DepthFormat),
     shape = shape_fns::space_to_depth)]
pub struct SpaceToDepth;

/// The windows of `images`, each as one row of channels.
///
/// `images` is [batch, rows, columns, channels]. The attrs `ksizes`, `strides` and `rates` are [1, rows, columns, 1]:
/// the size of a window, the steps between windows and those between the pixels of a window. `patches` is [batch,
/// window rows, window columns, size of a window * channels], pixels row by row, zeros beside the image, which padding
/// `SAME` allows.
#[op(
    "ExtractImagePatches",
    is(moves),
    input = "images: T",
    output = "patches: T",
    attr = "ksizes: list(int) >= 4",
    attr = "strides: list(int) >= 4",
    attr = "rates: list(int) >= 4",
    attr = "T: {bfloat16, half, float, double, int8, int16, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128, bool}",
    attr = "padding: {'SAME', 'VALID'}",
    enums(padding = Padding)
)]
pub fn extract_image_patches(c: &mut ShapeContext<'_>) -> Result<()> {
    let images = c.with_rank(0, 4)?;
    let read = |name| spatial(c.attr(name)?, name);
    let (sizes, strides, rates) = (read("ksizes")?, read("strides")?, read("rates")?);
    let same = c.attr::<&str>("padding")? == "SAME";
    let extent = |axis: usize| {
        let at = axis - 1;
        let windows = images.dim(axis).map(|extent| Windows::new(extent, sizes[at], strides[at], rates[at], same));
        windows.transpose().map(|windows| windows.map(|windows| windows.count))
    };
    let depth = images.dim(3).map(|channels| patch_depth(sizes, channels)).transpose()?;
    let (rows, columns) = extent(1)?.zip(extent(2)?).unzip();
    let shape = PartialShape::new(&[images.dim(0), rows, columns, depth]);
    c.set_output(0, shape);
    Ok(())
}

/// The windows of `input`, each as one row of channels.
///
/// As `ExtractImagePatches`, of volumes: `input` is [batch, planes, rows, columns, channels], `ksizes` and `strides`
/// are [1, planes, rows, columns, 1].
#[op(
    "ExtractVolumePatches",
    is(moves),
    input = "input: T",
    output = "patches: T",
    attr = "ksizes: list(int) >= 5",
    attr = "strides: list(int) >= 5",
    attr = "T: realnumbertype",
    attr = "padding: {'SAME', 'VALID'}",
    enums(padding = Padding)
)]
pub fn extract_volume_patches(c: &mut ShapeContext<'_>) -> Result<()> {
    let input = c.with_rank(0, 5)?;
    let (sizes, strides) = (volume(c.attr("ksizes")?, "ksizes")?, volume(c.attr("strides")?, "strides")?);
    let same = c.attr::<&str>("padding")? == "SAME";
    let mut shape = vec![input.dim(0)];
    for axis in 0..3 {
        let windows = input.dim(axis + 1).map(|extent| Windows::new(extent, sizes[axis], strides[axis], 1, same));
        shape.push(windows.transpose()?.map(|windows| windows.count));
    }
    shape.push(input.dim(4).map(|channels| volume_depth(sizes, channels)).transpose()?);
    c.set_output(0, PartialShape::new(&shape));
    Ok(())
}

/// The three numbers for planes, rows and columns of an attr; those for batch and channels are 1.
pub fn volume(values: &[i64], name: &str) -> Result<[usize; 3]> {
    let &[batch, planes, rows, columns, channels, ..] = values else {
        bail!("{name} must have 5 elements, it is {values:?}")
    };
    if (batch, channels) != (1, 1) {
        return Err(Error::unimplemented(format!("{name} {values:?} must be 1 for batch and channels")));
    }
    let sizes = [planes, rows, columns];
    ensure!(sizes.iter().all(|&size| size > 0), "{name} {values:?} must be > 0");
    Ok(sizes.map(|size| size as usize))
}

/// The values of one patch of a volume.
///
/// # Errors
/// There are too many.
pub fn volume_depth(sizes: [usize; 3], channels: usize) -> Result<usize> {
    let rows = patch_depth([sizes[0], sizes[1]], 1)?;
    patch_depth([rows, sizes[2]], channels)
}

/// The values of one patch.
///
/// # Errors
/// There are more than an extent can be.
pub fn patch_depth(sizes: [usize; 2], channels: usize) -> Result<usize> {
    let depth = sizes.iter().try_fold(channels, |depth, &size| depth.checked_mul(size));
    match depth.filter(|&depth| i64::try_from(depth).is_ok()) {
        Some(depth) => Ok(depth),
        None => bail!("patches of {} by {} pixels with {channels} channels are too large", sizes[0], sizes[1]),
    }
}

/// The two numbers for rows and columns of an attr; those for batch and channels are 1.
pub fn spatial(values: &[i64], name: &str) -> Result<[usize; 2]> {
    let [batch, rows, columns, channels, ..] = values else { bail!("{name} must have 4 elements, it is {values:?}") };
    if (*batch, *channels) != (1, 1) {
        return Err(Error::unimplemented(format!("{name} {values:?} must be 1 for batch and channels")));
    }
    match (usize::try_from(*rows), usize::try_from(*columns)) {
        (Ok(rows @ 1..), Ok(columns @ 1..)) => Ok([rows, columns]),
        _ => Err(Error::out_of_range(format!("{name} {values:?} must be > 0"))),
    }
}

/// The windows inside an extent; none where one would reach beyond it by less than two strides.
fn valid_count(extent: usize, reach: usize, stride: usize) -> Result<usize> {
    match extent.saturating_add(stride).checked_sub(reach) {
        Some(rest) => Ok(rest / stride),
        None if reach < stride.saturating_mul(2).saturating_add(extent) => Ok(0),
        None => bail!("windows that reach over {reach} pixels do not fit an extent of {extent}"),
    }
}

/// The windows along one axis.
#[derive(Clone, Copy, Debug)]
pub struct Windows {
    /// Pixels of the image along the axis.
    pub extent: usize,
    /// Pixels that a window takes.
    pub size: usize,
    /// Pixels from one window to the next.
    pub stride: usize,
    /// Pixels from one pixel of a window to the next.
    pub rate: usize,
    /// Windows.
    pub count: usize,
    /// Padding before the first pixel.
    pub before: usize,
}

impl Windows {
    /// The windows along an axis of `extent` pixels; `same` pads so that each stride has one.
    ///
    /// # Errors
    /// The windows are too large, or do not fit.
    pub fn new(extent: usize, size: usize, stride: usize, rate: usize, same: bool) -> Result<Self> {
        let Some(reach) = (size - 1).checked_mul(rate).and_then(|reach| reach.checked_add(1)) else {
            bail!("windows of {size} pixels, {rate} apart, are too large")
        };
        let count = if same { extent.div_ceil(stride) } else { valid_count(extent, reach, stride)? };
        let needed = if same && count > 0 { ((count - 1) * stride).saturating_add(reach) } else { 0 };
        Ok(Self { extent, size, stride, rate, count, before: needed.saturating_sub(extent) / 2 })
    }

    /// The position of a pixel of a window, if it lies in the image.
    pub fn pixel(&self, window: usize, pixel: usize) -> Option<usize> {
        (window * self.stride + pixel * self.rate).checked_sub(self.before).filter(|&at| at < self.extent)
    }
}
