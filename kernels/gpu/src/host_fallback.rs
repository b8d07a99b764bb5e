//! Kernels of GPUs that are ordinary functions, one a line.
//!
//! Many need no program: those that hand tensors on, those that look at shapes, and those whose arguments all stay in host
//! memory, as TensorFlow has it for shape arithmetic in int32. The CPU's kernel serves them as it is: [`host`].

use oplink::prelude::*;
use oplink::{HasKernelDescriptor, KernelFunction};

/// Kernels that are functions of `&mut KernelContext`, `#[kernel(…)] name = function;` each.
macro_rules! kernels {
    ($(#[kernel($op:ident $($keys:tt)*)] $name:ident = $function:expr;)*) => {$(
        #[doc = concat!("`", stringify!($op), "` on a GPU.")]
        #[kernel($op $($keys)*)]
        pub fn $name(context: &mut KernelContext<'_>) -> Result<()> {
            $function(context)
        }
    )*};
}
pub(crate) use kernels;

/// Kernels with the generator of their node, functions of the context and of the generator, `#[kernel(…)] Name = function;` each.
#[cfg(feature = "random")]
macro_rules! kernels_with_generator {
    ($(#[kernel($op:ident $($keys:tt)*)] $name:ident = $function:expr;)*) => {$(
        #[doc = concat!("`", stringify!($op), "` with the generator of the node.")]
        #[derive(Debug)]
        pub struct $name(::oplink_cpu_random::generator::Generator);

        #[kernel($op $($keys)*)]
        impl RawKernel for $name {
            fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
                ::oplink_cpu_random::generator::Generator::new(*construction).map(Self)
            }

            fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
                $function(context, &self.0)
            }
        }
    )*};
}
#[cfg(feature = "random")]
pub(crate) use kernels_with_generator;

/// Runs the CPU's kernel `K` of the node's op. Tensors that the kernel reads or writes are those that the `host_memory` of
/// the GPU's kernel names; others it hands on, or asks for their shapes only.
///
/// # Errors
/// Those of the kernel; `Internal` where it does not serve the node's dtypes.
pub(crate) fn host<K: HasKernelDescriptor>(context: &mut KernelContext<'_>) -> Result<()> {
    let node = context.node();
    for descriptor in K::DESCRIPTORS.iter().filter(|descriptor| descriptor.op == node.op.name) {
        let dtypes = descriptor.type_attrs.iter().map(|name| context.attr::<DType>(name));
        let dtypes = dtypes.collect::<Result<Vec<_>>>()?;
        let entry = descriptor.entries.iter().find(|entry| entry.dtypes == dtypes);
        if let Some(KernelFunction::Compute(compute)) = entry.map(|entry| entry.function) {
            return compute(context);
        }
    }
    Err(Error::internal(format!("the CPU's kernel of {} does not serve the dtypes of {}", node.op.name, node.name)))
}
