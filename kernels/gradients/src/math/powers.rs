//! Powers, and products with logarithms that are 0 at 0.

use oplink::prelude::*;
use oplink_ops::{Add, Cast, Greater, Log, Neg, NotEqual, OnesLike, Pow, SelectV2, Xdivy, Xlog1py, Xlogy};

use crate::Gradients;
use crate::nodes::{Nodes, binary};

/// By the base `y x^(y-1)`, by the exponent `x^y log x`, 0 where `x` has no logarithm.
#[gradient(Pow)]
fn pow(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let is_complex = op.input_dtype(0).is_complex();
    binary(scope, op, dy, |n, [x, y], z, dy| {
        let (x, y, z) = (n.conj(x)?, n.conj(y)?, n.conj(z)?);
        let below = n.add::<Pow>([x, n.sub(y, n.scalar(1.0)?)?])?;
        let by_base = n.mul(n.mul(dy, y)?, below)?;
        let zeros = n.zeros(x)?;
        let has_logarithm = if is_complex { n.add::<NotEqual>([x, zeros])? } else { n.add::<Greater>([x, zeros])? };
        let safe = n.add::<SelectV2>([has_logarithm, x, n.add::<OnesLike>([x])?])?;
        let logarithm = n.add::<SelectV2>([has_logarithm, n.add::<Log>([safe])?, zeros])?;
        Ok([by_base, n.mul(n.mul(dy, z)?, logarithm)?])
    })
}

/// 1 where a value is not 0, else 0, in its dtype.
fn is_not_zero(n: &Nodes<'_>, x: Output, dtype: DType) -> Result<Output> {
    let differs = n.add::<NotEqual>([x, n.zeros(x)?])?;
    n.with::<Cast>([differs], vec![("DstT", dtype.into())])
}

#[gradient(Xlogy)]
fn xlogy(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let dtype = op.input_dtype(0);
    binary(scope, op, dy, |n, [x, y], _, dy| {
        let by_x = n.add::<Xlogy>([is_not_zero(n, x, dtype)?, y])?;
        Ok([n.mul(by_x, dy)?, n.mul(n.add::<Xdivy>([x, y])?, dy)?])
    })
}

#[gradient(Xlog1py)]
fn xlog1py(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let dtype = op.input_dtype(0);
    binary(scope, op, dy, |n, [x, y], _, dy| {
        let by_x = n.add::<Xlog1py>([is_not_zero(n, x, dtype)?, y])?;
        let above = n.add::<Add>([y, n.scalar(1.0)?])?;
        Ok([n.mul(by_x, dy)?, n.mul(n.add::<Xdivy>([x, above])?, dy)?])
    })
}

#[gradient(Xdivy)]
fn xdivy(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let dtype = op.input_dtype(0);
    binary(scope, op, dy, |n, [x, y], _, dy| {
        let by_x = n.add::<Xdivy>([is_not_zero(n, x, dtype)?, y])?;
        let by_y = n.add::<Xdivy>([n.add::<Neg>([x])?, n.mul(y, y)?])?;
        Ok([n.mul(by_x, dy)?, n.mul(by_y, dy)?])
    })
}
