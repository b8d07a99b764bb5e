//! Samples of a truncated normal distribution, by its parameters.
//!
//! A sample is differentiated implicitly, at a constant value of its cumulative distribution (Figurnov, Mohamed, Mnih:
//! "Implicit Reparameterization Gradients", 2018).

use oplink::prelude::*;
use oplink_ops::{
    Add, Div, Erfc, Exp, Log, Log1p, Maximum, Minimum, Mul, Neg, Square, StatelessParameterizedTruncatedNormal, Sub,
};

use crate::Gradients;
use crate::nodes::Nodes;

/// With `s`, `a` and `b` the sample and the bounds in units of the deviation from the mean, and `p` the share of
/// samples below `s`: 1 by the mean, `s` by the deviation, `exp((s² - b²) / 2) p` by the upper bound and
/// `exp((s² - a²) / 2) (1 - p)` by the lower one.
#[gradient(StatelessParameterizedTruncatedNormal)]
fn truncated_normal(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let dtype = op.input_dtype(2);
    let n = Nodes::of_dtype(scope, dtype);
    let [mean, deviation, lower, upper] = [2, 3, 4, 5].map(|at| op.input(at));
    let units = |x| n.add::<Div>([n.sub(x, mean)?, deviation]);
    let (a, b, s) = (units(lower)?, units(upper)?, units(op.output(0))?);
    let below = |x| {
        let scaled = n.mul(x, n.scalar(-std::f64::consts::FRAC_1_SQRT_2)?)?;
        n.mul(n.add::<Erfc>([scaled])?, n.scalar(0.5)?)
    };
    let (of_lower, range) = (below(a)?, n.sub(below(b)?, below(a)?)?);
    let share = n.add::<Div>([n.add::<Sub>([below(s)?, of_lower])?, range])?;
    let (tiny, epsilon) = smallest(dtype);
    let share = n.add::<Maximum>([n.add::<Minimum>([share, n.scalar(1.0 - epsilon)?])?, n.scalar(tiny)?])?;
    let by_bound = |bound, log_share| {
        let squares = n.sub(n.add::<Square>([s])?, n.add::<Square>([bound])?)?;
        n.add::<Exp>([n.add::<Add>([n.add::<Mul>([squares, n.scalar(0.5)?])?, log_share])?])
    };
    let by_upper = by_bound(b, n.add::<Log>([share])?)?;
    let by_lower = by_bound(a, n.add::<Log1p>([n.add::<Neg>([share])?])?)?;
    let gradient = |of, by: Option<Output>| {
        let all = by.map_or(Ok(dy[0]), |by| n.mul(dy[0], by))?;
        n.unbroadcast_one(of, all)
    };
    Ok(vec![
        None,
        None,
        gradient(mean, None)?,
        gradient(deviation, Some(s))?,
        gradient(lower, Some(by_lower))?,
        gradient(upper, Some(by_upper))?,
    ])
}

/// The smallest normal number of a dtype, and the distance from 1 to the next number.
fn smallest(dtype: DType) -> (f64, f64) {
    match dtype {
        DType::Double => (f64::MIN_POSITIVE, f64::EPSILON),
        DType::Half => (6.103_515_625e-5, 9.765_625e-4),
        DType::BFloat16 => (f64::from(f32::MIN_POSITIVE), 7.812_5e-3),
        _ => (f64::from(f32::MIN_POSITIVE), f64::from(f32::EPSILON)),
    }
}
