//! Resources and the handles that refer to them.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use crate::{DType, Error, PartialShape, Result, Tensor};

/// An object with state that lives across steps: a variable, a table, a queue.
pub trait Resource: Any + Send + Sync {
    /// The type's name, for messages.
    fn type_name(&self) -> &'static str;

    /// The value that a reference to it reads, for variables. `None` for what is no variable, an error for a variable
    /// without a value.
    fn referent(&self) -> Option<Result<Tensor>> {
        None
    }
}

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

/// The place of a resource, which may be empty. All handles of one name share it.
pub(super) type Slot = Arc<RwLock<Option<Arc<dyn Resource>>>>;

/// Refers to a resource. The element of tensors of dtype resource.
///
/// A handle reaches its resource without a lookup by name; it stays valid when the resource is destroyed and made
/// again.
#[derive(Clone, Default)]
pub struct ResourceHandle(Option<Arc<Inner>>);

struct Inner {
    info: ResourceInfo,
    slot: Slot,
}

impl ResourceHandle {
    /// A handle to a resource of its own, which no manager knows by name and which goes with the last handle.
    pub fn new(info: ResourceInfo) -> Self {
        Self::with_slot(info, Slot::default())
    }

    pub(super) fn with_slot(info: ResourceInfo, slot: Slot) -> Self {
        Self(Some(Arc::new(Inner { info, slot })))
    }

    /// What it names; `None` for the empty handle.
    pub fn info(&self) -> Option<&ResourceInfo> {
        self.0.as_deref().map(|inner| &inner.info)
    }

    /// Whether there is a resource.
    pub fn exists(&self) -> bool {
        self.any().is_some()
    }

    /// The resource, whatever its type.
    pub fn any(&self) -> Option<Arc<dyn Resource>> {
        self.0.as_ref()?.slot.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The resource.
    ///
    /// # Errors
    /// `NotFound` where there is none, or the handle is empty; `InvalidArgument` where it is of another type.
    pub fn get<T: Resource>(&self) -> Result<Arc<T>> {
        let resource = self.any().ok_or_else(|| self.missing())?;
        self.downcast(resource)
    }

    /// The resource; `make`'s where there is none yet.
    ///
    /// # Errors
    /// `make` fails; the handle is empty; the resource is of another type.
    pub fn get_or_create<T: Resource>(&self, make: impl FnOnce() -> Result<T>) -> Result<Arc<T>> {
        if let Some(resource) = self.any() {
            return self.downcast(resource);
        }
        let inner = self.0.as_ref().ok_or_else(|| self.missing())?;
        let mut slot = inner.slot.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(resource) = &*slot {
            return self.downcast(resource.clone());
        }
        let made = Arc::new(make()?);
        *slot = Some(made.clone());
        Ok(made)
    }

    /// Destroys the resource; whether there was one. Who still uses it keeps it until then.
    pub fn destroy(&self) -> bool {
        let Some(inner) = &self.0 else { return false };
        let resource = inner.slot.write().unwrap_or_else(PoisonError::into_inner).take();
        resource.is_some()
    }

    fn downcast<T: Resource>(&self, resource: Arc<dyn Resource>) -> Result<Arc<T>> {
        let type_name = resource.type_name();
        let any: Arc<dyn Any + Send + Sync> = resource;
        any.downcast().map_err(|_| {
            let message = format!("resource {self} is a {type_name}, not what this op works on");
            Error::invalid_argument(message)
        })
    }

    #[cold]
    fn missing(&self) -> Error {
        match self.info() {
            None => Error::invalid_argument("the resource handle is empty"),
            Some(info) => {
                let what = if info.type_name.is_empty() { "resource" } else { &info.type_name };
                Error::not_found(format!(
                    "{what} {self} does not exist: it was not initialised yet, or it was destroyed"
                ))
            }
        }
    }
}

impl fmt::Display for ResourceHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.info() {
            None => f.write_str("(empty handle)"),
            Some(info) if info.container.is_empty() => write!(f, "`{}`", info.name),
            Some(info) => write!(f, "`{}` of container `{}`", info.name, info.container),
        }
    }
}

impl fmt::Debug for ResourceHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.info() {
            None => f.write_str("ResourceHandle(empty)"),
            Some(info) => write!(f, "ResourceHandle({} {}/{})", info.type_name, info.container, info.name),
        }
    }
}

impl PartialEq for ResourceHandle {
    /// Handles are equal when they refer to the same place.
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b) || Arc::ptr_eq(&a.slot, &b.slot),
            _ => false,
        }
    }
}

impl Eq for ResourceHandle {}
