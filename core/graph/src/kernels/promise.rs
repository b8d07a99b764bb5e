//! What inference promised of a node's outputs, held against what its kernel gave.
//!
//! Plans rely on inferred shapes: `Shape` is folded, memory is reused, nodes are fused. So a kernel that gives another
//! shape than the op's shape function said is an error of its own node, not of one that reads the value.

use std::sync::atomic::{AtomicBool, Ordering};

use oplink_api::{Code, DType, Error, ErrorKind, NodeInfo, PartialShape, Result, Shape, Tensor};

use crate::Graph;
use crate::functions::calls_function;
use crate::graph::Node;

/// The shape that one output was inferred to have.
pub(crate) struct Promise {
    shape: Promised,
    /// Whether a kernel that breaks it is wrong. What comes from a resource or a function has the shape that somebody
    /// stated for it.
    is_binding: bool,
}

enum Promised {
    Anything,
    Exactly(Shape),
    Partly(Box<PartialShape>),
}

/// Whether the values of a run are what was inferred: until one is not, of which no kernel is to blame.
#[derive(Debug)]
pub(crate) struct Trust(AtomicBool);

impl Trust {
    pub(crate) fn new() -> Self {
        Self(AtomicBool::new(true))
    }
}

impl Promise {
    /// Those of a node's outputs.
    pub(crate) fn of_node<'g>(graph: &'g Graph, node: &'g Node) -> impl Iterator<Item = Self> + 'g {
        let info = node.info();
        let is_stated = |(index, dtype): (usize, &DType)| {
            matches!(dtype, DType::Resource | DType::Variant) || info.is_ref_input(index)
        };
        // A variable may have another shape than it was declared with where it is assigned without a check of it.
        let reads_reference = node.inputs().iter().any(|input| {
            graph.node(input.node).is_some_and(|producer| producer.info().is_ref_output(input.index as usize))
        });
        let is_binding = !reads_reference
            && !info.input_dtypes.iter().enumerate().any(is_stated)
            && !node.known().is_control_flow()
            && !calls_function(graph, info);
        (0..node.num_outputs()).map(move |index| {
            // The shapes that TensorFlow's ops state for handles are those of older forms of handles.
            let is_handle = info.output_dtypes.get(index) == Some(&DType::Resource);
            let is_stated = !is_handle && !info.is_ref_output(index);
            let shape = match node.output_shapes().get(index) {
                Some(shape) if is_stated && shape.rank().is_some() => match shape.to_shape() {
                    Some(shape) => Promised::Exactly(shape),
                    None => Promised::Partly(Box::new(shape.clone())),
                },
                _ => Promised::Anything,
            };
            Self { shape, is_binding }
        })
    }

    /// One that every value keeps.
    #[cfg(feature = "dataflow")]
    pub(crate) fn nothing() -> Self {
        Self { shape: Promised::Anything, is_binding: false }
    }

    #[inline]
    fn accepts(&self, value: Option<&Tensor>) -> bool {
        match (&self.shape, value) {
            (Promised::Anything, _) | (_, None) => true,
            (Promised::Exactly(shape), Some(value)) => shape == value.shape(),
            (Promised::Partly(shape), Some(value)) => shape.accepts(value.shape()),
        }
    }

    #[cold]
    fn shape(&self) -> PartialShape {
        match &self.shape {
            Promised::Anything => PartialShape::unknown(),
            Promised::Exactly(shape) => shape.into(),
            Promised::Partly(shape) => PartialShape::clone(shape),
        }
    }
}

/// Whether a node's outputs are as promised.
///
/// # Errors
/// One has another shape, and the node's kernel is to blame.
#[inline]
pub(crate) fn check_promises(
    promises: &[Promise],
    outputs: &[Option<Tensor>],
    node: &NodeInfo,
    trust: &Trust,
) -> Result<()> {
    for (promise, output) in promises.iter().zip(outputs) {
        if !promise.accepts(output.as_ref()) {
            return broken(promises, outputs, node, trust);
        }
    }
    Ok(())
}

#[cold]
fn broken(promises: &[Promise], outputs: &[Option<Tensor>], node: &NodeInfo, trust: &Trust) -> Result<()> {
    let all = promises.iter().zip(outputs).enumerate();
    for (index, (promise, output)) in all {
        let Some(output) = output.as_ref().filter(|output| !promise.accepts(Some(output))) else { continue };
        if !promise.is_binding {
            trust.0.store(false, Ordering::Relaxed);
        }
        if trust.0.load(Ordering::Relaxed) {
            return Err(disagree(node, index, &promise.shape(), output.shape()));
        }
    }
    Ok(())
}

fn disagree(node: &NodeInfo, index: usize, promised: &PartialShape, given: &Shape) -> Error {
    let arg = node.output_ranges.iter().position(|range| range.contains(&index));
    let output = arg.and_then(|arg| node.op.outputs.get(arg)).map_or_else(|| index.to_string(), |arg| arg.name.clone());
    let message = format!(
        "the kernel gave output `{output}` the shape {given}, the op's shape function says {promised}: kernel and shape \
         function of {} disagree, one of them is to be corrected",
        node.op.name
    );
    let device = if node.device.is_empty() { String::new() } else { format!(" on {}", node.device) };
    Error::new(Code::Internal, ErrorKind::KernelFailed, message)
        .context(format!("node `{}` (op {}){device}", node.name, node.op.name))
}
