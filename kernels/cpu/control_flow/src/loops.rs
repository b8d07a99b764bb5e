//! Loops over functions.
//!
//! `While` and `StatelessWhile`: while `cond` of the values is true, `body` makes the next values of them; the outputs
//! are the last ones. Shapes may change from one iteration to the next, dtypes may not. `For`: `body` gets a number and
//! the values, and makes the next values; the numbers go from `start` towards `limit`, which they do not reach, in
//! steps of `delta`. A `delta` that leads away from `limit`, or is 0 while `start` is not `limit`, is an error. Values
//! that nobody else holds are moved into `body`, which can change them in place.

use super::call::{check, set_outputs, take, with_lists};
use super::conditions::is_true;
use oplink::function::FunctionSlot;
use oplink::prelude::*;
use oplink_ops::control_flow::{For, ForInputs, ForOutputs, StatelessWhile, While, WhileInputs, WhileOutputs};

/// `While` and `StatelessWhile` of any values.
#[derive(Debug)]
pub struct WhileKernel {
    cond: FunctionSlot,
    body: FunctionSlot,
}

#[kernel(While, device = CPU)]
#[kernel(StatelessWhile, device = CPU)]
impl Kernel for WhileKernel {
    type Op = While;

    fn new(construction: Construction<'_, While>) -> Result<Self> {
        let attrs = construction.attrs;
        Ok(Self { cond: FunctionSlot::new(attrs.cond), body: FunctionSlot::new(attrs.body) })
    }

    fn compute(&self, inputs: WhileInputs<'_>, outputs: &mut WhileOutputs<'_>, env: Env<'_>) -> Result<()> {
        let (cond, body) = (self.cond.get(&env)?, self.body.get(&env)?);
        let dtypes = &env.node().input_dtypes;
        ensure!(
            cond.input_dtypes() == dtypes && cond.output_dtypes().len() == 1,
            "function `{}` must take the values of the loop and return one value that is true or false",
            cond.name()
        );
        check(&*body, dtypes, dtypes)?;
        let step = env.step()?;
        with_lists(|[values, test, next]| {
            take(inputs.input, values);
            loop {
                step.cancellation().check()?;
                cond.call(step, &mut values.iter().cloned(), test)?;
                if !is_true(&test[0]).map_err(|error| error.context("the loop's condition"))? {
                    break;
                }
                body.call(step, &mut values.drain(..), next)?;
                std::mem::swap(values, next);
            }
            set_outputs(&mut outputs.output, values);
            Ok(())
        })
    }
}

/// `For` of any values.
#[derive(Debug)]
pub struct ForKernel {
    body: FunctionSlot,
}

#[kernel(For, device = CPU)]
impl Kernel for ForKernel {
    type Op = For;

    fn new(construction: Construction<'_, For>) -> Result<Self> {
        Ok(Self { body: FunctionSlot::new(construction.attrs.body) })
    }

    fn compute(&self, inputs: ForInputs<'_>, outputs: &mut ForOutputs<'_>, env: Env<'_>) -> Result<()> {
        let number = |input: &Tensor| input.to_scalar::<i32>().map(i64::from);
        let (start, limit, delta) = (number(&inputs.start)?, number(&inputs.limit)?, number(&inputs.delta)?);
        let leads_there = if delta > 0 { start <= limit } else { start >= limit };
        ensure!(start == limit || (delta != 0 && leads_there), "steps of {delta} from {start} never reach {limit}");
        let body = self.body.get(&env)?;
        // The body takes the number and the values: what follows `start` and `limit` has these dtypes.
        check(&*body, &env.node().input_dtypes[2..], &env.node().output_dtypes)?;
        let step = env.step()?;
        with_lists(|[values, arguments]| {
            take(inputs.input, values);
            let mut number = start;
            while (delta > 0 && number < limit) || (delta < 0 && number > limit) {
                step.cancellation().check()?;
                arguments.push(Tensor::scalar(number as i32));
                arguments.append(values);
                body.call(step, &mut arguments.drain(..), values)?;
                number += delta;
            }
            set_outputs(&mut outputs.output, values);
            Ok(())
        })
    }
}
