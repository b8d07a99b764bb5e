//! Handles and resources in tensors.

use std::sync::Arc;

use crate::params::InputParam;
use crate::{Error, Resource, ResourceHandle, Result, Tensor};

impl Tensor {
    /// The handle in a scalar of dtype resource: what an input of that dtype, and one that is a reference, holds.
    ///
    /// # Errors
    /// The tensor holds no handle.
    #[inline]
    pub fn handle(&self) -> Result<&ResourceHandle> {
        let handles = self.as_slice::<ResourceHandle>()?;
        handles.first().ok_or_else(|| Error::invalid_argument("the tensor holds no resource handle"))
    }

    /// The resource that the tensor's handle refers to.
    ///
    /// # Errors
    /// There is none, or one of another type.
    #[inline]
    pub fn resource<R: Resource>(&self) -> Result<Arc<R>> {
        self.handle()?.get()
    }
}

#[diagnostic::do_not_recommend]
impl<'a> InputParam<'a> for &'a ResourceHandle {
    type Element = ResourceHandle;

    #[inline]
    fn bind(input: &'a Tensor) -> Result<Self> {
        input.handle()
    }
}

#[diagnostic::do_not_recommend]
impl<R: Resource> InputParam<'_> for Arc<R> {
    type Element = ResourceHandle;

    #[inline]
    fn bind(input: &Tensor) -> Result<Self> {
        input.resource()
    }
}
