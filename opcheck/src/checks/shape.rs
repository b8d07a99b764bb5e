//! The shape function against the kernel.

use oplink_api::shape_inference::{ConstantInputs, NoConstants};
use oplink_api::{NodeInfo, PartialShape, Result, ShapeContext, Tensor, bail};

use super::{Applicable, Findings, Subject};
use crate::OpCall;
use crate::runner::{Threads, guarded};

/// The values of all inputs.
struct Constants<'a>(&'a [Tensor]);

impl ConstantInputs for Constants<'_> {
    fn tensor(&self, index: usize) -> Option<&Tensor> {
        self.0.get(index)
    }
}

/// What is known of the inputs.
const KNOWN: [&str; 4] = ["shapes and values", "shapes", "ranks", "nothing"];

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) -> Applicable {
    if subject.entry.shape_fn.is_none() {
        return Err("the op has no shape function".to_owned());
    }
    for call in &subject.samples.calls {
        let ran = subject.runner.run(call, Threads::All).and_then(|outputs| Ok((subject.runner.node(call)?, outputs)));
        let Some((node, outputs)) = findings.expect(call, ran) else { continue };
        for known in KNOWN {
            let wrong = match guarded("shape function", || inferred(&node, call, known)) {
                Err(error) => {
                    Some(format!("with {known} known, the shape function refuses what the kernel takes: {error}"))
                }
                Ok(shapes) => disagreement(&node, &shapes, &outputs).map(|text| format!("with {known} known, {text}")),
            };
            findings.add(call, wrong);
        }
    }
    Ok(())
}

/// The shapes that the shape function gives, where so much is known.
pub(super) fn inferred(node: &NodeInfo, call: &OpCall, known: &str) -> Result<Vec<PartialShape>> {
    let shape = |input: &Tensor| match known {
        "nothing" => PartialShape::unknown(),
        "ranks" => PartialShape::unknown_of_rank(input.rank()),
        _ => PartialShape::from(input.shape().clone()),
    };
    let shapes: Vec<PartialShape> = call.inputs.iter().map(shape).collect();
    let constants = Constants(&call.inputs);
    let constants: &dyn ConstantInputs = if known == KNOWN[0] { &constants } else { &NoConstants };
    let Some(shape_fn) = node.shape_fn else { bail!("the op has no shape function") };
    let mut context = ShapeContext::new(node, &shapes, constants);
    shape_fn.infer(&mut context)?;
    Ok(context.into_output_shapes())
}

/// How outputs are not of their inferred shapes. A reference is a handle while it runs, whatever it refers to.
pub(super) fn disagreement(node: &NodeInfo, shapes: &[PartialShape], outputs: &[Tensor]) -> Option<String> {
    let mut both = shapes.iter().zip(outputs).enumerate().filter(|(at, _)| !node.is_ref_output(*at));
    both.find(|(_, (shape, output))| !shape.accepts(output.shape())).map(|(at, (shape, output))| {
        format!("the shape function says {shape} of output {at}, the kernel gives {}", output.shape())
    })
}
