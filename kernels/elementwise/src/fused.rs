//! `_FusedElementwise`: chains of elementwise ops of anybody, each step's formula found by the registry.

use oplink::elementwise::{Chain, ChainStep, StepOperand};
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
        let (steps, mut operands) = (construction.attrs.steps, construction.attrs.operands.iter());
        let mut chain = Vec::with_capacity(steps.len());
        for (index, step) in steps.iter().enumerate() {
            let formula = construction.formula(step).map_err(|error| error.context(format!("step {index}")))?;
            let given: Vec<StepOperand> = operands.by_ref().take(formula.num_inputs).map(|&at| operand(at)).collect();
            ensure!(given.len() == formula.num_inputs, "step {index}, {}: `operands` ends before its", step.name);
            let operands = formula.function.inputs.iter().map(|&input| given[input]).collect();
            chain.push(ChainStep { function: formula.function, operands, attrs: formula.attrs });
        }
        ensure!(operands.next().is_none(), "`operands` has more than the steps take");
        Ok(Self { chain: Chain::new(chain, construction.input_dtypes())? })
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

/// The number of an input, or of a step counted down from -1.
fn operand(at: i64) -> StepOperand {
    match usize::try_from(at) {
        Ok(input) => StepOperand::Input(input),
        Err(_) => StepOperand::Step(at.unsigned_abs() as usize - 1),
    }
}
