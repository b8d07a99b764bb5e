//! The value behind an optional's variant.

use oplink::prelude::*;
use oplink::{Variant, VariantObject};

use crate::state::sums;

/// Several tensors, or nothing.
#[derive(Clone, Debug, Default)]
pub struct Optional(pub Option<Vec<Tensor>>);

impl Optional {
    /// As a scalar tensor.
    pub(super) fn into_tensor(self) -> Tensor {
        Tensor::scalar(Variant::new(self))
    }

    /// The optional in a scalar input.
    pub(super) fn of<'a>(context: &'a KernelContext<'_>, index: usize) -> Result<&'a Self> {
        let input = context.input(index);
        let [variant] = input.as_slice::<Variant>()? else {
            bail!("input {index} must be a scalar that holds an optional, it has shape {}", input.shape())
        };
        let name = variant.type_name();
        variant.get().ok_or_else(|| Error::invalid_argument(format!("input {index} holds `{name}`, not an optional")))
    }
}

impl VariantObject for Optional {
    fn type_name(&self) -> &'static str {
        "tensorflow::data::Optional"
    }

    fn zeros_like(&self) -> Result<Variant> {
        let zeros = |values: &Vec<Tensor>| values.iter().map(sums::zeros_like).collect();
        Ok(Variant::new(Self(self.0.as_ref().map(zeros).transpose()?)))
    }

    fn add(&self, other: &Variant) -> Result<Variant> {
        let Some(other) = other.get::<Self>() else { return Err(sums::types_differ(self.type_name(), other)) };
        let sum = match (&self.0, &other.0) {
            (None, None) => None,
            (Some(a), Some(b)) if a.len() == b.len() => {
                Some(a.iter().zip(b).map(|(a, b)| sums::add(a, b)).collect::<Result<_>>()?)
            }
            (Some(a), Some(b)) => bail!("optionals of {} and of {} values cannot be added", a.len(), b.len()),
            _ => bail!("optionals of which one has a value and the other has none cannot be added"),
        };
        Ok(Variant::new(Self(sum)))
    }
}
