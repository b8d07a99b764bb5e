//! `Cast`: between all numbers and bools. Floats out of an integer's range give the integer's end that is nearest, NaN
//! gives 0. Floats are rounded to nearest, whatever `Truncate` is.

use num_traits::AsPrimitive;
use oplink::prelude::*;
use oplink_ops::math::Cast;

/// A number as another.
#[kernel(Cast, device = GPU, SrcT = [floats, integers], DstT = [floats, integers])]
fn converted<SrcT: Number + AsPrimitive<DstT>, DstT: Number>(x: SrcT) -> DstT {
    x.as_()
}

/// Whether a number is not 0.
#[kernel(Cast, device = GPU, SrcT = [floats, integers], DstT = [bool])]
fn is_not_zero<SrcT: Number>(x: SrcT) -> bool {
    x != SrcT::zero()
}

/// 0 or 1.
#[kernel(Cast, device = GPU, SrcT = [bool], DstT = [floats, integers])]
fn zero_or_one<DstT: Number>(x: bool) -> DstT {
    if x { DstT::one() } else { DstT::zero() }
}

/// A bool as it is.
#[kernel(Cast, device = GPU, SrcT = [bool], DstT = [bool])]
fn same(x: bool) -> bool {
    x
}
