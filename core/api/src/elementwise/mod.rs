//! Functions of single values over whole tensors: what `#[kernel]` makes of a formula, and the engine that runs it in
//! host memory.
//!
//! A formula becomes a loop over slices ([`ElementwiseFn::run`]), compiled for each instruction set. Everything else is
//! here, once for all formulas: broadcasting, threads, 16-bit floats, an input's memory reused, chains of several
//! loops. The files in the order data takes them: `compute` (the types that formulas compute with), `block` (what a
//! loop gets), `cheap` (loops of more forms), `operand` (how an input covers the output), `tiles` (how the output is
//! cut), `chain` (loops one after the other on tiles), `chain_kernel` (these as a kernel's call), `direct` (one loop of
//! operands that need no plan), `run` (a kernel's call). The slices themselves, whose type is known at run time, are in
//! `tensor/values.rs`.

mod block;
mod chain;
mod chain_kernel;
mod cheap;
mod compute;
mod direct;
mod operand;
mod run;
mod scratch;
mod tiles;

use crate::DType;

pub use crate::kernel::{Formula, FormulaLookup};
pub use crate::tensor::values::{Values, ValuesMut};
pub use block::*;
pub use chain::{Chain, ChainStep, StepOperand};
pub use cheap::*;
pub use compute::{Compute, ComputeElement, Stored};
pub(crate) use run::{chain_shape, formula_attr, input_positions, output_shape};
pub use run::{formula_attrs, run_elementwise};

/// A formula's loop, for one combination of the types that it computes with.
#[derive(Debug)]
pub struct ElementwiseFn {
    /// The op's name, for messages.
    pub op: &'static str,
    /// Positions, in the op's declaration, of the inputs that are the loop's operands.
    pub inputs: &'static [usize],
    /// The element type of each operand's slice; `float` for 16-bit floats too.
    pub operands: &'static [DType],
    /// The element type of the result's slice.
    pub result: DType,
    /// The attrs that the formula takes.
    pub attrs: &'static [&'static str],
    /// Whether the formula takes ten operations or more, so that few elements are worth a thread.
    pub is_costly: bool,
    /// How the shapes of the inputs meet.
    pub shapes: InputShapes,
    /// Writes a block of results and returns true; false where the loop does not serve the lengths of the operands,
    /// which it does where all have the output's.
    pub run: fn(Block<'_>) -> bool,
}

impl ElementwiseFn {
    /// Writes a block of results from operands that all have the output's length, which every loop serves.
    #[inline]
    fn write(&self, block: Block<'_>) {
        let is_written = (self.run)(block);
        debug_assert!(is_written, "{}: the operands have other types or lengths than its loop is for", self.op);
    }

    /// Elements that one thread should at least have.
    pub(crate) fn grain(&self) -> usize {
        if self.is_costly { tiles::COSTLY_GRAIN } else { tiles::GRAIN }
    }
}

/// How the shapes of a formula's inputs meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputShapes {
    /// They broadcast against each other.
    Broadcast,
    /// They are equal.
    Same,
    /// They have one number of elements; the output has the first one's shape.
    SameSize,
}

/// The element type of the slices that values of a dtype are computed in.
pub(crate) fn stored_dtype(dtype: DType) -> DType {
    match dtype {
        DType::Half | DType::BFloat16 => DType::Float,
        other => other,
    }
}
