//! Kernels for the device GPU, prepared from an op, attrs and the dtypes of inputs, and kept for the next call.

use std::sync::{Arc, PoisonError, RwLock};

use oplink_api::descriptors::{KernelDescriptor, KernelFunction};
use oplink_api::device::HostMemory;
use oplink_api::gpu::GpuKernel;
use oplink_api::{Error, KernelConstruction, KernelContext, NodeInfo, RawKernel, Result};

use crate::prepare::CallKey;
use crate::table::HostedOp;

/// Kernels of one op that are kept; the one that was made first goes.
const MOST_KEPT: usize = 64;

/// The kernels of one op for GPUs.
#[derive(Debug, Default)]
pub(crate) struct GpuKernels {
    /// That of the highest priority first.
    declared: Vec<&'static KernelDescriptor>,
    cache: RwLock<Vec<(CallKey, Arc<PreparedGpuKernel>)>>,
}

impl GpuKernels {
    /// Those of an op among all kernels of its crate.
    pub(crate) fn of(op: &str, kernels: impl Iterator<Item = &'static KernelDescriptor>) -> Self {
        let serves = |kernel: &&KernelDescriptor| kernel.op == op && kernel.device == "GPU" && kernel.label.is_empty();
        let mut declared: Vec<_> = kernels.filter(serves).collect();
        declared.sort_by_key(|kernel| std::cmp::Reverse(kernel.priority));
        Self { declared, cache: RwLock::default() }
    }
}

/// A kernel for some attrs and dtypes.
pub struct PreparedGpuKernel {
    pub(super) node: NodeInfo,
    pub(super) function: Function,
    pub(super) host_memory: HostMemory,
}

impl std::fmt::Debug for PreparedGpuKernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PreparedGpuKernel").field("node", &self.node).finish_non_exhaustive()
    }
}

/// How a kernel computes.
pub(super) enum Function {
    Program(&'static GpuKernel),
    Compute(fn(&mut KernelContext<'_>) -> Result<()>),
    Object(Box<dyn RawKernel>),
}

impl PreparedGpuKernel {
    /// The node that the kernel is of.
    pub fn node(&self) -> &NodeInfo {
        &self.node
    }
}

impl HostedOp {
    /// Whether the op has a kernel for GPUs, of some dtypes.
    pub fn has_gpu_kernel(&self) -> bool {
        !self.gpu.declared.is_empty()
    }

    /// The kernels for GPUs, that of the highest priority first.
    pub fn gpu_kernels(&self) -> &[&'static KernelDescriptor] {
        &self.gpu.declared
    }

    /// Whether an input is in host memory whatever kernel for GPUs serves the call; by position in the declaration.
    pub fn is_gpu_input_on_host(&self, input: usize) -> bool {
        let name = self.spec.inputs.get(input).map(|arg| arg.name.as_str());
        let names = |kernel: &&'static KernelDescriptor| name.is_some_and(|name| kernel.host_memory.contains(&name));
        self.has_gpu_kernel() && self.gpu.declared.iter().all(names)
    }

    /// The kernel of a call on a GPU, made where none is kept.
    ///
    /// # Errors
    /// As [`prepare_on_gpu`](Self::prepare_on_gpu).
    pub fn prepared_on_gpu(&self, key: &CallKey) -> Result<Arc<PreparedGpuKernel>> {
        let find = |kept: &[(CallKey, Arc<PreparedGpuKernel>)]| {
            kept.iter().find(|(kept, _)| kept == key).map(|(_, kernel)| kernel.clone())
        };
        if let Some(kernel) = find(&self.gpu.cache.read().unwrap_or_else(PoisonError::into_inner)) {
            return Ok(kernel);
        }
        let kernel = Arc::new(self.prepare_on_gpu(key)?);
        let mut cache = self.gpu.cache.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(kernel) = find(&cache) {
            return Ok(kernel);
        }
        if cache.len() >= MOST_KEPT {
            cache.remove(0);
        }
        cache.push((key.clone(), kernel.clone()));
        Ok(kernel)
    }

    /// The kernel of a call on a GPU.
    ///
    /// # Errors
    /// As [`prepare`](Self::prepare), for kernels of the device GPU.
    pub fn prepare_on_gpu(&self, key: &CallKey) -> Result<PreparedGpuKernel> {
        if let Some(refusal) = self.refusal() {
            return Err(Error::unimplemented(refusal));
        }
        if !self.has_gpu_kernel() {
            return Err(self.no_gpu_kernel());
        }
        let node = self.node_on("GPU", key)?;
        self.check_attrs(&node)?;
        let declared = self.gpu.declared.iter();
        let found = declared.into_iter().find_map(|kernel| Some((kernel, kernel.entry_for(&node.attrs)?)));
        let Some((kernel, entry)) = found else { return Err(self.no_gpu_kernel_for(&node)) };
        let host_memory = HostMemory::of(&node, kernel.host_memory);
        let function = match entry.function {
            // The kernel of the CPU, which reads and writes what `host_memory` names.
            KernelFunction::HostFallback => self.entry(&node)?,
            function => function,
        };
        let function = match function {
            KernelFunction::Program(program) => Function::Program(program),
            KernelFunction::Compute(function) => Function::Compute(function),
            KernelFunction::Create(create) => Function::Object(create(&KernelConstruction::new(&node))?),
            KernelFunction::Async(_) | KernelFunction::HostFallback | KernelFunction::Foreign(_) => {
                return Err(Error::unimplemented(format!(
                    "the kernel of {} for the device GPU is asynchronous or of another runtime, which is not taken here: \
                     move the inputs to the CPU",
                    self.spec.name
                )));
            }
        };
        Ok(PreparedGpuKernel { node, function, host_memory })
    }

    #[cold]
    fn no_gpu_kernel(&self) -> Error {
        Error::unimplemented(format!(
            "{} has no kernel for GPUs: move its inputs to the CPU, or declare one with `device = GPU`",
            self.spec.name
        ))
    }

    #[cold]
    fn no_gpu_kernel_for(&self, node: &NodeInfo) -> Error {
        let dtypes: Vec<&str> = node.input_dtypes.iter().map(|dtype| dtype.name()).collect();
        Error::unimplemented(format!(
            "{} has no kernel for GPUs for inputs of {}: move them to the CPU, or declare one",
            self.spec.name,
            dtypes.join(", ")
        ))
    }
}
