//! The scalar sum `AddV2` in every way to call it.

use oplink::descriptors::KernelFunction;
use oplink::graph::eager::{EagerContext, OpHandle};
use oplink::runtime::{ArgDTypes, PreparedKernel, Registry, node_for_call};
use oplink::{DType, Error, KernelContext, KernelEnv, Result, Tensor};
use oplink_ops::math::AddV2;

/// Two scalars that others hold too, so that no call may write its sum over them.
pub(crate) struct Add {
    context: &'static EagerContext,
    function: fn(&mut KernelContext<'_>) -> Result<()>,
    prepared: PreparedKernel,
    handle: OpHandle,
    x: Tensor,
    y: Tensor,
    slots: [Tensor; 2],
}

impl Add {
    pub(crate) fn new() -> Result<Self> {
        let context = EagerContext::global()?;
        let registry = Registry::global()?;
        let inputs = [ArgDTypes::One(DType::Float); 2];
        let node = node_for_call(registry.op("AddV2")?, "add", context.device().name(), &inputs, [])?;
        let prepared = PreparedKernel::new(registry, node.into(), "CPU")?;
        let KernelFunction::Compute(function) = prepared.kernel().function() else {
            return Err(Error::internal("the sum's kernel is no function"));
        };
        let (x, y) = (Tensor::scalar(1.0f32), Tensor::scalar(2.0f32));
        let slots = [x.clone(), y.clone()];
        Ok(Self { context, function, prepared, handle: context.handle("AddV2", &[])?, x, y, slots })
    }

    fn env(&self) -> &'static dyn KernelEnv {
        self.context.device().env()
    }

    /// The function that `#[kernel]` made, with nothing around it: the bare kernel call.
    #[inline]
    pub(crate) fn bare(&mut self) -> Result<Option<Tensor>> {
        let (env, mut outputs) = (self.env(), [None]);
        (self.function)(&mut KernelContext::new(self.prepared.node(), &mut self.slots, &mut outputs, env))?;
        let [sum] = outputs;
        Ok(sum)
    }

    /// The kernel with the checks that every run has.
    #[inline]
    pub(crate) fn prepared(&mut self) -> Result<Option<Tensor>> {
        let (env, mut outputs) = (self.env(), [None]);
        self.prepared.run(&mut self.slots, &mut outputs, env)?;
        let [sum] = outputs;
        Ok(sum)
    }

    /// A cached handle.
    #[inline]
    pub(crate) fn handle(&self) -> Result<Tensor> {
        self.handle.call(&[&self.x, &self.y])
    }

    /// The op's type.
    #[inline]
    pub(crate) fn typed(&self) -> Result<Tensor> {
        AddV2::call(&self.x, &self.y)
    }

    /// The op's name.
    #[inline]
    pub(crate) fn by_name(&self) -> Result<Tensor> {
        self.context.call("AddV2", &[&self.x, &self.y], &[])?.one(0)
    }
}
