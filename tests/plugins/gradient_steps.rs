//! Gradients through the example op and a training step, for programs that link its source and for hosts that load it:
//! the module above brings the runtime's names.

use super::{
    Arg, AttrValue, DType, Error, Graph, NewNode, Output, PartialShape, Registry, Result, Session, SessionOptions,
    Tensor,
};

/// What the gradient of a clipped op over another one is, and what the variable is after two training steps.
pub(crate) fn gradient_steps(affine: &str) -> Result<Vec<f32>> {
    let mut graph = Graph::new(Registry::global()?);
    let shape = [("dtype", DType::Float.into()), ("shape", AttrValue::Shape(PartialShape::new(&[Some(4)])))];
    let variable = add(&mut graph, "VarHandleOp", "v", &[], &shape)?;
    let dtype = [("dtype", DType::Float.into())];
    let initial = graph.scope().constant_named("initial", Tensor::from_slice(&[-1.0f32, 0.0, 1.0, 2.0]))?;
    add(&mut graph, "AssignVariableOp", "initialize", &[variable, initial], &dtype)?;
    let w = add(&mut graph, "ReadVariableOp", "w", &[variable], &dtype)?;
    let scale = |scale: f32| ("scale", AttrValue::Float(scale));
    let inner = add(&mut graph, affine, "inner", &[w], &[scale(3.0), ("shift", AttrValue::Int(1))])?;
    let clip =
        [scale(-2.0), ("mode", AttrValue::String(b"clip".to_vec())), ("bounds", AttrValue::Floats(vec![-10.0, 3.0]))];
    let loss = add(&mut graph, affine, "loss", &[inner], &clip)?;
    let gradients = graph.add_gradients(None, &[loss], &[w], None)?;
    let gradient = gradients[0].ok_or_else(|| Error::internal("there is no gradient"))?;
    let step = add(&mut graph, affine, "step", &[gradient], &[scale(0.125)])?;
    add(&mut graph, "AssignSubVariableOp", "train", &[variable, step], &dtype)?;
    let name = graph.node(gradient.node).map_or_else(String::new, |node| node.name().to_owned());
    let session = Session::new(graph, SessionOptions::default())?;
    session.run(&[], &[], &["initialize"])?;
    let mut told = session.run(&[], &[&format!("{name}:{}", gradient.index)], &[])?[0].as_slice::<f32>()?.to_vec();
    for _ in 0..2 {
        session.run(&[], &[], &["train"])?;
        told.extend_from_slice(session.run(&[], &["w"], &[])?[0].as_slice::<f32>()?);
    }
    Ok(told)
}

fn add(graph: &mut Graph, op: &str, name: &str, inputs: &[Output], attrs: &[(&str, AttrValue)]) -> Result<Output> {
    let inputs: Vec<Arg<Output>> = inputs.iter().copied().map(Arg::One).collect();
    let node = graph.add(NewNode { op, name, device: "", inputs: &inputs, control_inputs: &[], attrs })?;
    Ok(Output { node, index: 0 })
}

/// By hand: `loss = clip(-2 (3 w + 1), -10, 3)` has the slope -6 where it is not clipped, that is for 0 and 1; at -1 it
/// is 4 and clipped, at 2 it is -14 and clipped.
pub(crate) const GRADIENT_STEPS: [f32; 12] = [0.0, -6.0, -6.0, 0.0, -1.0, 0.75, 1.75, 2.0, -1.0, 1.5, 1.75, 2.0];
