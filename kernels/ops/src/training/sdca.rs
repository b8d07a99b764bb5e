//! `SdcaShrinkL1`: the step of stochastic dual coordinate ascent that makes small weights 0.

use oplink::prelude::*;

/// Brings each weight of the variables behind the references nearer to 0 by `l1 / l2`, and to 0 where it is nearer
/// than that: `sign(w) * max(|w| - l1 / l2, 0)`.
#[op("SdcaShrinkL1",
     no_gradient,
     input = "weights: num_features * Ref(float)",
     attr = "num_features: int >= 0",
     attr = "l1: float",
     attr = "l2: float",
     shape = shape_fns::no_outputs)]
pub struct SdcaShrinkL1;
