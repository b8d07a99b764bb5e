//! The arguments of an op as types, and kernels with state that take them.

use super::{Env, InputSlots, OutputSlots};
use crate::descriptor::OpDescriptor;
use crate::gpu::GpuFormula;
use crate::kernel::{Formula, KernelConstruction, KernelOptions};
use crate::{DType, FuncAttr, NodeInfo, Op, Result, Tensor};

/// The arguments of an op as structs with a field for each: what `#[op]` makes beside the op's type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no typed arguments",
    label = "not declared with #[op]",
    note = "`#[op(\"Name\", …)]` makes the structs of an op's inputs, attrs and outputs"
)]
pub trait TypedOp: Op {
    /// The inputs by name.
    type Inputs<'c>;
    /// The attrs by name.
    type Attrs<'c>: Copy;
    /// The outputs by name.
    type Outputs<'c>;

    /// Binds the inputs of a run.
    ///
    /// # Errors
    /// The run lacks one.
    fn inputs<'c>(slots: &mut InputSlots<'c>) -> Result<Self::Inputs<'c>>;

    /// Reads the attrs of a node.
    ///
    /// # Errors
    /// One is missing, or has a value that the op does not allow.
    fn attrs(node: &NodeInfo) -> Result<Self::Attrs<'_>>;

    /// Binds the outputs of a run.
    ///
    /// # Errors
    /// The run lacks one.
    fn outputs<'c>(slots: &mut OutputSlots<'c>) -> Result<Self::Outputs<'c>>;
}

/// A kernel with state that is built once for each node, with typed arguments.
///
/// With `#[kernel(Op, …)] impl RawKernel for MyKernel { … }` the runtime calls `new` when it prepares the node and
/// `compute` at each step, possibly from several threads at once. A kernel whose op is known only at run time is a
/// [`RawKernel`](crate::RawKernel).
pub trait Kernel: Send + Sync + Sized + 'static {
    /// The op whose arguments the kernel takes.
    type Op: TypedOp;

    /// Builds the kernel from the node's attrs and dtypes.
    ///
    /// # Errors
    /// An attr or a dtype is one that the kernel does not serve. The node is not prepared then.
    fn new(construction: Construction<'_, Self::Op>) -> Result<Self>;

    /// Computes the outputs of one step.
    ///
    /// # Errors
    /// The values or shapes of the inputs are not those that the kernel takes, memory runs out, or the step is
    /// cancelled.
    fn compute(
        &self,
        inputs: <Self::Op as TypedOp>::Inputs<'_>,
        outputs: &mut <Self::Op as TypedOp>::Outputs<'_>,
        env: Env<'_>,
    ) -> Result<()>;
}

/// What a [`Kernel`] is constructed from.
pub struct Construction<'c, O: TypedOp> {
    /// The node's attrs.
    pub attrs: O::Attrs<'c>,
    construction: KernelConstruction<'c>,
}

impl<'c, O: TypedOp> Construction<'c, O> {
    /// With the attrs of the node that `construction` is for.
    ///
    /// # Errors
    /// The node's attrs are not those of the op.
    pub fn new(construction: KernelConstruction<'c>) -> Result<Self> {
        Ok(Self { attrs: O::attrs(construction.node())?, construction })
    }

    /// The formula of another op on the same device.
    ///
    /// # Errors
    /// As [`KernelConstruction::formula`].
    pub fn formula(&self, op: &FuncAttr) -> Result<Formula> {
        self.construction.formula(op)
    }

    /// The formula of another op on the same GPU.
    ///
    /// # Errors
    /// As [`KernelConstruction::gpu_formula`].
    pub fn gpu_formula(&self, op: &FuncAttr) -> Result<Formula<GpuFormula>> {
        self.construction.gpu_formula(op)
    }

    /// The value of the input at a position, where it is known to be the same tensor at every run.
    pub fn constant(&self, input: usize) -> Option<&'c Tensor> {
        self.construction.constant(input)
    }

    /// The options of the session that the kernel is constructed for.
    pub fn options(&self) -> KernelOptions {
        self.construction.options()
    }

    /// The node.
    pub fn node(&self) -> &'c NodeInfo {
        self.construction.node()
    }

    /// Dtypes of the inputs.
    pub fn input_dtypes(&self) -> &'c [DType] {
        self.construction.input_dtypes()
    }

    /// Dtypes of the outputs.
    pub fn output_dtypes(&self) -> &'c [DType] {
        self.construction.output_dtypes()
    }
}

/// Whether two ops declare the same arguments, so that a kernel of one may serve the other.
pub const fn same_arguments(a: &OpDescriptor, b: &OpDescriptor) -> bool {
    same_texts(a.inputs, b.inputs) && same_texts(a.outputs, b.outputs) && same_texts(a.attrs, b.attrs)
}

const fn same_texts(a: &[&str], b: &[&str]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() {
        if !super::enums::same_text(a[at], b[at]) {
            return false;
        }
        at += 1;
    }
    a.len() == b.len()
}
