//! `For`: a loop over numbers.
//!
//! `body` gets the number and the values, and makes the next values; the numbers go from `start` towards `limit`, which they
//! do not reach, in steps of `delta`. A `delta` that leads away from `limit`, or is 0 while there is a way to go, is an
//! error.

use oplink::FunctionSlot;
use oplink::prelude::*;

use super::call::{call, check, set_outputs, take_inputs};

/// Repeats a function for each number of a range.
#[op("For",
     input = "start: int32",
     input = "limit: int32",
     input = "delta: int32",
     input = "input: T",
     output = "output: T",
     attr = "T: list(type) >= 0",
     attr = "body: func",
     shape = shape_fns::unknown)]
pub struct For;

/// `For` of any values.
#[derive(Debug, Default)]
pub struct ForKernel {
    body: FunctionSlot,
}

#[kernel(For, device = CPU)]
impl Kernel for ForKernel {
    fn new(_: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self::default())
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let [start, limit, delta] = [0, 1, 2].map(|index| context.input(index).to_scalar::<i32>());
        let (start, limit, delta) = (i64::from(start?), i64::from(limit?), i64::from(delta?));
        let leads_there = if delta > 0 { start <= limit } else { start >= limit };
        ensure!(start == limit || (delta != 0 && leads_there), "steps of {delta} from {start} never reach {limit}");
        let body = self.body.get(context, "body")?;
        check(&*body, &context.node().input_dtypes[2..], &context.node().output_dtypes)?;
        let step = context.step()?;
        let mut values = take_inputs(context, 3);
        let mut number = start;
        while (delta > 0 && number < limit) || (delta < 0 && number > limit) {
            let mut arguments = Vec::with_capacity(values.len() + 1);
            arguments.push(Tensor::scalar(number as i32));
            arguments.append(&mut values);
            call(&*body, step, arguments, &mut values)?;
            number += delta;
        }
        set_outputs(context, values);
        Ok(())
    }
}
