//! Chains of formulas on GPUs: one program for all of their steps.

use std::sync::OnceLock;

use smallvec::SmallVec;

use super::compose::Outline;
use super::elementwise::{Layout, loop_values};
use super::formula::{FormulaParam, GpuFormula};
use super::kernel::length;
use super::launch::MAX_BLOCKS;
use crate::device::{DeviceProgram, ProgramArg, ScalarValue};
use crate::elementwise::{InputShapes, StepOperand, chain_shape, stored_dtype};
use crate::{DType, Env, InputList, KernelContext, OutputSlot, Result, Shape, ensure};

/// Inputs that a chain has at most: with the output as many buffers as every device binds to a program.
pub const MAX_CHAIN_INPUTS: usize = 7;

/// Elements that a thread computes in a launch that fills the device.
const ELEMENTS_A_THREAD: usize = 4;

/// A formula of a chain on a GPU.
#[derive(Debug, Clone)]
pub struct GpuChainStep {
    /// The formula.
    pub formula: &'static GpuFormula,
    /// Where its operands come from, in the order of the formula's parameters.
    pub operands: SmallVec<[StepOperand; 3]>,
    /// The values of its attrs.
    pub attrs: SmallVec<[ScalarValue; 2]>,
    /// The dtype of the result, to which it is rounded before the next step.
    pub result: DType,
}

/// Formulas whose results are operands of later ones, in one program; the last one's result is the chain's.
#[derive(Debug)]
pub struct GpuChain {
    name: String,
    steps: Vec<GpuChainStep>,
    inputs: SmallVec<[DType; 4]>,
    attrs: SmallVec<[ScalarValue; 2]>,
    contiguous: OnceLock<&'static DeviceProgram>,
    broadcast: OnceLock<&'static DeviceProgram>,
}

impl GpuChain {
    /// These steps, for inputs of these dtypes.
    ///
    /// # Errors
    /// No steps, or too many inputs; operands that do not exist, are missing or have another type than the formula is
    /// for.
    pub fn new(steps: Vec<GpuChainStep>, inputs: &[DType]) -> Result<Self> {
        ensure!(!steps.is_empty(), "a chain has one step at least");
        ensure!(
            inputs.len() <= MAX_CHAIN_INPUTS,
            "a chain on a GPU has at most {MAX_CHAIN_INPUTS} inputs, not {}",
            inputs.len()
        );
        for (index, step) in steps.iter().enumerate() {
            check(index, step, &steps[..index], inputs)?;
        }
        let ops: Vec<&str> = steps.iter().map(|step| step.formula.op).collect();
        Ok(Self {
            name: format!("the chain {}", ops.join(", ")),
            attrs: steps.iter().flat_map(|step| step.attrs.iter().copied()).collect(),
            inputs: SmallVec::from_slice(inputs),
            steps,
            contiguous: OnceLock::new(),
            broadcast: OnceLock::new(),
        })
    }

    /// Enqueues the chain for the context's inputs, which broadcast against each other, and sets output 0.
    ///
    /// # Errors
    /// The shapes do not fit: then the error says at which step. Memory runs out, or the device refuses the program.
    pub fn run(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let positions: SmallVec<[usize; 4]> = (0..context.num_inputs()).collect();
        let steps = self.steps.iter().map(|step| (step.formula.op, step.formula.shapes, step.operands.as_slice()));
        let shape = chain_shape(context, steps)?;
        let is_same_size = self.steps.iter().all(|step| step.formula.shapes == InputShapes::SameSize);
        let launch = Launches { positions: &positions, shape, attrs: &self.attrs, is_same_size };
        launch.run(context, |broadcast| self.program(broadcast))
    }

