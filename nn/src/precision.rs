//! Mixed precision: layers that compute in 16 bits, of variables that stay in 32. Names are those of Keras's policies.
//!
//! In the scope of [`autocast`], or in a module inside [`Autocast`], layers cast their inputs and what they read of
//! trainable variables of f32 to the dtype that the [`Policy`] computes in. As in Keras, normalisations compute in f32
//! inside and give their outputs in the policy's dtype, and losses and metrics compute in f32. Gradients of variables
//! are of f32, since a cast's is; those of f16 may become 0 on the way, against which
//! [`LossScale`](crate::optimizers::LossScale) is.

use std::cell::Cell;

use oplink_api::{DType, Result};

use crate::layers::{Layer, Mode};
use crate::module::{Module, Visitor};
use crate::value::Value;

/// What layers compute in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// f32 everywhere.
    #[default]
    Float32,
    /// bf16: as wide a range as f32, 8 bits of precision.
    MixedBFloat16,
    /// f16: 11 bits of precision, a narrow range, for which losses are scaled.
    MixedFloat16,
}

impl Policy {
    /// The dtype that layers compute in. Variables are of f32 with every policy.
    pub fn compute_dtype(self) -> DType {
        match self {
            Self::Float32 => DType::Float,
            Self::MixedBFloat16 => DType::BFloat16,
            Self::MixedFloat16 => DType::Half,
        }
    }
}

thread_local! {
    /// The policy of this thread's innermost scope.
    static POLICY: Cell<Option<Policy>> = const { Cell::new(None) };
}

/// Runs `body` with layers that compute as the policy says: those that are called on this thread meanwhile.
///
/// ```ignore
/// let logits = autocast(Policy::MixedBFloat16, || model.forward(&x, Mode::Train))?;
/// ```
pub fn autocast<R>(policy: Policy, body: impl FnOnce() -> R) -> R {
    scoped(Some(policy), body)
}

/// Runs `body` as outside of every scope: what optimisers read of variables is the whole of them.
pub(crate) fn without<R>(body: impl FnOnce() -> R) -> R {
    scoped(None, body)
}

fn scoped<R>(policy: Option<Policy>, body: impl FnOnce() -> R) -> R {
    let _restored = Restored(POLICY.replace(policy));
    body()
}

/// The policy that holds again when this is dropped.
struct Restored(Option<Policy>);

impl Drop for Restored {
    fn drop(&mut self) {
        POLICY.set(self.0);
    }
}

fn is_cast(dtype: DType) -> bool {
    matches!(dtype, DType::Float | DType::Half | DType::BFloat16)
}

/// A layer's input, or what it reads of a trainable variable, in the dtype that the thread's policy computes in. Values
/// of other dtypes than those of policies stay as they are.
pub(crate) fn in_compute_dtype(x: &Value) -> Result<Value> {
    match POLICY.get() {
        Some(policy) if is_cast(x.dtype()?) => x.cast(policy.compute_dtype()),
        _ => x.clone().ok(),
    }
}

/// A value of 16 bits in f32, for what needs its precision or its range; other values as they are.
pub(crate) fn widened(x: &Value) -> Result<Value> {
    if is_cast(x.dtype()?) { x.cast(DType::Float) } else { x.clone().ok() }
}

/// A layer or model that computes as a policy says, whatever the scope around it.
///
/// ```ignore
/// let model = Autocast::new(Policy::MixedFloat16, body.then(Autocast::new(Policy::Float32, head)));
/// ```
#[derive(Debug)]
pub struct Autocast<L> {
    /// The layer.
    pub inner: L,
    policy: Policy,
}

impl<L: Layer> Autocast<L> {
    /// The layer with its policy.
    pub fn new(policy: Policy, inner: L) -> Self {
        Self { inner, policy }
    }
}

impl<L: Module> Module for Autocast<L> {
    /// The variables have the names that they have without the policy, so that one's files are the other's.
    fn visit(&self, visitor: &mut Visitor<'_>) {
        self.inner.visit(visitor);
    }
}

impl<L: Layer> Layer for Autocast<L> {
    fn forward(&self, x: &Value, mode: Mode) -> Result<Value> {
        autocast(self.policy, || self.inner.forward(x, mode))
    }
}
