//! The convolution of images or volumes, whichever the ranks say, with any number of batch axes.

use oplink::prelude::*;
use oplink::shape::Dim;
use oplink::shape_fns::conv_output_size;
use oplink::shape_inference::shape_error;

use crate::attrs::WindowPadding;

/// Convolves images or volumes with a filter.
///
/// As `Conv2D` where `filter` is of rank 4, [rows, columns, depth / groups, out_depth], and as `Conv3D` where it is of
/// rank 5, with planes before the rows. `input` has `batch_dims` axes, any number of them, before those of an image or
/// volume, and the output too. `strides`, `dilations` (none: all 1) and `explicit_paddings` (of images alone) have
/// numbers for one batch axis, whatever `batch_dims` is. The 16-bit floats are summed in f32, integers wrap. An empty
/// filter is an error; `groups` other than 1 and channels before the rows are unimplemented on the CPU.
#[op("Conv",
     input = "input: T",
     input = "filter: T",
     output = "output: T",
     attr = "T: {half, bfloat16, float, double, int32}",
     attr = "strides: list(int)",
     attr = "padding: {'SAME', 'VALID', 'EXPLICIT'}",
     attr = "explicit_paddings: list(int) = []",
     attr = "data_format: {'CHANNELS_FIRST', 'CHANNELS_LAST'} = 'CHANNELS_LAST'",
     attr = "dilations: list(int) = []",
     attr = "batch_dims: int = 1",
     attr = "groups: int = 1",
     enums(padding = WindowPadding),
     shape = convolved)]
pub struct Conv;

fn convolved(c: &mut ShapeContext<'_>) -> Result<()> {
    let (input, filter) = (c.input(0).clone(), c.input(1).clone());
    let batch_dims: i64 = c.attr("batch_dims")?;
    let Ok(batch_dims) = usize::try_from(batch_dims) else {
        return Err(shape_error(format!("batch_dims must be >= 0, it is {batch_dims}")));
    };
    let (Some(dims), Some(filter_rank)) = (input.dims(), filter.rank()) else {
        c.set_output(0, PartialShape::unknown());
        return Ok(());
    };
    let rank = (dims.len() + 1).saturating_sub(batch_dims);
    if !matches!(rank, 4 | 5) {
        return Err(shape_error(format!("input {input} must have 3 or 4 axes beside {batch_dims} of batches")));
    }
    if filter_rank != rank {
        return Err(shape_error(format!("filter {filter} must be of rank {rank}, as input {input} is")));
    }
    let spatial = rank - 2;
    check_channels(c, dims[if channels_are_first(c)? { batch_dims } else { batch_dims + spatial }], &filter)?;
    let windows = windows(c, &dims[batch_dims..], &filter)?;
    let mut shape = dims[..batch_dims].to_vec();
    match channels_are_first(c)? {
        true => shape.extend([filter.dim(rank - 1)].iter().chain(&windows)),
        false => shape.extend(windows.iter().chain(&[filter.dim(rank - 1)])),
    }
    c.set_output(0, PartialShape::new(&shape));
    Ok(())
}

fn channels_are_first(c: &ShapeContext<'_>) -> Result<bool> {
    Ok(c.attr::<&str>("data_format")? == "CHANNELS_FIRST")
}

/// The extents of rows and columns, perhaps planes, of the output, of `image` without batch axes.
fn windows(c: &ShapeContext<'_>, image: &[Dim], filter: &PartialShape) -> Result<Vec<Dim>> {
    let (rank, first) = (image.len() + 1, usize::from(channels_are_first(c)?));
    let numbers = |name: &str| {
        let values = c.attr::<&[i64]>(name)?;
        let fits = values.len() == rank || name == "dilations" && values.is_empty();
        if fits { Ok(values) } else { Err(shape_error(format!("{name} must have {rank} elements, it is {values:?}"))) }
    };
    let (strides, dilations) = (numbers("strides")?, numbers("dilations")?);
    let (explicit, padding) = (c.attr::<&[i64]>("explicit_paddings")?, c.attr::<WindowPadding>("padding")?);
    let fits = match padding {
        WindowPadding::Explicit => rank == 4 && explicit.len() == 8 && explicit.iter().all(|&padding| padding >= 0),
        _ => explicit.is_empty(),
    };
    if !fits {
        return Err(shape_error(format!(
            "explicit_paddings must be 8 numbers >= 0 where padding is EXPLICIT, which is for images alone, and none \
             elsewhere; they are {explicit:?}, with padding {padding}"
        )));
    }
    let of = |axis: usize| {
        // In the attrs, one batch axis comes first.
        let at = first + axis + 1;
        let padding = match padding {
            WindowPadding::Same => shape_fns::Padding::Same,
            WindowPadding::Valid => shape_fns::Padding::Valid,
            WindowPadding::Explicit => {
                shape_fns::Padding::Explicit(explicit[2 * at] as usize, explicit[2 * at + 1] as usize)
            }
        };
        let dilation = dilations.get(at).copied().unwrap_or(1);
        conv_output_size(image[first + axis], filter.dim(axis), dilation, strides[at], padding)
    };
    (0..rank - 2).map(of).collect()
}

/// The channels of the input are those of the filter times `groups`, which divides those of the output.
fn check_channels(c: &ShapeContext<'_>, depth: Dim, filter: &PartialShape) -> Result<()> {
    let groups: i64 = c.attr("groups")?;
    let Some(groups) = usize::try_from(groups).ok().filter(|&groups| groups > 0) else {
        return Err(shape_error(format!("groups must be > 0, it is {groups}")));
    };
    let last = filter.rank().unwrap_or_default().saturating_sub(1);
    let (Some(depth), Some(of_filter)) = (depth, filter.dim(last - 1)) else { return Ok(()) };
    if of_filter == 0 {
        return Err(shape_error("the depth of the filter must be > 0"));
    }
    if depth % of_filter != 0 || depth / of_filter != groups {
        return Err(shape_error(format!(
            "the depth of the input ({depth}) must be that of the filter ({of_filter}) times groups ({groups})"
        )));
    }
    match filter.dim(last) {
        Some(out) if out % groups != 0 => {
            Err(shape_error(format!("the depth of the output ({out}) must be a multiple of groups ({groups})")))
        }
        _ => Ok(()),
    }
}
