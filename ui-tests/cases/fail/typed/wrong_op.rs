//! An object whose op has other arguments than the kernel's.

use oplink::prelude::*;
use oplink_ui_ops::{UiConcat, UiConcatInputs, UiConcatOutputs, UiRelu};

pub struct Bad;

#[kernel(UiRelu, device = CPU, T = any)]
impl Kernel for Bad {
    type Op = UiConcat;

    fn new(_: Construction<'_, UiConcat>) -> Result<Self> {
        Ok(Self)
    }

    fn compute(&self, inputs: UiConcatInputs<'_>, outputs: &mut UiConcatOutputs<'_>, _: Env<'_>) -> Result<()> {
        outputs.output.set(inputs.axis.take());
        Ok(())
    }
}

fn main() {}
