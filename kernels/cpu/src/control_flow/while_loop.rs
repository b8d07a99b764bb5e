//! `While`: a loop over functions.
//!
//! While `cond` of the values is true, `body` makes the next values of them; the outputs are the last ones. Shapes may change
//! from one iteration to the next, dtypes may not. Values that nobody else holds are given to `body`, which can change them
//! in place.

use oplink::FunctionSlot;
use oplink::prelude::*;

use super::call::{check, set_outputs, take_inputs};
use super::shapes;
use super::stateless_while::StatelessWhile;
use super::truth::is_true;

/// Repeats a function.
#[op("While",
     input = "input: T",
     output = "output: T",
     attr = "T: list(type) >= 0",
     attr = "cond: func",
     attr = "body: func",
     attr = "output_shapes: list(shape) = []",
     attr = "parallel_iterations: int = 10",
     unused_attr = "parallel_iterations",
     stateful,
     shape = shapes::of_loop)]
pub struct While;

/// `While` and `StatelessWhile` of any values.
#[derive(Debug, Default)]
pub struct WhileKernel {
    cond: FunctionSlot,
    body: FunctionSlot,
}

#[kernel(While, device = CPU)]
#[kernel(StatelessWhile, device = CPU)]
impl Kernel for WhileKernel {
    fn new(_: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self::default())
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let (cond, body) = (self.cond.get(context, "cond")?, self.body.get(context, "body")?);
        let dtypes = &context.node().input_dtypes;
        ensure!(
            cond.input_dtypes() == dtypes && cond.output_dtypes().len() == 1,
            "function `{}` must take the values of the loop and return one value that is true or false",
            cond.name()
        );
        check(&*body, dtypes, dtypes)?;
        let step = context.step()?;
        let mut values = take_inputs(context, 0);
        let (mut test, mut next) = (Vec::with_capacity(1), Vec::with_capacity(values.len()));
        loop {
            step.cancellation().check()?;
            cond.call(step, &mut values.iter().cloned(), &mut test)?;
            if !is_true(&test[0]).map_err(|error| error.context("the loop's condition"))? {
                break;
            }
            body.call(step, &mut values.drain(..), &mut next)?;
            std::mem::swap(&mut values, &mut next);
        }
        set_outputs(context, values);
        Ok(())
    }
}
