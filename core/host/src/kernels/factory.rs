//! Kernel objects of plugins, and what makes them.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

use oplink_abi::{CreateFn, DeleteFn, TF_OpKernelContext};
use oplink_api::foreign::{AsyncKernel, ForeignKernel, KernelFactory};
use oplink_api::{AsyncKernelContext, KernelConstruction, KernelContext, RawKernel, Result};

use super::construction::Construction;
use super::context::Context;
use super::deferred;
use super::registration::{Compute, Registration, made_by_factory};
use crate::handles::Running;

/// A registered kernel.
pub(super) struct Factory {
    name: String,
    file: &'static str,
    create: CreateFn,
    compute: Compute,
    delete: DeleteFn,
    pub(super) host_memory: &'static [&'static str],
}

impl Factory {
    /// Leaked: it lives as long as its descriptor, which is as long as the process runs.
    pub(super) fn new(of: &Registration, compute: Compute, file: &'static str) -> &'static Self {
        let (create, delete) = (of.callbacks.create, of.callbacks.delete);
        let host_memory = of.leaked_host_memory();
        Box::leak(Box::new(Self { name: of.name.clone(), file, create, compute, delete, host_memory }))
    }
}

impl KernelFactory for Factory {
    fn create(&self, construction: &KernelConstruction<'_>) -> Result<ForeignKernel> {
        let mut context = Construction::new(construction.node());
        let object = self.create.map_or(ptr::null_mut(), |create| {
            // SAFETY: the plugin's function; the construction lives during the call.
            unsafe { create(ptr::from_mut(&mut context).cast()) }
        });
        let object = Object { pointer: object, delete: self.delete };
        context.finish()?;
        let host_memory = self.host_memory;
        Ok(match self.compute {
            Compute::Now(compute) => ForeignKernel::Now(Box::new(NowKernel { object, compute, host_memory })),
            Compute::Later(compute) => {
                ForeignKernel::Later(Box::new(LaterKernel { object: Arc::new(object), compute, host_memory }))
            }
        })
    }

    fn describe(&self) -> String {
        format!("kernel `{}` of the plugin {}", self.name, self.file)
    }
}

/// What a plugin made for a node; null where its kernel has no state.
pub(super) struct Object {
    pointer: *mut c_void,
    delete: DeleteFn,
}

// SAFETY: the ABI has hosts compute and delete on any thread.
unsafe impl Send for Object {}
// SAFETY: the ABI has hosts compute on several threads at once.
unsafe impl Sync for Object {}

impl Drop for Object {
    fn drop(&mut self) {
        if let Some(delete) = self.delete {
            // SAFETY: called once, with what the plugin made; no run is going on that could use it.
            unsafe { delete(self.pointer) }
        }
    }
}

struct NowKernel {
    object: Object,
    compute: unsafe extern "C" fn(*mut c_void, *mut TF_OpKernelContext),
    host_memory: &'static [&'static str],
}

impl RawKernel for NowKernel {
    fn new(_: &KernelConstruction<'_>) -> Result<Self> {
        Err(made_by_factory())
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let mut lent = Context::now(context, self.host_memory);
        let _running = Running::begin(lent.id());
        // SAFETY: the plugin's function and object; the context lives during the call.
        unsafe { (self.compute)(self.object.pointer, ptr::from_mut(&mut lent).cast()) }
        lent.finish()
    }
}

struct LaterKernel {
    object: Arc<Object>,
    compute: unsafe extern "C" fn(*mut c_void, *mut TF_OpKernelContext, *mut oplink_abi::TF_AsyncOpKernelDoneCallback),
    host_memory: &'static [&'static str],
}

impl AsyncKernel for LaterKernel {
    fn start(&self, context: AsyncKernelContext) {
        let (lent, done) = deferred::lend(Context::later(context, self.host_memory, self.object.clone()));
        // SAFETY: the plugin's function and object; the context lives until the plugin calls back.
        unsafe { (self.compute)(self.object.pointer, lent.cast(), done) }
    }
}
