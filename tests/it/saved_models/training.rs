//! Models of stock TensorFlow that get a signature `train` here: a step of gradient descent, with gradients made here.
//! Tests of several packages have this file.

use std::collections::BTreeMap;
use std::path::Path;

use oplink::graph::{Graph, RunOptions, Session, SessionOptions};
use oplink::ops;
use oplink::runtime::Registry;
use oplink::saved_model::{MetaGraph, SavedModelBuilder, SignatureBuilder, TensorInfo};
use oplink::{DType, Output, Result};

use super::expected::{LEARNING_RATE, model};

/// The models whose training stock TensorFlow recorded.
pub(crate) const TRAINED: [&str; 4] = ["language_model", "wide_and_deep", "sparse_factorization", "gaussian_process"];

/// The handles of variables, by the names that TensorFlow gave these.
pub(crate) fn variables(graph: &Graph) -> BTreeMap<String, Output> {
    let handles = (0u32..).zip(graph.nodes()).filter(|(_, node)| node.op_name() == "VarHandleOp");
    let named = |(position, node): (u32, &oplink::graph::Node)| {
        let name = node.info().attr::<&str>("shared_name").ok()?.to_owned();
        Some((name, Output { node: position, index: 0 }))
    };
    handles.filter_map(named).collect()
}

/// Writes the model with the signature `train` in place of its own: the inputs of `loss`; `loss` before the step, and
/// each variable after it, under its name.
pub(crate) fn write_with_training(name: &str, folder: &Path) -> Result<()> {
    let mut meta = MetaGraph::read_default(model(name))?;
    let signatures = meta.signatures()?;
    let of_loss = signatures.iter().find(|signature| signature.name == "loss").expect("a signature `loss`");
    let mut graph = Graph::import(&meta.take_graph(), Registry::global()?)?;
    let initialization = meta.initialization(&graph)?;
    let tensors = |graph: &Graph, infos: &[TensorInfo]| -> Result<Vec<(String, Output)>> {
        infos.iter().map(|info| Ok((info.name.clone(), graph.output_named(&info.tensor)?))).collect()
    };
    let (inputs, outputs) = (tensors(&graph, &of_loss.inputs)?, tensors(&graph, &of_loss.outputs)?);
    let [(_, loss)] = outputs[..] else { panic!("{name} has one loss") };
    let handles = variables(&graph);
    let xs: Vec<Output> = handles.values().copied().collect();
    let gradients = graph.add_gradients(None, &[loss], &xs, None)?;
    // No variable changes before all gradients are there, and is read again once all have changed.
    let found: Vec<u32> = gradients.iter().flatten().map(|gradient| gradient.node).collect();
    let mut scope = graph.scope();
    let mut scope = scope.with_control_inputs(&found);
    let mut updates = Vec::new();
    for (&handle, gradient) in xs.iter().zip(&gradients) {
        if let &Some(gradient) = gradient {
            let update = ops::ResourceApplyGradientDescent::builder();
            updates.push(update.build(&mut scope, handle, LEARNING_RATE, gradient)?);
        }
    }
    let mut scope = scope.with_control_inputs(&updates);
    let mut train = SignatureBuilder::new().output("loss", loss);
    for (variable, &handle) in &handles {
        let value = ops::ReadVariableOp::builder(DType::Float).build(&mut scope, handle)?;
        train = train.output(variable, value);
    }
    train = inputs.iter().fold(train, |train, (name, tensor)| train.input(name, *tensor));
    let session = Session::new(graph, SessionOptions::default())?;
    initialization.run(&session, &RunOptions::default())?;
    SavedModelBuilder::new().signature("train", train).save(&session, folder)
}
