//! Elements in another order.

use oplink::prelude::*;

/// Exchanges the axes of `x`.
///
/// `perm` is a vector with each axis once; negative ones count from the end. Every dtype; `ConjugateTranspose` also
/// takes the conjugate of complex elements. Where only axes of extent 1 change place, `y` shares the memory of `x`.
#[op("Transpose", is(moves),
     input = "x: T",
     input = "perm: Tperm",
     output = "y: T",
     attr = "T: type",
     attr = "Tperm: {int32, int64} = DT_INT32",
     shape = shape_fns::transpose)]
pub struct Transpose;

/// Exchanges the axes of `x` and takes the conjugate of complex elements.
#[op("ConjugateTranspose",
     input = "x: T",
     input = "perm: Tperm",
     output = "y: T",
     attr = "T: type",
     attr = "Tperm: {int32, int64} = DT_INT32",
     shape = shape_fns::transpose)]
pub struct ConjugateTranspose;

/// Reverses `tensor` along the axes for which `dims` is true.
///
/// `dims` has a bool for each axis of `tensor`, of which there are 8 at most. An error where the first extent is 0.
#[op(
    "Reverse",
    is(moves),
    input = "tensor: T",
    input = "dims: bool",
    output = "output: T",
    attr = "T: {uint8, int8, uint16, int16, uint32, int32, uint64, int64, bool, bfloat16, half, float, double, complex64, complex128, string}"
)]
pub fn reverse(c: &mut ShapeContext<'_>) -> Result<()> {
    let mut input = c.input(0).clone();
    let dims = c.with_rank(1, 1)?;
    if let (None, Some(rank)) = (input.rank(), dims.dim(0)) {
        input = PartialShape::unknown_of_rank(rank);
    }
    ensure!(input.rank().is_none_or(|rank| rank <= 8), "tensor must have rank 8 at most, its shape is {input}");
    c.merge_dim(dims.dim(0), input.rank())?;
    c.set_output(0, input);
    Ok(())
}

/// Reverses `tensor` along the axes in `axis`.
///
/// `axis` is a vector of axes, negative ones counting from the end, each at most once.
#[op("ReverseV2", is(moves),
     input = "tensor: T",
     input = "axis: Tidx",
     output = "output: T",
     attr = "Tidx: {int32, int64} = DT_INT32",
     attr = "T: {uint8, int8, uint16, int16, int32, uint32, int64, uint64, bool, bfloat16, half, float, double, complex64, complex128, string}",
     shape = shape_fns::reverse_v2)]
pub struct ReverseV2;

/// Reverses the first `seq_lengths` elements along `seq_dim` for each position along `batch_dim`.
///
/// Along the attr `batch_dim` stand sequences, along `seq_dim` their elements; both count from 0 and differ. Of
/// sequence `i`, the first `seq_lengths[i]` elements, none to all, are reversed, the others stay. Every dtype.
#[op(
    "ReverseSequence",
    is(moves),
    input = "input: T",
    input = "seq_lengths: Tlen",
    output = "output: T",
    attr = "seq_dim: int",
    attr = "batch_dim: int = 0",
    attr = "T: type",
    attr = "Tlen: {int32, int64} = DT_INT64"
)]
pub fn reverse_sequence(c: &mut ShapeContext<'_>) -> Result<()> {
    let (input, lengths) = (c.input(0).clone(), c.with_rank(1, 1)?);
    let Some(rank) = input.rank() else { return Ok(()) };
    let axis = |name: &str| match c.attr::<i64>(name)? {
        axis if axis < rank as i64 => Ok(axis),
        axis => bail!("{name} {axis} must be less than the rank {rank}"),
    };
    let batch = axis("batch_dim")?;
    axis("seq_dim")?;
    let batch = oplink::shape_inference::normalize_axis(batch, rank)?;
    let sequences = c.merge_dim(input.dim(batch), lengths.dim(0))?;
    let mut dims = input.dims().unwrap_or_default().to_vec();
    dims[batch] = sequences;
    c.set_output(0, PartialShape::new(&dims));
    Ok(())
}

/// Moves the elements of `input` by `shift` positions along `axis`, around its ends.
///
/// `shift` and `axis` are scalars or vectors of one length: along each axis (negative counts from the end), elements
/// move `shift` positions up; an axis may come several times. Every dtype. `input` is a vector at least.
#[op(
    "Roll",
    is(moves),
    input = "input: T",
    input = "shift: Tshift",
    input = "axis: Taxis",
    output = "output: T",
    attr = "T: type",
    attr = "Tshift: {int32, int64}",
    attr = "Taxis: {int32, int64}"
)]
pub fn roll(c: &mut ShapeContext<'_>) -> Result<()> {
    let input = c.with_rank_at_least(0, 1)?;
    c.with_rank_at_most(1, 1)?;
    c.with_rank_at_most(2, 1)?;
    c.set_output(0, input);
    Ok(())
}

/// The inverse of the permutation `x`.
///
/// `x` is a vector with each of `0..n` once; anything else is an error.
#[op("InvertPermutation",
     no_gradient,
     input = "x: T",
     output = "y: T",
     attr = "T: {int32, int64} = DT_INT32",
     shape = shape_fns::invert_permutation)]
pub struct InvertPermutation;
