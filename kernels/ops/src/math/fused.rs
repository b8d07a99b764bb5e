//! Chains of elementwise ops.

use oplink::prelude::*;

/// Computes a chain of elementwise ops on each element of the inputs: tile by tile, so that what lies between them
/// never leaves the cache, or on a GPU in one program. An op of oplink's own, made by the optimiser.
///
/// `steps` names the ops with their attrs; their kernels on the node's device must be elementwise. `operands` has a
/// number for each input of each step, one step after the other: that of an input of this op, or -1 for the result of
/// the first step, -2 for that of the second, and so on. The output is the last step's result; each other result is
/// used by a later step.
///
/// The inputs of a step broadcast as they do in its op. The output takes the memory of an input of its shape where
/// nobody else needs it. 16-bit floats are computed in single precision and rounded once, at the end; on a GPU after
/// each step.
#[op("_FusedElementwise", is(elementwise),
     input = "inputs: Tin",
     output = "output: Tout",
     attr = "Tin: list(type) >= 1",
     attr = "Tout: type",
     attr = "steps: list(func) >= 1",
     attr = "operands: list(int) >= 1",
     shape = shape_fns::broadcast_all)]
pub struct _FusedElementwise;
