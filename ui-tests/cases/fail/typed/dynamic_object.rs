//! Typed arguments of an op that is known only at run time.

use oplink::prelude::*;
use oplink_ui_ops::{UiRelu, UiReluInputs, UiReluOutputs};

pub struct Bad;

#[kernel(dynamic = "Unknown", device = CPU)]
impl Kernel for Bad {
    type Op = UiRelu;

    fn new(_: Construction<'_, UiRelu>) -> Result<Self> {
        Ok(Self)
    }

    fn compute(&self, inputs: UiReluInputs<'_>, outputs: &mut UiReluOutputs<'_>, _: Env<'_>) -> Result<()> {
        outputs.y.set(inputs.x.take());
        Ok(())
    }
}

fn main() {}
