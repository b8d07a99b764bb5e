//! Kernels prepared from an op, attrs and the dtypes of inputs, and kept for the next call with the same.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};

use oplink_api::descriptors::KernelFunction;
use oplink_api::foreign::ForeignKernel;
use oplink_api::resolve::{ArgDTypes, grouped, node_for_call};
use oplink_api::shape_inference::NoConstants;
use oplink_api::{
    AsyncKernelContext, AttrValue, DType, Error, KernelConstruction, KernelContext, NodeInfo, PartialShape, RawKernel,
    Result, ResultExt, bail,
};
use smallvec::SmallVec;

use crate::table::HostedOp;

/// Kernels of one op that are kept; the one that was made first goes.
const MOST_KEPT: usize = 64;

/// The kernels of one op that are kept.
pub(crate) type Cache = Vec<(CallKey, Arc<PreparedKernel>)>;

/// What a call says of its kernel: everything but the inputs' shapes and elements.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallKey {
    /// The dtypes of all inputs.
    pub dtypes: SmallVec<[DType; 4]>,
    /// How many tensors each declared input covers.
    pub lengths: SmallVec<[u32; 4]>,
    /// The values of [`HostedOp::given_attrs`], in their order; `None` for the default.
    pub attrs: SmallVec<[Option<AttrValue>; 4]>,
}

/// A kernel for some attrs and dtypes.
pub struct PreparedKernel {
    pub(crate) node: Arc<NodeInfo>,
    pub(crate) function: Function,
    is_dropped: AtomicBool,
}

impl std::fmt::Debug for PreparedKernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PreparedKernel").field("node", &self.node).finish_non_exhaustive()
    }
}

/// How a kernel computes.
pub(crate) enum Function {
    Compute(fn(&mut KernelContext<'_>) -> Result<()>),
    Object(Box<dyn RawKernel>),
    Async(fn(AsyncKernelContext)),
}

impl PreparedKernel {
    /// The node that the kernel is of.
    pub fn node(&self) -> &NodeInfo {
        &self.node
    }

    /// Whether the kernel was not dropped for one that was made later.
    #[inline]
    pub(crate) fn is_kept(&self) -> bool {
        !self.is_dropped.load(Ordering::Relaxed)
    }
}

impl HostedOp {
    /// The kernel of a call, made where none is kept.
    ///
    /// # Errors
    /// As [`prepare`](Self::prepare).
    pub fn prepared(&self, key: &CallKey) -> Result<Arc<PreparedKernel>> {
        let find = |cache: &Cache| cache.iter().find(|(kept, _)| kept == key).map(|(_, kernel)| kernel.clone());
        if let Some(kernel) = find(&self.cache.read().unwrap_or_else(PoisonError::into_inner)) {
            return Ok(kernel);
        }
        let kernel = Arc::new(self.prepare(key)?);
        let mut cache = self.cache.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(kernel) = find(&cache) {
            return Ok(kernel);
        }
        if cache.len() >= MOST_KEPT {
            let (_, oldest) = cache.remove(0);
            oldest.is_dropped.store(true, Ordering::Relaxed);
        }
        cache.push((key.clone(), kernel.clone()));
        Ok(kernel)
    }

    /// The node of a call.
    ///
    /// # Errors
    /// A wrong number or dtype of inputs; an attr outside its constraint, or without a value.
    pub fn node(&self, key: &CallKey) -> Result<NodeInfo> {
        self.node_on("CPU", key)
    }

    /// As [`node`](Self::node), for kernels of a device type.
    pub(crate) fn node_on(&self, device: &str, key: &CallKey) -> Result<NodeInfo> {
        let mut start = 0;
        let ranges: SmallVec<[std::ops::Range<usize>; 4]> = key
            .lengths
            .iter()
            .map(|&length| {
                let range = start..start + length as usize;
                start = range.end;
                range
            })
            .collect();
        let inputs: Vec<ArgDTypes<'_>> = grouped(&self.spec, &key.dtypes, &ranges);
        let given = self.given_attrs().zip(&key.attrs);
        let attrs = given.filter_map(|(attr, value)| Some((attr.name.as_str(), value.clone()?)));
        node_for_call(self, self.spec.name.clone(), device, &inputs, attrs)
    }

    /// The kernel of a call.
    ///
    /// # Errors
    /// As [`node`](Self::node); the shape function refuses the attrs, no kernel serves the dtypes, or the kernel's
    /// constructor fails.
    pub fn prepare(&self, key: &CallKey) -> Result<PreparedKernel> {
        if let Some(refusal) = self.refusal() {
            return Err(Error::unimplemented(refusal));
        }
        let node = self.node(key)?;
        self.check_attrs(&node)?;
        let function = match self.entry(&node)? {
            KernelFunction::Compute(function) => Function::Compute(function),
            KernelFunction::Create(create) => Function::Object(create(&KernelConstruction::new(&node))?),
            KernelFunction::Async(function) => Function::Async(function),
            KernelFunction::Foreign(factory) => match factory.create(&KernelConstruction::new(&node))? {
                ForeignKernel::Now(kernel) => Function::Object(kernel),
                ForeignKernel::Later(_) => bail!("the kernel of {} completes later", self.spec.name),
            },
            KernelFunction::Program(_) | KernelFunction::HostFallback => {
                bail!("the kernel of {} for the device CPU has no function", self.spec.name)
            }
        };
        Ok(PreparedKernel { node: Arc::new(node), function, is_dropped: AtomicBool::new(false) })
    }

    /// The function for the node's dtypes.
    pub(crate) fn entry(&self, node: &NodeInfo) -> Result<KernelFunction> {
        let found = self.kernels.iter().find_map(|kernel| kernel.entry_for(&node.attrs));
        found.map(|entry| entry.function).ok_or_else(|| {
            let dtypes: Vec<&str> = node.input_dtypes.iter().map(|dtype| dtype.name()).collect();
            Error::unimplemented(format!("{} has no kernel for inputs of {}", self.spec.name, dtypes.join(", ")))
        })
    }

    /// What the shape function says of the attrs alone.
    pub(crate) fn check_attrs(&self, node: &NodeInfo) -> Result<()> {
        let unknown = vec![PartialShape::unknown(); node.input_dtypes.len()];
        self.infer(node, &unknown, &NoConstants)
            .map(drop)
            .context_with(|| format!("checking the attrs of {}", self.spec.name))
    }
}
