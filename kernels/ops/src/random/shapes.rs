//! Shape functions of ops that draw random numbers, beyond those in [`shape_fns`].

use oplink::prelude::*;

/// Words of the counter and the key that `RngReadAndSkip` gives.
const STATE_SIZE: usize = 3;

/// The shape in input 2, with a scalar algorithm in input 1.
pub(super) fn stateful(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(1, 0)?;
    shape_of_input(c, 2)
}

/// The shape in input 1.
pub(super) fn stateful_without_algorithm(c: &mut ShapeContext<'_>) -> Result<()> {
    shape_of_input(c, 1)
}

/// As [`stateful`], with scalar bounds in inputs 3 and 4.
pub(super) fn stateful_uniform_int(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(3, 0)?;
    c.with_rank(4, 0)?;
    stateful(c)
}

/// No output; the algorithm and the distance are scalars.
pub(super) fn rng_skip(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(1, 0)?;
    c.with_rank(2, 0)?;
    Ok(())
}

/// The words of a position; the algorithm and the distance are scalars.
pub(super) fn rng_read_and_skip(c: &mut ShapeContext<'_>) -> Result<()> {
    rng_skip(c)?;
    c.set_output(0, PartialShape::new(&[Some(STATE_SIZE)]));
    Ok(())
}

/// The shape in input 0, with parameters of rank 1 at most in the others.
pub(super) fn parameterized_truncated_normal(c: &mut ShapeContext<'_>) -> Result<()> {
    for input in 1..5 {
        c.with_rank_at_most(input, 1)?;
    }
    shape_fns::random(c)
}

/// As [`shape_fns::unchanged`] of input 0, with a key, a counter and an algorithm in inputs 1 to 3.
pub(super) fn stateless_unchanged(c: &mut ShapeContext<'_>) -> Result<()> {
    let key = c.with_rank(1, 1)?;
    c.merge_dim(key.dim(0), Some(1))?;
    c.with_rank(2, 1)?;
    c.with_rank(3, 0)?;
    shape_fns::unchanged(c)
}

/// `RandomIndexShuffle`: a scalar for scalars and one seed, otherwise a vector. As TensorFlow infers, a seed of a known
/// rank must be known to have three words.
pub(super) fn random_index_shuffle(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank_at_least(1, 1)?;
    let (index, seed, last) = (c.with_rank_at_most(0, 1)?, c.with_rank_at_most(1, 2)?, c.with_rank_at_most(2, 1)?);
    if let Some(rank @ (1 | 2)) = seed.rank() {
        ensure!(seed.dim(rank - 1) == Some(3), "seed must have the shape [3] or [n,3], its shape is {seed}");
    }
    if [index.rank(), seed.rank(), last.rank()] == [Some(0), Some(1), Some(0)] {
        c.set_output(0, PartialShape::scalar());
        return Ok(());
    }
    let vectors = [(&index, 1), (&seed, 2), (&last, 1)];
    let counts: Vec<_> =
        vectors.iter().filter(|(shape, rank)| shape.rank() == Some(*rank)).map(|(shape, _)| shape.dim(0)).collect();
    let known = counts.iter().flatten().next();
    for count in counts.iter().flatten() {
        let fits = known == Some(count) || *count <= 1 || known.is_some_and(|known| *known <= 1);
        ensure!(fits, "vectors must have one length, there are {known:?} and {count}");
    }
    let shape = if counts.is_empty() { PartialShape::unknown() } else { PartialShape::new(&[known.copied()]) };
    c.set_output(0, shape);
    Ok(())
}

fn shape_of_input(c: &mut ShapeContext<'_>, input: usize) -> Result<()> {
    let shape = c.make_shape_from_tensor(input)?;
    c.set_output(0, shape);
    Ok(())
}

/// Candidate samplers: `num_sampled` classes, and expectations of these and of a matrix of `num_true` columns.
pub(super) fn candidate_sampler(c: &mut ShapeContext<'_>) -> Result<()> {
    let sampled = extent(c, "num_sampled")?;
    let classes = c.with_rank(0, 2)?;
    let expected = PartialShape::new(&[classes.dim(0), extent(c, "num_true")?]);
    c.set_output(0, PartialShape::new(&[sampled]));
    c.set_output(1, expected);
    c.set_output(2, PartialShape::new(&[sampled]));
    Ok(())
}

/// Three vectors of one unknown length, of a matrix of `num_true` columns and a vector.
pub(super) fn accidental_hits(c: &mut ShapeContext<'_>) -> Result<()> {
    let classes = c.with_rank(0, 2)?;
    c.merge_dim(classes.dim(1), extent(c, "num_true")?)?;
    c.with_rank(1, 1)?;
    (0..3).for_each(|output| c.set_output(output, PartialShape::new(&[None])));
    Ok(())
}

fn extent(c: &ShapeContext<'_>, attr: &str) -> Result<Option<usize>> {
    Ok(c.attr_if_known::<i64>(attr)?.and_then(|extent| usize::try_from(extent).ok()))
}
