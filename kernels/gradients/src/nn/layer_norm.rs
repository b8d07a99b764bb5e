//! Normalisations along the last axis.
//!
//! Of one row, with `r = 1 / sqrt(variance + epsilon)`, the normalised values `n = (x - mean) r`, the gradient `d` of
//! the output and `g = d scale`: the first gradients are
//!
//! ```text
//! by x:      r P(g)    where P(v) is v less the mean of v and less n times the mean of v n
//! by scale:  d n
//! by offset: d
//! ```
//!
//! the latter two summed over rows; without centring, `P` subtracts no mean of `v`. `P` is its own transpose, and the
//! gradient by `x` of a sum of `v n` is `r P(v)`. So with `A`, `B` and `C` as the gradients of these three,
//!
//! ```text
//! by d:      scale r P(A) + B n + C
//! by x:      r P(d B) - r² (n q + P(A m + g a))    where m and a are the means of g n and A n,
//!                                                  q is the mean of A g less that of A times that of g, less a m
//! by scale:  r P(A) d, summed over rows
//! ```

use oplink::prelude::*;
use oplink_ops::{_FusedLayerNorm, _FusedLayerNormGrad, AddV2, Mean, Rsqrt, Square};

use crate::Gradients;
use crate::nodes::Nodes;

#[gradient(_FusedLayerNorm)]
fn fused_layer_norm(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let by = n.like::<_FusedLayerNormGrad>(op, [dy[0], op.input(0), op.input(1)], &["epsilon", "centered"])?;
    Ok(by.into_iter().map(Some).collect())
}

/// The mean along an axis, with extent 1 in its place.
fn mean(n: &Nodes<'_>, value: Output, axis: Output) -> Result<Output> {
    n.with::<Mean>([value, axis], vec![("keep_dims", true.into())])
}

/// Arithmetic on rows.
struct Rows<'n, 's> {
    n: &'n Nodes<'s>,
    axis: Output,
    centered: bool,
    normalized: Output,
}

impl Rows<'_, '_> {
    /// What of values changes neither the mean nor the variance of a row.
    fn project(&self, value: Output) -> Result<Output> {
        let n = self.n;
        let slope = mean(n, n.mul(value, self.normalized)?, self.axis)?;
        let rest = n.sub(value, n.mul(self.normalized, slope)?)?;
        if self.centered { n.sub(rest, mean(n, value, self.axis)?) } else { Ok(rest) }
    }
}

#[gradient(_FusedLayerNormGrad)]
fn fused_layer_norm_grad(scope: &mut dyn Scope, op: &OpForGradient, by: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let ([d, x, scale], [by_x, by_scale, by_offset]) = ([op.input(0), op.input(1), op.input(2)], [by[0], by[1], by[2]]);
    let (axis, centered) = (n.ints(&[-1])?, op.attr::<bool>("centered")?);
    let mean = |value| mean(&n, value, axis);
    let rest = if centered { n.sub(x, mean(x)?)? } else { x };
    let epsilon = n.scalar(f64::from(op.attr::<f32>("epsilon")?))?;
    let r = n.add::<Rsqrt>([n.add::<AddV2>([mean(n.add::<Square>([rest])?)?, epsilon])?])?;
    let rows = Rows { n: &n, axis, centered, normalized: n.mul(rest, r)? };
    let (g, plus) = (n.mul(d, scale)?, |a, b| n.add::<AddV2>([a, b]));
    let of_x = n.mul(r, rows.project(by_x)?)?;
    let of_d = plus(plus(n.mul(scale, of_x)?, n.mul(by_scale, rows.normalized)?)?, by_offset)?;
    let of_scale = n.unbroadcast_one(scale, n.mul(of_x, d)?)?;
    let [m, a] = [g, by_x].map(|value| mean(n.mul(value, rows.normalized)?));
    let (m, a) = (m?, a?);
    let mut q = n.sub(mean(n.mul(by_x, g)?)?, n.mul(a, m)?)?;
    if centered {
        q = n.sub(q, n.mul(mean(by_x)?, mean(g)?)?)?;
    }
    let through = rows.project(plus(n.mul(by_x, m)?, n.mul(g, a)?)?)?;
    let second = n.mul(n.mul(r, r)?, plus(n.mul(rows.normalized, q)?, through)?)?;
    let first = n.mul(r, rows.project(n.mul(d, by_scale)?)?)?;
    Ok(vec![Some(of_d), Some(n.sub(first, second)?), of_scale])
}
