//! `ApplyGradientDescent` and `ResourceApplyGradientDescent`: a step against the gradient, `var -= alpha * delta`.
//!
//! `delta` has the variable's shape, `alpha` is a scalar. Steps from several threads follow one after the other.

use super::shapes;
use oplink::prelude::*;

/// Applies a step of gradient descent to the variable behind a reference.
#[op("ApplyGradientDescent",
     input = "var: Ref(T)",
     input = "alpha: T",
     input = "delta: T",
     output = "out: Ref(T)",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     shape = shapes::dense)]
pub struct ApplyGradientDescent;

/// Applies a step of gradient descent to a resource variable.
#[op("ResourceApplyGradientDescent",
     input = "var: resource",
     input = "alpha: T",
     input = "delta: T",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     stateful,
     shape = shapes::dense)]
pub struct ResourceApplyGradientDescent;
