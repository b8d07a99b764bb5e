//! `_FusedElementwise`: chains of elementwise ops of anybody, each step's formula found by the registry. On a GPU the
//! formulas' texts are put into one program.

use oplink::elementwise::Formula;
use oplink::elementwise::{Chain, ChainStep, StepOperand};
#[cfg(feature = "gpu")]
use oplink::gpu::{GpuChain, GpuChainStep};
use oplink::prelude::*;
use oplink_ops::math::{_FusedElementwise, _FusedElementwiseInputs, _FusedElementwiseOutputs};

/// The chain of a node.
#[derive(Debug)]
pub struct FusedElementwise {
    chain: Chain,
}

#[kernel(_FusedElementwise, device = CPU, Tout = any)]
impl Kernel for FusedElementwise {
    type Op = _FusedElementwise;

    fn new(construction: Construction<'_, _FusedElementwise>) -> Result<Self> {
        let steps = steps(&construction, |op| construction.formula(op), |function| function.inputs)?;
        let steps = steps.into_iter().map(|(formula, operands)| ChainStep {
            function: formula.function,
            operands: operands.into(),
            attrs: formula.attrs,
        });
        Ok(Self { chain: Chain::new(steps.collect(), construction.input_dtypes())? })
    }

    fn compute(
        &self,
        inputs: _FusedElementwiseInputs<'_>,
        outputs: &mut _FusedElementwiseOutputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        self.chain.compute(inputs.inputs, &mut outputs.output, env)
    }
}

/// The chain of a node on a GPU.
#[cfg(feature = "gpu")]
#[derive(Debug)]
pub struct FusedElementwiseGpu {
    chain: GpuChain,
}

#[cfg(feature = "gpu")]
#[kernel(_FusedElementwise, device = GPU, Tout = any)]
impl Kernel for FusedElementwiseGpu {
    type Op = _FusedElementwise;

    fn new(construction: Construction<'_, _FusedElementwise>) -> Result<Self> {
        let steps = steps(&construction, |op| construction.gpu_formula(op), |formula| formula.inputs)?;
        let steps = steps.into_iter().map(|(formula, operands)| GpuChainStep {
            formula: formula.function,
            operands: operands.into(),
            attrs: formula.attrs,
            result: formula.result,
        });
        Ok(Self { chain: GpuChain::new(steps.collect(), construction.input_dtypes())? })
    }

    fn compute(
        &self,
        inputs: _FusedElementwiseInputs<'_>,
        outputs: &mut _FusedElementwiseOutputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        self.chain.compute(inputs.inputs, &mut outputs.output, env)
    }
}

/// The formula of each of the node's steps, with its operands in the order of the formula's parameters.
fn steps<F>(
    construction: &Construction<'_, _FusedElementwise>,
    formula_of: impl Fn(&FuncAttr) -> Result<Formula<F>>,
    inputs_of: impl Fn(&F) -> &'static [usize],
) -> Result<Vec<(Formula<F>, Vec<StepOperand>)>> {
    let (steps, mut operands) = (construction.attrs.steps, construction.attrs.operands.iter());
    // bounded: the steps of the attr
    let mut chain = Vec::with_capacity(steps.len());
    for (index, step) in steps.iter().enumerate() {
        let formula = formula_of(step).map_err(|error| error.context(format!("step {index}")))?;
        let given: Vec<StepOperand> = operands.by_ref().take(formula.num_inputs).map(|&at| operand(at)).collect();
        ensure!(given.len() == formula.num_inputs, "step {index}, {}: `operands` ends before its", step.name);
        let operands = inputs_of(formula.function).iter().map(|&input| given[input]).collect();
        chain.push((formula, operands));
    }
    ensure!(operands.next().is_none(), "`operands` has more than the steps take");
    Ok(chain)
}

/// The number of an input, or of a step counted down from -1.
fn operand(at: i64) -> StepOperand {
    match usize::try_from(at) {
        Ok(input) => StepOperand::Input(input),
        Err(_) => StepOperand::Step(at.unsigned_abs() as usize - 1),
    }
}
