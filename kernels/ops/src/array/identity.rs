//! Tensors passed on as they are, and nodes that order others.

use oplink::prelude::*;

/// Passes its input through.
///
/// The output shares the input's memory, whatever its dtype. They differ in what graph passes and gradients make of
/// them.
#[op("Identity", is(alias(input => output)), input = "input: T", output = "output: T", attr = "T: type", shape = shape_fns::unchanged)]
pub struct Identity;

/// Passes its input through; no gradient flows back.
#[op("StopGradient", is(alias(input => output)),
     no_gradient, input = "input: T", output = "output: T", attr = "T: type", shape = shape_fns::unchanged)]
pub struct StopGradient;

/// Passes its input through; asking for its gradient is an error with the attr `message`.
#[op("PreventGradient", is(alias(input => output)),
     input = "input: T",
     output = "output: T",
     attr = "T: type",
     attr = "message: string = ''",
     shape = shape_fns::unchanged)]
pub struct PreventGradient;

/// Passes its input through as a value that later writes to the input do not change.
#[op("Snapshot", is(alias(input => output)), input = "input: T", output = "output: T", attr = "T: type", shape = shape_fns::unchanged)]
pub struct Snapshot;

/// Passes its inputs through.
///
/// The outputs share the inputs' memory; dtypes and shapes may differ from one to the next.
#[op("IdentityN",
     input = "input: T",
     output = "output: T",
     attr = "T: list(type) >= 1",
     shape = shape_fns::unchanged)]
pub struct IdentityN;

/// Copies its input.
#[op("DeepCopy", input = "x: T", output = "y: T", attr = "T: type", stateful, shape = shape_fns::unchanged)]
pub struct DeepCopy;

/// Gives its input, which is promised to be the same in every run.
///
/// Every dtype but resource, whose contents may change.
#[op("GuaranteeConst", is(alias(input => output)), input = "input: T", output = "output: T", attr = "T: type", stateful, shape = shape_fns::unchanged)]
pub struct GuaranteeConst;

/// Does nothing.
#[op("NoOp", shape = shape_fns::no_outputs)]
pub struct NoOp;

/// Stops the run unless `condition` holds.
///
/// The attr `summarize` says how many elements of each value the message holds.
#[op("Assert",
     input = "condition: bool",
     input = "data: T",
     attr = "T: list(type) >= 1",
     attr = "summarize: int = 3",
     stateful,
     shape = shape_fns::no_outputs)]
pub struct Assert;
