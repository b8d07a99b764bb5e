//! Elements that name or own objects: resource handles and variants.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::{DType, PartialShape};

/// Names a resource (a variable, a table, a queue) that the runtime's resource manager holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResourceHandle(Option<Arc<ResourceInfo>>);

/// What a handle says of its resource.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResourceInfo {
    /// Device of the resource, full name.
    pub device: String,
    /// Container; empty for the default one.
    pub container: String,
    /// Name within the container.
    pub name: String,
    /// Type of the object, for messages.
    pub type_name: String,
    /// Dtype and shape of what it holds, where it holds tensors.
    pub dtypes_and_shapes: Vec<(DType, PartialShape)>,
}

impl ResourceHandle {
    /// A handle to this resource.
    pub fn new(info: ResourceInfo) -> Self {
        Self(Some(Arc::new(info)))
    }

    /// What it names; `None` for the empty handle.
    pub fn info(&self) -> Option<&ResourceInfo> {
        self.0.as_deref()
    }
}

/// A value of any type in a tensor of dtype variant.
#[derive(Clone, Default)]
pub struct Variant(Option<Arc<dyn VariantObject>>);

/// What a variant can hold.
pub trait VariantObject: Any + Send + Sync {
    /// The type's registered name.
    fn type_name(&self) -> &str;
    /// For downcasts.
    fn as_any(&self) -> &dyn Any;
}

impl Variant {
    /// A variant that holds `object`.
    pub fn new(object: impl VariantObject) -> Self {
        Self(Some(Arc::new(object)))
    }

    /// The held object as `T`.
    pub fn get<T: 'static>(&self) -> Option<&T> {
        self.0.as_deref().and_then(|object| object.as_any().downcast_ref())
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
