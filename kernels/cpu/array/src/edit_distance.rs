//! `EditDistance`: the Levenshtein distance between sequences in two sparse tensors.
//!
//! `hypothesis_*` and `truth_*` are the indices [count, rank], the values and the dense shape of sparse tensors of one
//! rank, 2 or more, indices in order. The values with equal leading coordinates are a sequence. The output has the
//! larger ones of both shapes' extents but the last, and at each position the fewest insertions, deletions and
//! substitutions that make the truth of the hypothesis; with `normalize` divided by the truth's length (infinite where
//! only the truth is empty). A NaN equals nothing, zeros of either sign are equal.

use super::arguments;
use super::unique::distinct::{Distinct, Zeros};
use oplink::memory::try_filled;
use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_cpu_support::movement::{Piece, join_rows, row_major_strides};
use oplink_ops::array::{EditDistance, EditDistanceInputs, larger};

/// `EditDistance` of numbers, bools and strings.
#[kernel(EditDistance, device = CPU, T = [numbers, bool, TString])]
pub fn edit_distance_cpu(
    inputs: EditDistanceInputs<'_>,
    normalize: bool,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let shape = arguments::vector(&inputs.hypothesis_shape, "hypothesis_shape")?;
    let dims = Shape::from_i64(&larger(&shape, &arguments::vector(&inputs.truth_shape, "truth_shape")?)?)?;
    let positions = dims.checked_num_elements().filter(|&count| count > 0);
    ensure!(positions.is_some(), "the output of shape {dims} has no positions");
    let [hypothesis, truth] = sequences(&inputs, &dims, env)?;
    let out = output.allocate(dims)?.as_mut_slice::<f32>()?;
    for ((out, hypothesis), truth) in out.iter_mut().zip(&hypothesis).zip(&truth) {
        let distance = levenshtein(hypothesis, truth) as f32;
        *out = match truth.len() {
            _ if !normalize => distance,
            0 if hypothesis.is_empty() => 0.0,
            length => distance / length as f32,
        };
    }
    Ok(())
}

/// The sequences of both sides at each position, elements as numbers that are equal where the elements are.
fn sequences(inputs: &EditDistanceInputs<'_>, dims: &Shape, env: Env<'_>) -> Result<[Vec<Vec<usize>>; 2]> {
    let (hypothesis, truth): (&Tensor, &Tensor) = (&inputs.hypothesis_values, &inputs.truth_values);
    ensure!(hypothesis.rank() == 1 && truth.rank() == 1, "hypothesis_values and truth_values must be vectors");
    let mut both = env.allocate(truth.dtype(), [hypothesis.num_elements() + truth.num_elements()])?;
    let pieces = [hypothesis, truth].map(|tensor| Piece { tensor, length: tensor.num_elements() });
    join_rows(&env, &mut both, &pieces)?;
    let numbers = Distinct::rows(&both, both.num_elements(), Zeros::Equal)?.numbers;
    let (left, right) = numbers.split_at(hypothesis.num_elements());
    Ok([
        by_position(&inputs.hypothesis_indices, left, dims, "hypothesis_indices")?,
        by_position(&inputs.truth_indices, right, dims, "truth_indices")?,
    ])
}

/// The numbers by the position that the leading coordinates of their row name.
fn by_position(indices: &Tensor, numbers: &[usize], dims: &Shape, name: &str) -> Result<Vec<Vec<usize>>> {
    let rank = dims.rank() + 1;
    ensure!(
        indices.shape().dims() == [numbers.len(), rank],
        "{name} must have the shape [{},{rank}], it has {}",
        numbers.len(),
        indices.shape()
    );
    let strides = row_major_strides(dims);
    let mut sequences = try_filled(Vec::new(), dims.num_elements())?;
    for (row, &number) in int_values(indices)?.chunks_exact(rank).zip(numbers) {
        let at = &row[..dims.rank()];
        let inside = at.iter().zip(dims.iter()).all(|(at, &dim)| (0..dim as i64).contains(at));
        ensure!(inside, "{name} has {row:?}, which is outside of the output of shape {dims}");
        let position: usize = at.iter().zip(&strides).map(|(&at, &stride)| at as usize * stride as usize).sum();
        sequences[position].push(number);
    }
    Ok(sequences)
}

/// The fewest insertions, deletions and substitutions that make `to` of `from`.
fn levenshtein(from: &[usize], to: &[usize]) -> usize {
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (at, a) in from.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (column, b) in to.iter().enumerate() {
            let change = diagonal + usize::from(a != b);
            diagonal = row[column + 1];
            row[column + 1] = change.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check_error, check_with};

    #[test]
    fn distances() {
        let numbers = |text: &str| text.bytes().map(usize::from).collect::<Vec<_>>();
        for (from, to, distance) in
            [("kitten", "sitting", 3), ("", "ab", 2), ("ab", "", 2), ("ab", "ba", 2), ("", "", 0)]
        {
            assert_eq!(levenshtein(&numbers(from), &numbers(to)), distance, "{from} {to}");
        }
    }

    fn sparse(rows: &[[i64; 2]], values: &[i32], shape: [i64; 2]) -> [Tensor; 3] {
        [Tensor::from_vec([rows.len(), 2], rows.concat()).unwrap(), values.into(), shape.into()]
    }

    #[test]
    fn sequences_by_position() {
        let [a, b, c] = sparse(&[[0, 0], [0, 1], [1, 0]], &[1, 2, 3], [2, 2]);
        let [d, e, f] = sparse(&[[0, 0], [0, 1], [2, 0]], &[1, 5, 3], [3, 2]);
        let inputs = [a, b, c, d, e, f];
        check_with("EditDistance", &[], inputs.clone(), [0.5f32, f32::INFINITY, 1.0]);
        check_with("EditDistance", &[("normalize", false.into())], inputs, [1.0f32, 1.0, 1.0]);
        let [a, b, c] = sparse(&[[5, 0]], &[1], [1, 1]);
        let [d, e, f] = sparse(&[[0, 0]], &[1], [1, 1]);
        check_error("EditDistance", [a, b, c, d, e, f], "is outside of the output of shape [1]");
    }
}
