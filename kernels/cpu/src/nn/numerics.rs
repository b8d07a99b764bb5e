//! NaN and infinities in tensors.

use num_traits::Float;
use oplink::prelude::{Result, Tensor};

use crate::numeric::lanes::lanes_of;
use crate::support::elementwise::{Arithmetic, FloatLane, Lanes};

/// Which values that are no finite numbers a tensor has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Numerics {
    pub(super) nan: bool,
    /// Positive infinity.
    pub(super) above: bool,
    /// Negative infinity.
    pub(super) below: bool,
}

/// Those of `tensor`.
pub(super) fn found<T: Lanes<Lane: FloatLane>>(tensor: &Tensor) -> Result<Numerics> {
    let values = lanes_of(tensor.as_slice::<T>()?);
    // A finite number less itself is 0, all others give NaN.
    let blocks = values.chunks(1024);
    #[allow(clippy::eq_op, reason = "it is not 0 for what is looked for")]
    let odd = blocks.filter(|block| block.iter().fold(T::Lane::ZERO, |sum, &x| sum + (x - x)).is_nan());
    Ok(odd.flatten().fold(Numerics::default(), |found, &x| Numerics {
        nan: found.nan || x.is_nan(),
        above: found.above || x == T::Lane::infinity(),
        below: found.below || x == T::Lane::neg_infinity(),
    }))
}
