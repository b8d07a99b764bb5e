//! `ReverseSequence`: the first elements of each sequence in reversed order.
//!
//! Along the attr `batch_dim` stand sequences, along `seq_dim` their elements; both count from 0 and differ. Of sequence
//! `i`, the first `seq_lengths[i]` elements, none to all, are reversed, the others stay. Every dtype.

use oplink::prelude::*;

use super::arguments;
use crate::support::movement::{Axis, copy_axes, row_major_strides};

/// Reverses the first `seq_lengths` elements along `seq_dim` for each position along `batch_dim`.
#[op(
    "ReverseSequence",
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
    let batch = oplink::normalize_axis(batch, rank)?;
    let sequences = c.merge_dim(input.dim(batch), lengths.dim(0))?;
    let mut dims = input.dims().unwrap_or_default().to_vec();
    dims[batch] = sequences;
    c.set_output(0, PartialShape::new(&dims));
    Ok(())
}

/// `ReverseSequence` of numbers, bools and strings.
#[kernel(ReverseSequence, device = CPU, T = [numbers, bool, TString], Tlen = [i32, i64])]
pub fn reverse_sequence_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let input = context.input(0);
    let axis = |name: &str| match usize::try_from(context.attr::<i64>(name)?) {
        Ok(axis) if axis < input.rank() => Ok(axis),
        _ => bail!("{name} must be an axis of an input of shape {}", input.shape()),
    };
    let (batch, sequence) = (axis("batch_dim")?, axis("seq_dim")?);
    ensure!(batch != sequence, "batch_dim and seq_dim must differ, both are {batch}");
    let (count, longest) = (input.shape()[batch], input.shape()[sequence]);
    let lengths = arguments::vector(context, 1, "seq_lengths")?;
    ensure!(lengths.len() == count, "seq_lengths has {} elements for {count} sequences", lengths.len());
    for (at, &length) in lengths.iter().enumerate() {
        ensure!((0..=longest as i64).contains(&length), "seq_lengths[{at}] = {length} is not in [0, {longest}]");
    }
    let strides = row_major_strides(input.shape());
    let place = |of: usize, at: usize| match at < lengths[of] as usize {
        true => lengths[of] as usize - 1 - at,
        false => at,
    };
    // The axes from one of the two to the other are one axis of places, as those along both depend on each other.
    let (first, last) = (batch.min(sequence), batch.max(sequence));
    let between: usize = input.shape()[first + 1..last].iter().product();
    let mut table = Vec::with_capacity(count * between * longest);
    for outer in 0..input.shape()[first] {
        for middle in 0..between {
            for inner in 0..input.shape()[last] {
                let (outer, inner) = match first == batch {
                    true => (outer, place(outer, inner)),
                    false => (place(inner, outer), inner),
                };
                let middle = middle * input.shape()[last] * strides[last] as usize;
                table.push((outer * strides[first] as usize + middle + inner * strides[last] as usize) as isize);
            }
        }
    }
    let (outer, inner): (usize, usize) =
        (input.shape()[..first].iter().product(), input.shape()[last + 1..].iter().product());
    let axes = [
        Axis::Strided { count: outer, stride: (table.len() * inner) as isize },
        Axis::Table(&table),
        Axis::Strided { count: inner, stride: 1 },
    ];
    let out = copy_axes(context, 0, input.shape().clone(), input, 0, &axes)?;
    context.set_output(0, out);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run;

    fn reverse(input: Tensor, lengths: &[i64], sequence: i64, batch: i64) -> Result<Vec<i32>> {
        let attrs = [("seq_dim", sequence.into()), ("batch_dim", batch.into())];
        Ok(run("ReverseSequence", &attrs, vec![input, lengths.into()])?[0].as_slice::<i32>()?.to_vec())
    }

    #[test]
    fn reverses_beginnings() {
        let x = || Tensor::from_vec([2, 3], vec![1, 2, 3, 4, 5, 6]).unwrap();
        assert_eq!(reverse(x(), &[2, 3], 1, 0).unwrap(), [2, 1, 3, 6, 5, 4]);
        assert_eq!(reverse(x(), &[2, 1, 0], 0, 1).unwrap(), [4, 2, 3, 1, 5, 6]);
        let cube = Tensor::from_vec([2, 2, 2], (0..8).collect::<Vec<i32>>()).unwrap();
        assert_eq!(reverse(cube.clone(), &[1, 2], 2, 0).unwrap(), [0, 1, 2, 3, 5, 4, 7, 6]);
        assert_eq!(reverse(cube, &[1, 2], 0, 2).unwrap(), [0, 5, 2, 7, 4, 1, 6, 3]);
        for (lengths, sequence, batch) in
            [(&[2, 4][..], 1, 0), (&[2, -1], 1, 0), (&[2], 1, 0), (&[1, 1], 0, 0), (&[1, 1], 2, 0), (&[1, 1], -1, 0)]
        {
            assert!(reverse(x(), lengths, sequence, batch).is_err(), "{lengths:?} {sequence} {batch}");
        }
    }
}
