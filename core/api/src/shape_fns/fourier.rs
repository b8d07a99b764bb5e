//! Shape functions of Fourier transforms of real signals.

use crate::shape::Dim;
use crate::shape_inference::shape_error;
use crate::{PartialShape, Result, ShapeContext};

/// `RFFT` and its like over the last `AXES` axes: those of the transform have the lengths in input 1, the last one half
/// of it and one more.
///
/// # Errors
/// The input has fewer than `AXES` dimensions, or input 1 does not hold `AXES` lengths of 0 or more.
pub fn rfft<const AXES: usize>(c: &mut ShapeContext<'_>) -> Result<()> {
    transform::<AXES>(c, |length| if length == 0 { 0 } else { length / 2 + 1 })
}

/// `IRFFT` and its like over the last `AXES` axes: those of the transform have the lengths in input 1.
///
/// # Errors
/// The input has fewer than `AXES` dimensions, or input 1 does not hold `AXES` lengths of 0 or more.
pub fn irfft<const AXES: usize>(c: &mut ShapeContext<'_>) -> Result<()> {
    transform::<AXES>(c, |length| length)
}

fn transform<const AXES: usize>(c: &mut ShapeContext<'_>, last: fn(usize) -> usize) -> Result<()> {
    let input = c.with_rank_at_least(0, AXES)?;
    let lengths = c.with_rank(1, 1)?;
    c.merge_dim(lengths.dim(0), Some(AXES))?;
    let mut dims = vec![None; AXES];
    if let Some(lengths) = c.constant_ints(1)? {
        for (axis, (dim, &length)) in dims.iter_mut().zip(&lengths).enumerate() {
            let Ok(length) = usize::try_from(length) else {
                return Err(shape_error(format!("fft_length must be >= 0, it is {lengths:?}")));
            };
            *dim = Some(if axis + 1 == AXES { last(length) } else { length });
        }
    }
    let shape: Option<PartialShape> =
        input.dims().map(|batch: &[Dim]| batch[..batch.len() - AXES].iter().copied().chain(dims).collect());
    c.set_output(0, shape.unwrap_or_default());
    Ok(())
}
