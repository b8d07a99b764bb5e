//! What a kernel may know of the node it runs for.

use std::ops::Range;
use std::sync::Arc;

use crate::attr::FromAttr;
use crate::foreign::ShapeInference;
use crate::{AttrMap, DType, OpSpec, Result};

/// Which op a node is of: the identity of the op's declaration. Registries made of one another share declarations, so
/// that it stays the same when plugins are loaded; it is meaningful as long as the declaration is alive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OpId(usize);

impl OpId {
    /// The identity of a declaration.
    pub fn of(op: &Arc<OpSpec>) -> Self {
        Self(Arc::as_ptr(op).addr())
    }
}

/// A node as its kernel sees it; made once, shared by every run.
#[derive(Clone, Debug)]
pub struct NodeInfo {
    /// Name in the graph; the op's name in eager calls.
    pub name: String,
    /// The op's declaration.
    pub op: Arc<OpSpec>,
    /// Full name of the device.
    pub device: String,
    /// All attrs of the op, defaults filled in, in the op's order.
    pub attrs: AttrMap,
    /// Dtype of each input tensor.
    pub input_dtypes: Vec<DType>,
    /// Dtype of each output tensor.
    pub output_dtypes: Vec<DType>,
    /// Which inputs each declared input argument covers.
    pub input_ranges: Vec<Range<usize>>,
    /// Which outputs each declared output argument covers.
    pub output_ranges: Vec<Range<usize>>,
    /// The op's shape function.
    pub shape_fn: Option<ShapeInference>,
}

impl NodeInfo {
    /// The op's identity.
    pub fn op_id(&self) -> OpId {
        OpId::of(&self.op)
    }

    /// An attr as a Rust type.
    ///
    /// # Errors
    /// There is no such attr, or it is of another kind.
    pub fn attr<'a, T: FromAttr<'a>>(&'a self, name: &str) -> Result<T> {
        self.attrs.read(name)
    }

    /// Position of the declared input `name`.
    pub fn input_arg(&self, name: &str) -> Option<usize> {
        self.op.inputs.iter().position(|arg| arg.name == name)
    }

    /// Position of the declared output `name`.
    pub fn output_arg(&self, name: &str) -> Option<usize> {
        self.op.outputs.iter().position(|arg| arg.name == name)
    }

    /// Whether an input is declared `Ref(…)`. At run time it is then a scalar resource handle of a variable, not a
    /// value of the input's dtype.
    pub fn is_ref_input(&self, index: usize) -> bool {
        arg_at(&self.input_ranges, index).and_then(|arg| self.op.inputs.get(arg)).is_some_and(|arg| arg.is_ref)
    }

    /// Whether an output is declared `Ref(…)`; see [`NodeInfo::is_ref_input`].
    pub fn is_ref_output(&self, index: usize) -> bool {
        arg_at(&self.output_ranges, index).and_then(|arg| self.op.outputs.get(arg)).is_some_and(|arg| arg.is_ref)
    }
}

/// The argument that covers a tensor, by the ranges of all arguments, which follow each other.
fn arg_at(ranges: &[Range<usize>], index: usize) -> Option<usize> {
    let arg = ranges.partition_point(|range| range.end <= index);
    ranges.get(arg).filter(|range| range.contains(&index)).map(|_| arg)
}
