//! Borders added to tensors, and their gradient.

use oplink::prelude::*;

pub use crate::attrs::MirrorMode;

/// Pads `input` with zeros.
///
/// Row `i` of `paddings`, [rank, 2], says how many positions come before and after axis `i`; the border holds
/// `constant_values`, a scalar, or the dtype's default (zero, false, empty). Every dtype. It is an error when a padding
/// is negative.
#[op("Pad", is(moves),
     input = "input: T",
     input = "paddings: Tpaddings",
     output = "output: T",
     attr = "T: type",
     attr = "Tpaddings: {int32, int64} = DT_INT32",
     shape = shape_fns::pad)]
pub struct Pad;

/// Pads `input` with `constant_values`.
#[op("PadV2", is(moves),
     input = "input: T",
     input = "paddings: Tpaddings",
     input = "constant_values: T",
     output = "output: T",
     attr = "T: type",
     attr = "Tpaddings: {int32, int64} = DT_INT32",
     shape = shape_fns::pad)]
pub struct PadV2;

/// Pads `input` with mirrored values.
///
/// Row `i` of `paddings`, [rank, 2], says how many positions come before and after axis `i`. The attr `mode` says
/// whether the edge itself is mirrored too (`SYMMETRIC`: paddings are at most the extent) or not (`REFLECT`: less than
/// the extent). Every dtype.
#[op("MirrorPad", is(moves),
     input = "input: T",
     input = "paddings: Tpaddings",
     output = "output: T",
     attr = "T: type",
     attr = "Tpaddings: {int32, int64} = DT_INT32",
     attr = "mode: {'REFLECT', 'SYMMETRIC'}",
     enums(mode = MirrorMode),
     shape = shape_fns::mirror_pad)]
pub struct MirrorPad;

/// Adds the elements in mirrored borders to those that they mirror.
///
/// `input` has the padded shape; `paddings` and `mode` are those of the pad. Along each axis in turn, what stands in
/// the border is added to what it mirrors. The 16-bit floats are summed in f32, integers wrap. It is an error when a
/// border is larger than what can be mirrored, and when nothing is left of an axis.
#[op(
    "MirrorPadGrad",
    input = "input: T",
    input = "paddings: Tpaddings",
    output = "output: T",
    attr = "T: type",
    attr = "Tpaddings: {int32, int64} = DT_INT32",
    attr = "mode: {'REFLECT', 'SYMMETRIC'}",
    enums(mode = MirrorMode)
)]
pub fn mirror_pad_grad(c: &mut ShapeContext<'_>) -> Result<()> {
    let paddings = c.with_rank(1, 2)?;
    c.merge_dim(paddings.dim(1), Some(2))?;
    let rank = paddings.dim(0);
    let Some(rank) = rank else { return Ok(()) };
    let input = c.with_rank(0, rank)?;
    let shape = match (c.constant_ints(1)?, input.dims()) {
        (None, _) | (_, None) => PartialShape::unknown_of_rank(rank),
        (Some(values), Some(dims)) => {
            let inner =
                |(&dim, row): (&Option<usize>, &[i64])| match (dim, usize::try_from(row[0]), usize::try_from(row[1])) {
                    (None, Ok(_), Ok(_)) => Ok(None),
                    (Some(dim), Ok(before), Ok(after)) if before + after <= dim => Ok(Some(dim - before - after)),
                    _ => bail!("paddings {row:?} do not fit an extent of {dim:?}"),
                };
            dims.iter().zip(values.chunks_exact(2)).map(inner).collect::<Result<_>>()?
        }
    };
    c.set_output(0, shape);
    Ok(())
}

/// Repeats `input`.
///
/// `multiples` is a vector with an element >= 0 for each axis. Every dtype.
#[op("Tile", is(moves),
     input = "input: T",
     input = "multiples: Tmultiples",
     output = "output: T",
     attr = "T: type",
     attr = "Tmultiples: {int32, int64} = DT_INT32",
     shape = shape_fns::tile)]
pub struct Tile;

/// The gradient of `Tile`: the sum of all repetitions.
///
/// `input` has the repeated shape, `multiples` is a vector with an element > 0 for each axis, which divides the axis's
/// extent. Along each axis in turn, the repetitions are added in their order. The 16-bit floats are summed in f32,
/// integers wrap.
#[op(
    "TileGrad",
    input = "input: T",
    input = "multiples: int32",
    output = "output: T",
    attr = "T: type",
    deprecated(since = 3, note = "TileGrad has been replaced with reduce_sum")
)]
pub fn tile_grad(c: &mut ShapeContext<'_>) -> Result<()> {
    c.set_output(0, PartialShape::unknown());
    Ok(())
}
