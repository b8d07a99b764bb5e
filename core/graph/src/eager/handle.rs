//! A handle for a hot call site: the kernels it needed so far, found without hashing and without locks.

use std::sync::{Arc, OnceLock};

use oplink_api::{AttrValue, DType, Error, Result, Tensor};
use oplink_core::{Device, PreparedKernel, Registry, node_for_flat_call};
use smallvec::SmallVec;

use super::device_contexts::DeviceContexts;
use super::env::EagerEnv;

/// Kernels that a handle keeps; calls of further dtypes make theirs anew each time.
const MAX_KERNELS: usize = 32;

/// An op with attrs, to be called again and again. Handles are shared by threads.
///
/// The first call of each combination of input dtypes finds and constructs the kernel; later ones compare dtypes and
/// call it. Calls are on the device that the handle was made for: inputs in another memory are copied there, outputs
/// stay there.
pub struct OpHandle {
    registry: Arc<Registry>,
    env: Arc<EagerEnv>,
    /// Where else inputs may be.
    others: Arc<DeviceContexts>,
    /// Whether the device has memory of its own.
    has_memory: bool,
    op: String,
    attrs: Vec<(String, AttrValue)>,
    first: Slot,
}

/// A list that only grows: each link is set once and read without a lock.
type Slot = OnceLock<Box<Link>>;

struct Link {
    kernel: PreparedKernel,
    next: Slot,
}

impl OpHandle {
    /// A handle for an op with these attrs, with resources of its own; one of a context, which shares the context's, is
    /// made by [`EagerContext::handle`](super::EagerContext::handle).
    ///
    /// # Errors
    /// The op is unknown.
    pub fn new(
        registry: Arc<Registry>,
        device: Arc<dyn Device>,
        op: &str,
        attrs: &[(&str, AttrValue)],
    ) -> Result<Self> {
        Self::in_env(registry, Arc::new(EagerEnv::new(device)), Arc::default(), op, attrs)
    }

    pub(super) fn in_env(
        registry: Arc<Registry>,
        env: Arc<EagerEnv>,
        others: Arc<DeviceContexts>,
        op: &str,
        attrs: &[(&str, AttrValue)],
    ) -> Result<Self> {
        registry.op(op)?;
        let attrs = attrs.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let has_memory = env.device().context().is_some();
        Ok(Self { registry, env, others, has_memory, op: op.to_owned(), attrs, first: Slot::new() })
    }

    /// The device of its calls.
    pub fn device(&self) -> &Arc<dyn Device> {
        self.env.device()
    }

    /// The op's name.
    pub fn op(&self) -> &str {
        &self.op
    }

    /// Calls the op; its single output.
    ///
    /// # Errors
    /// As [`OpHandle::run`]; or the op has not one output.
    #[inline]
    pub fn call(&self, inputs: &[&Tensor]) -> Result<Tensor> {
        let mut slots: SmallVec<[Tensor; 4]> = inputs.iter().map(|&tensor| tensor.clone()).collect();
        let mut output = [None];
        self.run(&mut slots, &mut output)?;
        let [output] = output;
        output.ok_or_else(|| Error::internal("the kernel set no output"))
    }

    /// Calls the op; all its outputs.
    ///
    /// # Errors
    /// As [`OpHandle::run`].
    pub fn call_all(&self, inputs: &[&Tensor]) -> Result<Vec<Tensor>> {
        let mut slots: SmallVec<[Tensor; 4]> = inputs.iter().map(|&tensor| tensor.clone()).collect();
        self.with_kernel(&mut slots, |kernel, inputs| {
            let mut outputs = vec![None; kernel.node().output_dtypes.len()];
            kernel.run(inputs, &mut outputs, &*self.env)?;
            Ok(outputs.into_iter().flatten().collect())
        })
    }

    /// Calls the op on inputs that it may take: where one is the only reference to its memory, a kernel may write its
    /// output there. `outputs` has a slot for each output.
    ///
    /// # Errors
    /// Inputs do not fit the op, there is no kernel for them, or it fails; the number of slots is not that of the
    /// outputs.
    #[inline]
    pub fn run(&self, inputs: &mut [Tensor], outputs: &mut [Option<Tensor>]) -> Result<()> {
        self.with_kernel(inputs, |kernel, inputs| kernel.run(inputs, outputs, &*self.env))
    }

    #[inline]
    fn with_kernel<R>(
        &self,
        inputs: &mut [Tensor],
        run: impl FnOnce(&PreparedKernel, &mut [Tensor]) -> Result<R>,
    ) -> Result<R> {
        if let Some(kernel) = self.find(inputs) {
            if self.has_memory || inputs.iter().any(Tensor::is_on_device) {
                self.transfer_inputs(kernel, inputs)?;
            }
            return run(kernel, inputs);
        }
        let kernel = self.make(inputs)?;
        self.transfer_inputs(&kernel, inputs)?;
        let result = run(&kernel, inputs);
        self.keep(kernel);
        result
    }

    #[cold]
    fn transfer_inputs(&self, kernel: &PreparedKernel, inputs: &mut [Tensor]) -> Result<()> {
        self.others.transfer_inputs(self.env.device(), kernel, inputs)
    }

    /// The kept kernel for inputs of these dtypes.
    #[inline]
    fn find(&self, inputs: &[Tensor]) -> Option<&PreparedKernel> {
        let mut slot = &self.first;
        while let Some(link) = slot.get() {
            if is_for(&link.kernel, inputs) {
                return Some(&link.kernel);
            }
            slot = &link.next;
        }
        None
    }

    #[cold]
    fn make(&self, inputs: &[Tensor]) -> Result<PreparedKernel> {
        let dtypes: Vec<DType> = inputs.iter().map(Tensor::dtype).collect();
        let attrs: Vec<(&str, AttrValue)> =
            self.attrs.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
        let entry = self.registry.op(&self.op)?;
        let node = node_for_flat_call(entry, &*self.op, self.env.device().name(), &dtypes, &attrs)?;
        PreparedKernel::new(&self.registry, Arc::new(node), self.env.device().device_type())
    }

    /// Appends the kernel to the list, unless the list is full or another thread was first.
    #[cold]
    fn keep(&self, kernel: PreparedKernel) {
        let mut link = Box::new(Link { kernel, next: Slot::new() });
        let mut slot = &self.first;
        for _ in 0..MAX_KERNELS {
            let Err(back) = slot.set(link) else { return };
            let Some(present) = slot.get() else { return };
            if present.kernel.node().input_dtypes == back.kernel.node().input_dtypes {
                return;
            }
            link = back;
            slot = &present.next;
        }
    }
}

#[inline]
fn is_for(kernel: &PreparedKernel, inputs: &[Tensor]) -> bool {
    let dtypes = &kernel.node().input_dtypes;
    dtypes.len() == inputs.len() && dtypes.iter().zip(inputs).all(|(dtype, tensor)| *dtype == tensor.dtype())
}

impl std::fmt::Debug for OpHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "OpHandle({} on {})", self.op, self.env.device().name())
    }
}
