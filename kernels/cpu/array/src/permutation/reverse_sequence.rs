//! `ReverseSequence`: the first elements of each sequence in reversed order.
//!
//! Along the attr `batch_dim` stand sequences, along `seq_dim` their elements; both count from 0 and differ. Of
//! sequence `i`, the first `seq_lengths[i]` elements, none to all, are reversed, the others stay. Every dtype.

use super::super::arguments;
use oplink::memory::try_vec;
use oplink::prelude::*;
use oplink_cpu_support::movement::{Axis, copy_axes_into, row_major_strides};
use oplink_ops::array::ReverseSequence;

/// `ReverseSequence` of numbers, bools and strings.
#[kernel(ReverseSequence, device = CPU, T = [numbers, bool, TString], Tlen = [i32, i64])]
pub fn reverse_sequence_cpu(
    input: &Tensor,
    seq_lengths: &Tensor,
    seq_dim: i64,
    batch_dim: i64,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let axis = |value: i64, name: &str| match usize::try_from(value) {
        Ok(axis) if axis < input.rank() => Ok(axis),
        _ => bail!("{name} must be an axis of an input of shape {}", input.shape()),
    };
    let (batch, sequence) = (axis(batch_dim, "batch_dim")?, axis(seq_dim, "seq_dim")?);
    ensure!(batch != sequence, "batch_dim and seq_dim must differ, both are {batch}");
    let (count, longest) = (input.shape()[batch], input.shape()[sequence]);
    let lengths = arguments::vector(seq_lengths, "seq_lengths")?;
    ensure!(lengths.len() == count, "seq_lengths has {} elements for {count} sequences", lengths.len());
    for (at, &length) in lengths.iter().enumerate() {
        ensure!((0..=longest as i64).contains(&length), "seq_lengths[{at}] = {length} is not in [0, {longest}]");
    }
    let strides = row_major_strides(input.shape());
    let index = |of: usize, at: usize| match at < lengths[of] as usize {
        true => lengths[of] as usize - 1 - at,
        false => at,
    };
    // The axes from one of the two to the other are one axis of indices, as those along both depend on each other.
    let (first, last) = (batch.min(sequence), batch.max(sequence));
    let between: usize = input.shape()[first + 1..last].iter().product();
    let mut table = try_vec(count * between * longest)?;
    for outer in env.watch(0..input.shape()[first]) {
        for middle in env.watch(0..between) {
            for inner in 0..input.shape()[last] {
                let (outer, inner) = match first == batch {
                    true => (outer, index(outer, inner)),
                    false => (index(inner, outer), inner),
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
    copy_axes_into(&env, output.allocate(input.shape().clone())?, input, 0, &axes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

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
