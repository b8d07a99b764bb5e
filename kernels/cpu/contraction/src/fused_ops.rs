//! The attr `fused_ops`: what a fused op does after its product.
//!
//! First `BiasAdd`, a vector added along the last axis, or `FusedBatchNorm`, the normalisation of inference by `scale`,
//! `offset`, `mean` and `variance`. Then, where named, `Add`, a tensor of the output's shape added, and an activation.
//! `args` are the tensors of these steps in their order.

use std::borrow::Cow;

use oplink::{Error, Result, Shape, Tensor, bail, ensure};

use super::activation::Activation;
use super::computed::computed_of;
use super::finish::Finish;
use oplink_cpu_support::elementwise::{ComputeFloat, Computed};

/// The steps after a product.
#[derive(Debug, Clone, Copy)]
pub struct FusedOps<L> {
    /// Whether the first is `FusedBatchNorm` with this epsilon, not `BiasAdd`.
    batch_norm: Option<f32>,
    /// Whether a tensor is added.
    add: bool,
    activation: Activation<L>,
}

/// The tensors of the steps, in their compute type.
pub struct FusedArgs<'a, L: Clone> {
    scale: Option<Vec<L>>,
    bias: Cow<'a, [L]>,
    side: Option<Cow<'a, [L]>>,
}

impl<L: ComputeFloat> FusedOps<L> {
    /// From the attrs `fused_ops`, `epsilon` and `leakyrelu_alpha` of the op `op`.
    ///
    /// # Errors
    /// No steps, or steps of another order or name (code Unimplemented).
    pub fn new(op: &str, fused_ops: &[Vec<u8>], epsilon: f32, leakyrelu_alpha: f32) -> Result<Self> {
        let names: Vec<_> = fused_ops.iter().map(|name| String::from_utf8_lossy(name)).collect();
        let names: Vec<&str> = names.iter().map(|name| &**name).collect();
        let unknown = || Error::unimplemented(format!("{op} does not implement the fused ops {names:?}"));
        let (batch_norm, rest) = match &*names {
            [] => bail!("fused_ops of {op} must have one element at least"),
            ["BiasAdd", rest @ ..] => (None, rest),
            ["FusedBatchNorm", rest @ ..] => (Some(epsilon), rest),
            _ => return Err(unknown()),
        };
        let (add, rest) = match rest {
            ["Add", rest @ ..] => (true, rest),
            rest => (false, rest),
        };
        let activation = match rest {
            [] => Activation::Identity,
            [name] => Activation::named(name, leakyrelu_alpha).map_err(|_| unknown())?,
            _ => return Err(unknown()),
        };
        Ok(Self { batch_norm, add, activation })
    }

    /// The activation.
    pub fn activation(&self) -> &Activation<L> {
        &self.activation
    }

    /// Whether the product is multiplied by a factor for each channel.
    pub fn has_factors(&self) -> bool {
        self.batch_norm.is_some()
    }

    /// Whether the steps are a bias and perhaps an activation.
    pub fn is_bias_and_activation(&self) -> bool {
        self.batch_norm.is_none() && !self.add
    }

    /// The tensors `args` of an output of this shape.
    ///
    /// # Errors
    /// Another number of them, or other shapes.
    pub fn args<'a, T: Computed<ComputeType = L>>(
        &self,
        args: &'a [Tensor],
        shape: &Shape,
    ) -> Result<FusedArgs<'a, L>> {
        let vectors = if self.batch_norm.is_some() { 4 } else { 1 };
        let wanted = vectors + usize::from(self.add);
        ensure!(args.len() == wanted, "the fused ops take {wanted} args, {} are given", args.len());
        let columns = shape.last().copied().unwrap_or(0);
        for arg in &args[..vectors] {
            ensure!(
                arg.shape().dims() == [columns],
                "bias or statistics must be vectors of {columns} elements, one has shape {}",
                arg.shape()
            );
        }
        let side = args.get(vectors).map(|side| computed_of_side::<T>(side, shape)).transpose()?;
        let Some(epsilon) = self.batch_norm else {
            return Ok(FusedArgs { scale: None, bias: computed_of(args[0].as_slice::<T>()?), side });
        };
        let vector = |index: usize| args[index].as_slice::<T>().map(computed_of);
        let (scale, offset, mean, variance) = (vector(0)?, vector(1)?, vector(2)?, vector(3)?);
        let epsilon = L::from_f64(f64::from(epsilon));
        let scale: Vec<L> = scale.iter().zip(&*variance).map(|(&s, &v)| s / (v + epsilon).sqrt()).collect();
        let bias = offset.iter().zip(&*mean).zip(&scale).map(|((&o, &m), &s)| o - m * s).collect();
        Ok(FusedArgs { scale: Some(scale), bias: Cow::Owned(bias), side })
    }

    /// Calls `body` with the steps as they follow a matrix product.
    pub fn finish<R>(&self, args: &FusedArgs<'_, L>, columns: usize, body: impl FnOnce(Finish<'_, L>) -> R) -> R {
        let activate = |values: &mut [L]| self.activation.apply(values);
        body(Finish {
            scale: args.scale.as_deref(),
            bias: Some(&args.bias),
            side: args.side.as_deref().map(|side| (side, columns)),
            bounds: self.activation.bounds(),
            activation: if self.activation.is_function() { Some(&activate) } else { None },
        })
    }
}

impl<L: Clone> FusedArgs<'_, L> {
    /// The vector added along the last axis.
    pub fn bias(&self) -> &[L] {
        &self.bias
    }
}

fn computed_of_side<'a, T: Computed>(side: &'a Tensor, shape: &Shape) -> Result<Cow<'a, [T::ComputeType]>> {
    ensure!(side.shape() == shape, "the tensor added must have the shape {shape}, its shape is {}", side.shape());
    Ok(computed_of(side.as_slice::<T>()?))
}
