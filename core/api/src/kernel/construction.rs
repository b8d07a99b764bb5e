//! What a kernel is constructed from: the node, and the formulas of other ops.

use smallvec::SmallVec;

use crate::attr::FromAttr;
use crate::device::ScalarValue;
use crate::elementwise::ElementwiseFn;
use crate::gpu::GpuFormula;
use crate::{AttrMap, DType, FuncAttr, NodeInfo, Result, Tensor, bail};

/// What a kernel is constructed from.
#[derive(Clone, Copy, Debug)]
pub struct KernelConstruction<'a> {
    node: &'a NodeInfo,
    formulas: Option<&'a dyn FormulaLookup>,
    constants: &'a [Option<Tensor>],
    options: KernelOptions,
}

/// What a session leaves to its kernels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KernelOptions {
    /// Whether convolutions may multiply transformed tiles (Winograd's algorithm): fewer multiplications, and rounding
    /// errors that grow with the size of a tile.
    pub winograd: bool,
}

/// Finds the formulas of ops whose kernels on the device of the constructed kernel are elementwise.
pub trait FormulaLookup: std::fmt::Debug {
    /// The formula of an op with these attrs.
    ///
    /// # Errors
    /// There is no such op or kernel, or the kernel is not elementwise.
    fn formula(&self, op: &FuncAttr) -> Result<Formula>;

    /// The same on a GPU.
    ///
    /// # Errors
    /// As [`formula`](Self::formula).
    fn gpu_formula(&self, op: &FuncAttr) -> Result<Formula<GpuFormula>>;
}

/// A formula with the values of its attrs.
#[derive(Clone, Debug)]
pub struct Formula<F: 'static = ElementwiseFn> {
    /// The formula.
    pub function: &'static F,
    /// The values of its attrs.
    pub attrs: SmallVec<[ScalarValue; 2]>,
    /// The number of the op's inputs.
    pub num_inputs: usize,
    /// The dtype of the op's output.
    pub result: DType,
}

impl<'a> KernelConstruction<'a> {
    /// For `node`.
    pub fn new(node: &'a NodeInfo) -> Self {
        Self { node, formulas: None, constants: &[], options: KernelOptions::default() }
    }

    /// The same, with the values of those inputs that are the same tensor at every run, by position.
    #[must_use]
    pub fn with_constants(self, constants: &'a [Option<Tensor>]) -> Self {
        Self { constants, ..self }
    }

    /// The same, with these options.
    #[must_use]
    pub fn with_options(self, options: KernelOptions) -> Self {
        Self { options, ..self }
    }

    /// The value of the input at a position, where it is known to be the same tensor at every run.
    pub fn constant(&self, input: usize) -> Option<&'a Tensor> {
        self.constants.get(input)?.as_ref()
    }

    /// The options of the session that the kernel is constructed for.
    pub fn options(&self) -> KernelOptions {
        self.options
    }

    /// The same, with the formulas of other ops.
    #[must_use]
    pub fn with_formulas(self, formulas: &'a dyn FormulaLookup) -> Self {
        Self { formulas: Some(formulas), ..self }
    }

    /// The formula of another op on the same device.
    ///
    /// # Errors
    /// As [`FormulaLookup::formula`]; nothing is known of other ops where the kernel is constructed.
    pub fn formula(&self, op: &FuncAttr) -> Result<Formula> {
        self.formulas(op)?.formula(op)
    }

    /// The formula of another op on the same GPU.
    ///
    /// # Errors
    /// As [`FormulaLookup::gpu_formula`]; nothing is known of other ops where the kernel is constructed.
    pub fn gpu_formula(&self, op: &FuncAttr) -> Result<Formula<GpuFormula>> {
        self.formulas(op)?.gpu_formula(op)
    }

    fn formulas(&self, op: &FuncAttr) -> Result<&'a dyn FormulaLookup> {
        match self.formulas {
            Some(formulas) => Ok(formulas),
            None => bail!("the kernels of other ops, such as {}, are not known here", op.name),
        }
    }

    /// The node.
    pub fn node(&self) -> &'a NodeInfo {
        self.node
    }

    /// An attr as a Rust type.
    ///
    /// # Errors
    /// There is no such attr, or it is of another kind.
    pub fn attr<T: FromAttr<'a>>(&self, name: &str) -> Result<T> {
        self.node.attr(name)
    }

    /// All attrs.
    pub fn attrs(&self) -> &'a AttrMap {
        &self.node.attrs
    }

    /// Dtypes of the inputs.
    pub fn input_dtypes(&self) -> &'a [DType] {
        &self.node.input_dtypes
    }

    /// Dtypes of the outputs.
    pub fn output_dtypes(&self) -> &'a [DType] {
        &self.node.output_dtypes
    }
}
