//! The gradient of the gradient of batch normalization.
//!
//! Of one channel, with the gradients `g` of the outputs, `x` less its mean as `c`, `r = 1 / sqrt(variance + epsilon)`,
//! a line above being a mean: what is differentiated is
//!
//! ```text
//! by x:      scale r (g - ḡ - r² c m)    where m is the mean of g c
//! by scale:  r Σ g c
//! by offset: Σ g
//! ```
//!
//! and where the statistics are given, `scale r g` for the first. `A`, `B` and `C` are the gradients of these.

use oplink::prelude::*;
use oplink_ops::{Add, FusedBatchNormGrad, FusedBatchNormGradV2, FusedBatchNormGradV3, Mean, Mul, Rsqrt, Square, Sub};

use crate::Gradients;
use crate::nodes::Nodes;

/// Arithmetic over the elements of each channel, in single precision or that of the statistics.
struct Channels<'n, 's> {
    n: &'n Nodes<'s>,
    axes: Output,
    /// The shape in which one number a channel goes with the elements.
    shape: Output,
}

impl Channels<'_, '_> {
    fn mean(&self, value: Output) -> Result<Output> {
        self.n.with::<Mean>([value, self.axes], vec![("keep_dims", true.into())])
    }

    fn sum(&self, value: Output) -> Result<Output> {
        self.n.sum_kept(value, self.axes)
    }

    /// One number a channel, beside elements.
    fn beside(&self, value: Output) -> Result<Output> {
        self.n.reshape(value, self.shape)
    }

    fn product(&self, factors: &[Output]) -> Result<Output> {
        factors[1..].iter().try_fold(factors[0], |product, &factor| self.n.add::<Mul>([product, factor]))
    }

    fn plus(&self, terms: &[Output]) -> Result<Output> {
        terms[1..].iter().try_fold(terms[0], |sum, &term| self.n.add::<Add>([sum, term]))
    }

    fn minus(&self, from: Output, terms: &[Output]) -> Result<Output> {
        terms.iter().try_fold(from, |rest, &term| self.n.add::<Sub>([rest, term]))
    }

    fn root(&self, variance: Output, epsilon: f64) -> Result<Output> {
        self.n.add::<Rsqrt>([self.n.add::<Add>([variance, self.n.scalar(epsilon)?])?])
    }

    /// By `g`, `x` and `scale`, of batches with statistics of their own.
    fn training(&self, [g, x, scale]: [Output; 3], by: [Output; 3], epsilon: f64) -> Result<[Output; 3]> {
        let [by_x, by_scale, by_offset] = by;
        let c = self.minus(x, &[self.mean(x)?])?;
        let r = self.root(self.mean(self.n.add::<Square>([c])?)?, epsilon)?;
        let (r2, r3) = (self.product(&[r, r])?, self.product(&[r, r, r])?);
        let (a, g_mean) = (self.mean(by_x)?, self.mean(g)?);
        let (a_rest, g_rest) = (self.minus(by_x, &[a])?, self.minus(g, &[g_mean])?);
        let (a_c, g_c) = (self.mean(self.product(&[by_x, c])?)?, self.mean(self.product(&[g, c])?)?);
        let first = self.product(&[scale, r, self.minus(a_rest, &[self.product(&[r2, c, a_c])?])?])?;
        let of_g = self.plus(&[first, self.product(&[by_scale, r, c])?, by_offset])?;
        let inner = self.minus(g_rest, &[self.product(&[r2, c, g_c])?])?;
        let of_scale = self.sum(self.product(&[by_x, r, inner])?)?;
        let covariance = self.mean(self.product(&[a_rest, g_rest])?)?;
        let third = self.product(&[self.n.scalar(3.0)?, r2, c, a_c, g_c])?;
        let through = [self.product(&[c, covariance])?, self.product(&[a_rest, g_c])?, self.product(&[g_rest, a_c])?];
        let of_x = self.product(&[scale, r3, self.minus(third, &through)?])?;
        let rest = self.minus(self.product(&[r, g_rest])?, &[self.product(&[r3, c, g_c])?])?;
        Ok([of_g, self.plus(&[of_x, self.product(&[by_scale, rest])?])?, of_scale])
    }

    /// By `g`, `x` and `scale`, where mean and variance are given.
    fn inference(
        &self,
        [g, x, scale]: [Output; 3],
        [by_x, by_scale, by_offset]: [Output; 3],
        [mean, variance]: [Output; 2],
        epsilon: f64,
    ) -> Result<[Output; 3]> {
        let r = self.root(variance, epsilon)?;
        let normalized = self.product(&[by_scale, self.minus(x, &[mean])?, r])?;
        let of_g = self.plus(&[self.product(&[by_x, scale, r])?, normalized, by_offset])?;
        Ok([of_g, self.product(&[by_scale, g, r])?, self.sum(self.product(&[by_x, g, r])?)?])
    }
}

/// The gradients by the first three inputs; none by the others.
fn second(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let (element, kept) = (op.input_dtype(0), op.input_dtype(2));
    let n = Nodes::of_dtype(scope, kept);
    let (axes, shape): (&[i32], &[i32]) = match op.attr::<&str>("data_format")? {
        "NHWC" => (&[0, 1, 2], &[-1]),
        "NDHWC" => (&[0, 1, 2, 3], &[-1]),
        "NCHW" => (&[0, 2, 3], &[-1, 1, 1]),
        _ => (&[0, 2, 3, 4], &[-1, 1, 1, 1]),
    };
    let c = Channels { n: &n, axes: n.ints(axes)?, shape: n.ints(shape)? };
    let wide = |value| n.cast(value, element, kept);
    let inputs = [wide(op.input(0))?, wide(op.input(1))?, c.beside(op.input(2))?];
    let by = [wide(dy[0])?, c.beside(dy[1])?, c.beside(dy[2])?];
    let epsilon = f64::from(op.attr::<f32>("epsilon")?);
    let [of_g, of_x, of_scale] = if op.attr::<bool>("is_training")? {
        c.training(inputs, by, epsilon)?
    } else {
        c.inference(inputs, by, [c.beside(op.input(3))?, c.beside(op.input(4))?], epsilon)?
    };
    let of_scale = n.reshape_like(of_scale, op.input(2))?;
    let narrow = |value| n.cast(value, kept, element);
    let mut gradients = vec![Some(narrow(of_g)?), Some(narrow(of_x)?), Some(of_scale)];
    gradients.resize(op.inputs().len(), None);
    Ok(gradients)
}

#[gradient(FusedBatchNormGrad)]
fn fused_batch_norm_grad(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    second(scope, op, dy)
}

#[gradient(FusedBatchNormGradV2)]
fn fused_batch_norm_grad_v2(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    second(scope, op, dy)
}

#[gradient(FusedBatchNormGradV3)]
fn fused_batch_norm_grad_v3(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    second(scope, op, dy)
}
