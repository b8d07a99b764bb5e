//! Variants: values of any type in a tensor.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::{Error, Result};

/// A value of any type in a tensor of dtype variant.
#[derive(Clone, Default)]
pub struct Variant(Option<Arc<dyn VariantObject>>);

/// What a variant can hold.
pub trait VariantObject: Any + Send + Sync {
    /// The type's registered name.
    fn type_name(&self) -> &str;

    /// A value like this one with every number 0: what `ZerosLike` makes of a variant.
    ///
    /// # Errors
    /// The type has no such value.
    fn zeros_like(&self) -> Result<Variant> {
        Err(Error::unimplemented(format!("a variant of type {} has no zero", self.type_name())))
    }

    /// The sum of this value and another of the same type: what `AddN` makes of variants.
    ///
    /// # Errors
    /// The type has no sums, or the other value does not fit.
    fn add(&self, other: &Variant) -> Result<Variant> {
        let _ = other;
        Err(Error::unimplemented(format!("variants of type {} cannot be added", self.type_name())))
    }
}

impl Variant {
    /// A variant that holds `object`.
    pub fn new(object: impl VariantObject) -> Self {
        Self(Some(Arc::new(object)))
    }

    /// The held object.
    pub fn object(&self) -> Option<&dyn VariantObject> {
        self.0.as_deref()
    }

    /// The held object as `T`.
    pub fn get<T: VariantObject>(&self) -> Option<&T> {
        let any: &dyn Any = self.0.as_deref()?;
        any.downcast_ref()
    }

    /// The held object as `T`, to be changed in place; `None` where another variant shares it.
    pub fn get_mut<T: VariantObject>(&mut self) -> Option<&mut T> {
        let any: &mut dyn Any = Arc::get_mut(self.0.as_mut()?)?;
        any.downcast_mut()
    }

    /// The held type's name; empty for the empty variant.
    pub fn type_name(&self) -> &str {
        self.0.as_deref().map_or("", |object| object.type_name())
    }
}

impl fmt::Debug for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Variant({})", self.type_name())
    }
}
