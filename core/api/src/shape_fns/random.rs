//! Shape functions of ops that draw random numbers.

use crate::shape_inference::shape_error;
use crate::{PartialShape, Result, ShapeContext};

/// Words of the key of a stateless op's generator.
const KEY_SIZE: usize = 1;
/// Words of its counter.
const COUNTER_SIZE: usize = 2;

/// `RandomUniform` and its like: the shape that input 0 holds.
///
/// # Errors
/// Input 0 is no shape.
pub fn random(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = c.make_shape_from_tensor(0)?;
    c.set_output(0, shape);
    Ok(())
}

/// As [`random`], with scalar bounds in inputs 1 and 2.
///
/// # Errors
/// Input 0 is no shape, or a bound no scalar.
pub fn random_uniform_int(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(1, 0)?;
    c.with_rank(2, 0)?;
    random(c)
}

/// `RandomGamma`: the shape that input 0 holds, then the shape of input 1.
///
/// # Errors
/// Input 0 is no shape.
pub fn random_gamma(c: &mut ShapeContext<'_>) -> Result<()> {
    let samples = c.make_shape_from_tensor(0)?;
    let shape = c.concatenate(&samples, c.input(1));
    c.set_output(0, shape);
    Ok(())
}

/// As [`random`], with a seed of two numbers in input 1.
///
/// # Errors
/// Input 0 is no shape, or the seed no vector of two.
pub fn stateless_random(c: &mut ShapeContext<'_>) -> Result<()> {
    check_seed(c, 1)?;
    random(c)
}

/// As [`stateless_random`], with scalar bounds in inputs 2 and 3.
///
/// # Errors
/// Input 0 is no shape, the seed no vector of two, or a bound no scalar.
pub fn stateless_random_uniform_int(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(2, 0)?;
    c.with_rank(3, 0)?;
    stateless_random(c)
}

/// As [`random`], with a key of one word, a counter vector and a scalar algorithm in inputs 1 to 3.
///
/// # Errors
/// Input 0 is no shape, the key no vector of one, the counter no vector, or the algorithm no scalar.
pub fn stateless_random_v2(c: &mut ShapeContext<'_>) -> Result<()> {
    let key = c.with_rank(1, 1)?;
    c.merge_dim(key.dim(0), Some(KEY_SIZE))?;
    c.with_rank(2, 1)?;
    c.with_rank(3, 0)?;
    random(c)
}

/// As [`stateless_random_v2`], with scalar bounds in inputs 4 and 5.
///
/// # Errors
/// As [`stateless_random_v2`]; a bound is no scalar.
pub fn stateless_random_uniform_int_v2(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(4, 0)?;
    c.with_rank(5, 0)?;
    stateless_random_v2(c)
}

/// `StatelessRandomGetKeyCounter`: a key, a counter and, if there is a third output, a scalar, from a seed in input 0.
///
/// # Errors
/// The seed is no vector of two.
pub fn key_and_counter(c: &mut ShapeContext<'_>) -> Result<()> {
    check_seed(c, 0)?;
    c.set_output(0, PartialShape::new(&[Some(KEY_SIZE)]));
    c.set_output(1, PartialShape::new(&[Some(COUNTER_SIZE)]));
    c.set_output(2, PartialShape::scalar());
    Ok(())
}

/// `Multinomial`: a row of as many samples as the scalar input 1 says for each row of input 0; with a seed in input 2
/// where the op has one.
///
/// # Errors
/// Input 0 is no matrix, the number of samples is negative or no scalar, or the seed no vector of two.
pub fn multinomial(c: &mut ShapeContext<'_>) -> Result<()> {
    if c.num_inputs() > 2 {
        check_seed(c, 2)?;
    }
    let logits = c.with_rank(0, 2)?;
    c.with_rank(1, 0)?;
    let samples = match c.constant_int(1)? {
        Some(samples) if samples < 0 => {
            return Err(shape_error(format!("num_samples must be >= 0, it is {samples}")));
        }
        samples => samples.map(|samples| samples as usize),
    };
    c.set_output(0, PartialShape::new(&[logits.dim(0), samples]));
    Ok(())
}

/// A seed is a vector of two numbers.
fn check_seed(c: &ShapeContext<'_>, index: usize) -> Result<()> {
    let seed = c.with_rank(index, 1)?;
    c.merge_dim(seed.dim(0), Some(2))?;
    Ok(())
}
