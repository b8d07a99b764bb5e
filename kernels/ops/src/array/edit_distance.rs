//! `EditDistance`: the Levenshtein distance between sequences in two sparse tensors.
//!
//! `hypothesis_*` and `truth_*` are the indices [count, rank], the values and the dense shape of sparse tensors of one
//! rank, 2 or more, indices in order. The values with equal leading coordinates are a sequence. The output has the
//! larger ones of both shapes' extents but the last, and at each position the fewest insertions, deletions and
//! substitutions that make the truth of the hypothesis; with `normalize` divided by the truth's length (infinite where
//! only the truth is empty). A NaN equals nothing, zeros of either sign are equal.

use oplink::prelude::*;

/// The Levenshtein distance between the sequences of a hypothesis and a truth.
#[op(
    "EditDistance",
    no_gradient,
    input = "hypothesis_indices: int64",
    input = "hypothesis_values: T",
    input = "hypothesis_shape: int64",
    input = "truth_indices: int64",
    input = "truth_values: T",
    input = "truth_shape: int64",
    output = "output: float",
    attr = "normalize: bool = true",
    attr = "T: type"
)]
pub fn edit_distance(c: &mut ShapeContext<'_>) -> Result<()> {
    for first in [0, 3] {
        let (indices, values) = (c.with_rank(first, 2)?, c.with_rank(first + 1, 1)?);
        c.merge_dim(indices.dim(0), values.dim(0))?;
        c.merge_dim(indices.dim(1), c.with_rank(first + 2, 1)?.dim(0))?;
    }
    if let (Some(hypothesis), Some(truth)) = (c.constant_ints(2)?, c.constant_ints(5)?) {
        let shape = Shape::from_i64(&larger(&hypothesis, &truth)?)?;
        c.set_output(0, shape);
    }
    Ok(())
}

/// The larger extents of two shapes but the last.
pub fn larger(hypothesis: &[i64], truth: &[i64]) -> Result<Vec<i64>> {
    ensure!(
        hypothesis.len() == truth.len() && truth.len() >= 2,
        "hypothesis_shape {hypothesis:?} and truth_shape {truth:?} must have one length, 2 at least"
    );
    Ok(hypothesis.iter().zip(truth).take(truth.len() - 1).map(|(a, b)| *a.max(b)).collect())
}
