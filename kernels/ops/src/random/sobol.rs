//! `SobolSample`: points of a sequence that fills a cube evenly.

use oplink::prelude::*;
use oplink::shape::Dim;

/// The most dimensions that points have.
pub const MAX_SOBOL_DIMENSIONS: i32 = 21_200;

/// Points [`num_results`, `dim`] of the Sobol sequence in the unit cube, after the first `skip` ones.
///
/// The origin is no point of the sequence. The direction numbers are those of Joe and Kuo ("Constructing Sobol
/// sequences with better two-dimensional projections", 2008). All inputs are scalars; `dim` is from 1 to 21200, and
/// `num_results + skip` below 2^31 - 1. Of the points from 2^30 on TensorFlow has the negative.
#[op("SobolSample",
     no_gradient,
     input = "dim: int32",
     input = "num_results: int32",
     input = "skip: int32",
     output = "samples: dtype",
     attr = "dtype: {float, double} = DT_FLOAT",
     shape = sample_shape)]
pub struct SobolSample;

fn sample_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    for input in 0..3 {
        c.with_rank(input, 0)?;
    }
    let extent =
        |input: usize| -> Result<Dim> { Ok(c.constant_int(input)?.and_then(|extent| usize::try_from(extent).ok())) };
    let shape = [extent(1)?, extent(0)?];
    c.set_output(0, PartialShape::new(&shape));
    Ok(())
}
