//! Formulas on GPUs: functions of single values as texts, and kernels that are one formula of whole tensors.

use std::sync::OnceLock;

use smallvec::SmallVec;

use super::chain::{GpuChainStep, Launches};
use super::compose::Outline;
use crate::descriptor::Location;
use crate::device::{DeviceProgram, ProgramFeature};
use crate::elementwise::{InputShapes, StepOperand, formula_attrs, input_positions, output_shape};
use crate::{DType, KernelContext, Result};

/// A formula translated for GPUs, for one combination of the types that it computes with; 16-bit floats are computed as
/// `float` is. Programs are put together from it when they are first launched.
#[derive(Debug)]
pub struct GpuFormula {
    /// The op's name, for messages.
    pub op: &'static str,
    /// The name of the entry of a program that is this formula alone.
    pub entry: &'static str,
    /// Positions, in the op's declaration, of the inputs in the order of the parameters.
    pub inputs: &'static [usize],
    /// The attrs in the order of the parameters.
    pub attrs: &'static [&'static str],
    /// What the function takes, in order.
    pub params: &'static [FormulaParam],
    /// The type of the result.
    pub result: DType,
    /// How the shapes of the inputs meet.
    pub shapes: InputShapes,
    /// CUDA C++.
    pub cuda: FormulaText,
    /// WGSL.
    pub wgsl: FormulaText,
    /// What the device must be able to do, the types of tensors aside.
    pub needs: &'static [ProgramFeature],
    /// Where the kernel is declared.
    pub location: Location,
}

/// A parameter of a formula's function, with its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormulaParam {
    /// An element of the next input.
    Input(DType),
    /// The value of the next attr.
    Attr(DType),
}

/// A formula in one language.
#[derive(Debug)]
pub struct FormulaText {
    /// Functions that it calls, each behind those that it needs itself. Equal texts are one function.
    pub helpers: &'static [&'static str],
    /// The function, named `$f`; empty where the language cannot say it.
    pub function: &'static str,
}

/// A kernel that is a formula, for one combination of dtypes: each element of the output from one of each input.
#[derive(Debug)]
pub struct ElementwiseProgram {
    /// The op, the function and the dtypes, for messages and for caches of compiled programs.
    pub name: &'static str,
    /// The formula.
    pub formula: &'static GpuFormula,
    /// The dtypes of the tensors that it takes, in the order of its parameters.
    pub inputs: &'static [DType],
    /// The dtype of the output.
    pub result: DType,
    contiguous: OnceLock<&'static DeviceProgram>,
    broadcast: OnceLock<&'static DeviceProgram>,
}

impl ElementwiseProgram {
    /// The formula over tensors of these dtypes.
    pub const fn new(
        name: &'static str,
        formula: &'static GpuFormula,
        inputs: &'static [DType],
        result: DType,
    ) -> Self {
        Self { name, formula, inputs, result, contiguous: OnceLock::new(), broadcast: OnceLock::new() }
    }

    /// The program for tensors of one shape, or one number of elements.
    pub fn contiguous(&self) -> &'static DeviceProgram {
        self.contiguous.get_or_init(|| self.outline(|outline| outline.program(false)))
    }

    /// The program for inputs that are repeated along dimensions; `None` of a single input, which never is.
    pub fn broadcast(&self) -> Option<&'static DeviceProgram> {
        let program = || *self.broadcast.get_or_init(|| self.outline(|outline| outline.program(true)));
        (self.inputs.len() > 1).then(program)
    }

    fn outline<R>(&self, compose: impl FnOnce(&Outline<'_>) -> R) -> R {
        let operands = (0..self.inputs.len()).map(StepOperand::Input).collect();
        let step = GpuChainStep { formula: self.formula, operands, attrs: SmallVec::new(), result: self.result };
        compose(&Outline { name: self.name, entry: self.formula.entry, inputs: self.inputs, steps: &[step] })
    }

    /// Enqueues the program that the shapes ask for, and sets output 0.
    ///
    /// # Errors
    /// The shapes do not fit, memory runs out, or the device refuses the program.
    pub(super) fn run(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let formula = self.formula;
        let positions = input_positions(formula.inputs, context.node());
        let shape = output_shape(formula.shapes, context, &positions)?;
        let attrs = formula_attrs(formula.attrs, context.node())?;
        let is_same_size = formula.shapes == InputShapes::SameSize;
        let program = |broadcast: bool| match broadcast {
            true => self.broadcast().unwrap_or_else(|| self.contiguous()),
            false => self.contiguous(),
        };
        Launches { positions: &positions, shape, attrs: &attrs, is_same_size }.run(context, program)
    }
}
