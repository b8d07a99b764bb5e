//! What a kernel was declared with, made into a descriptor of the registry.

use std::ffi::c_void;

use oplink_abi::{CreateFn, DeleteFn, TF_AsyncOpKernelDoneCallback, TF_OpKernelContext};
use oplink_api::descriptors::{KernelDescriptor, KernelEntry, KernelFunction, Location};
use oplink_api::{DType, Error, Result, bail};
use oplink_core::{ANY_OP, Declarations, RejectedItem, RejectedKernel};

use super::factory::Factory;
use crate::load::source_of;

/// How a kernel computes.
#[derive(Clone, Copy)]
pub(super) enum Compute {
    Now(unsafe extern "C" fn(*mut c_void, *mut TF_OpKernelContext)),
    Later(unsafe extern "C" fn(*mut c_void, *mut TF_OpKernelContext, *mut TF_AsyncOpKernelDoneCallback)),
}

/// The functions of a kernel.
#[derive(Clone, Copy, Default)]
pub(super) struct Callbacks {
    pub(super) create: CreateFn,
    pub(super) compute: Option<Compute>,
    pub(super) delete: DeleteFn,
}

/// A kernel's declaration.
#[derive(Default)]
pub(super) struct Registration {
    pub(super) name: String,
    pub(super) op: String,
    pub(super) device: String,
    pub(super) label: String,
    pub(super) priority: i32,
    /// Type attrs with the dtypes that they may have.
    pub(super) constraints: Vec<(String, Vec<DType>)>,
    pub(super) host_memory: Vec<String>,
    pub(super) callbacks: Callbacks,
}

fn leak(texts: impl IntoIterator<Item = String>) -> &'static [&'static str] {
    let leaked: Vec<&'static str> = texts.into_iter().map(|text| &*text.leak()).collect();
    leaked.leak()
}

impl Registration {
    /// The op, and what is said of the kernel, for the note that it could not be declared.
    pub(super) fn as_rejected(&self) -> (String, RejectedItem) {
        let (device, label, constraints) = (self.device.clone(), self.label.clone(), self.constraints.clone());
        (self.op.clone(), RejectedItem::Kernel(RejectedKernel { device, label, constraints }))
    }

    /// The descriptor, leaked: libraries stay mapped, and the registry keeps it as long as the process runs.
    ///
    /// # Errors
    /// There is no op, no device or no function to compute with.
    pub(super) fn declarations(self) -> Result<Declarations> {
        if self.op.is_empty() || self.op == ANY_OP || self.device.is_empty() {
            bail!("the kernel `{}` is for op `{}` on device `{}`: both must be named", self.name, self.op, self.device);
        }
        let Some(compute) = self.callbacks.compute else {
            bail!("the kernel `{}` of op `{}` has no function to compute with", self.name, self.op);
        };
        let location = source_of(Some(compute.address()));
        let factory = Factory::new(&self, compute, location.file);
        let mut declarations = Declarations::default();
        declarations.kernel(self.descriptor(factory, location));
        Ok(declarations)
    }

    fn descriptor(self, factory: &'static Factory, location: Location) -> &'static KernelDescriptor {
        let combinations = self.combinations();
        let entry = |dtypes: Vec<DType>| KernelEntry::new(dtypes.leak(), KernelFunction::Foreign(factory));
        let entries: Vec<KernelEntry> = combinations.into_iter().map(entry).collect();
        Box::leak(Box::new(KernelDescriptor {
            op: self.op.leak(),
            device: self.device.leak(),
            label: self.label.leak(),
            priority: self.priority,
            host_memory: factory.host_memory,
            forward: &[],
            type_attrs: leak(self.constraints.into_iter().map(|(attr, _)| attr)),
            entries: entries.leak(),
            excluded: &[],
            location,
        }))
    }

    /// Each combination of a dtype for each constrained attr.
    fn combinations(&self) -> Vec<Vec<DType>> {
        self.constraints.iter().fold(vec![Vec::new()], |combinations, (_, dtypes)| {
            let with = |combination: &Vec<DType>, dtype: &DType| [combination.as_slice(), &[*dtype]].concat();
            combinations.iter().flat_map(|one| dtypes.iter().map(move |dtype| with(one, dtype))).collect()
        })
    }

    pub(super) fn leaked_host_memory(&self) -> &'static [&'static str] {
        leak(self.host_memory.iter().cloned())
    }
}

impl Compute {
    fn address(self) -> *const () {
        match self {
            Self::Now(function) => function as *const (),
            Self::Later(function) => function as *const (),
        }
    }
}

/// The error of an object that is made by its factory only.
pub(super) fn made_by_factory() -> Error {
    Error::internal("a plugin's kernel is made by its factory")
}