    /// The same for the node's only argument, a list of inputs, and its only output.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn compute(&self, inputs: InputList<'_>, output: &mut OutputSlot<'_>, env: Env<'_>) -> Result<()> {
        let outputs = std::slice::from_mut(output.slot_mut());
        self.run(&mut KernelContext::new(env.node(), inputs.into_slots(), outputs, env.env()))
    }

    /// The program for inputs of one shape, or for those that are repeated along dimensions. Equal chains share it.
    pub fn program(&self, broadcast: bool) -> &'static DeviceProgram {
        let programs = if broadcast { &self.broadcast } else { &self.contiguous };
        let outline = Outline { name: &self.name, entry: "oplink_chain", inputs: &self.inputs, steps: &self.steps };
        programs.get_or_init(|| outline.shared_program(broadcast))
    }
}

/// Whether a step has what its formula takes.
fn check(index: usize, step: &GpuChainStep, before: &[GpuChainStep], inputs: &[DType]) -> Result<()> {
    let GpuFormula { op, params, attrs, result, .. } = step.formula;
    let wanted = params.iter().filter_map(|param| match param {
        FormulaParam::Input(dtype) => Some(*dtype),
        FormulaParam::Attr(_) => None,
    });
    let count = wanted.clone().count();
    ensure!(
        step.operands.len() == count && step.attrs.len() == attrs.len(),
        "step {index}, {op}, takes {count} operands and {} attrs, not {} and {}",
        attrs.len(),
        step.operands.len(),
        step.attrs.len()
    );
    ensure!(computes(step.result, *result), "step {index}, {op}, gives {result}, not {}", step.result);
    for (operand, wanted) in step.operands.iter().zip(wanted) {
        let found = match *operand {
            StepOperand::Input(input) => inputs.get(input).copied(),
            StepOperand::Step(earlier) => before.get(earlier).map(|step| step.result),
        };
        ensure!(
            found.is_some_and(|found| computes(found, wanted)),
            "step {index}, {op}, takes {wanted} from {operand:?}, which {}",
            found.map_or("does not exist".to_owned(), |found| format!("is {found}"))
        );
    }
    Ok(())
}

/// Whether elements of a dtype are computed in a type.
fn computes(dtype: DType, computed: DType) -> bool {
    dtype == computed || stored_dtype(dtype) == computed
}

/// A launch of an elementwise program.
pub(super) struct Launches<'a> {
    /// The inputs' flat positions.
    pub(super) positions: &'a [usize],
    /// The output's shape.
    pub(super) shape: Shape,
    /// Values of attrs, in the order of the program's parameters.
    pub(super) attrs: &'a [ScalarValue],
    /// Whether the inputs have as many elements as the output, whatever their shapes are.
    pub(super) is_same_size: bool,
}

impl Launches<'_> {
    /// Enqueues the program for inputs that are repeated (true) or not, and sets output 0.
    pub(super) fn run(
        self,
        context: &mut KernelContext<'_>,
        program: impl FnOnce(bool) -> &'static DeviceProgram,
    ) -> Result<()> {
        let output = context.allocate_output(0, self.shape)?;
        let count = output.num_elements();
        if count > 0 {
            let tensors = self.positions.iter().map(|&position| context.input(position));
            let mut args: SmallVec<[ProgramArg<'_>; 32]> = tensors.clone().map(ProgramArg::Buffer).collect();
            args.push(ProgramArg::Buffer(&output));
            args.extend(self.attrs.iter().copied().map(ProgramArg::Scalar));
            let shapes: SmallVec<[&[usize]; 4]> = tensors.map(|tensor| &**tensor.shape()).collect();
            let layout = if self.is_same_size { None } else { Some(Layout::of(&shapes)?) };
            let layout = layout.filter(|layout| !layout.is_contiguous());
            let program = program(layout.is_some());
            match layout {
                Some(layout) => args.extend(loop_values(&layout, count)?.into_iter().map(ProgramArg::Scalar)),
                None => args.extend(length(count).map(ProgramArg::Scalar)),
            }
            let threads = program.block.iter().product::<u32>() as usize * ELEMENTS_A_THREAD;
            let blocks = count.div_ceil(threads).clamp(1, MAX_BLOCKS);
            context.device()?.launch(program, [blocks as u32, 1, 1], &args)?;
        }
        context.set_output(0, output);
        Ok(())
    }
}
