//! Gradients of the losses of models that stock TensorFlow wrote, made here, against those that it made there.

use oplink::graph::{Graph, RunOptions, Session, SessionOptions};
use oplink::runtime::Registry;
use oplink::saved_model::MetaGraph;
use oplink::{Error, Output, Result, SavedModel};

use super::expected::{assert_close, calls, gradients, model, steps};
use super::folder::Folder;
use super::training::{TRAINED, variables, write_with_training};

fn check(name: &str) -> Result<()> {
    let wanted = gradients(name)?;
    assert!(!wanted.is_empty(), "no gradients of {name} are recorded");
    let mut meta = MetaGraph::read_default(model(name))?;
    let signatures = meta.signatures()?;
    let signature = signatures.iter().find(|signature| signature.name == "loss").expect("a signature `loss`");
    let mut graph = Graph::import(&meta.take_graph(), Registry::global()?)?;
    let tensor = |list: &[oplink::saved_model::TensorInfo], argument: &str| {
        let found = list.iter().find(|info| info.name == argument);
        found.map(|info| info.tensor.clone()).ok_or_else(|| Error::not_found(argument))
    };
    let loss = graph.output_named(&tensor(&signature.outputs, "loss")?)?;
    let handles = variables(&graph);
    let xs: Vec<Output> = wanted.keys().map(|variable| handles[variable]).collect();
    let found = graph.add_gradients(None, &[loss], &xs, None)?;
    let fetches: Vec<String> = found.iter().map(|found| graph.output_name(found.expect("a gradient"))).collect();
    let initialization = meta.initialization(&graph)?;
    let session = Session::new(graph, SessionOptions::default())?;
    initialization.run(&session, &RunOptions::default())?;
    let call = calls(name)?.into_iter().find(|call| call.signature == "loss").expect("a call of `loss`");
    let mut feeds = Vec::new();
    for (argument, value) in call.inputs {
        feeds.push((tensor(&signature.inputs, &argument)?, value));
    }
    let feeds: Vec<(&str, oplink::Tensor)> = feeds.iter().map(|(name, value)| (&**name, value.clone())).collect();
    let fetches: Vec<&str> = fetches.iter().map(String::as_str).collect();
    for ((variable, wanted), found) in wanted.iter().zip(session.run(&feeds, &fetches, &[])?) {
        assert_close(&format!("{name}, {variable}"), &found, wanted)?;
    }
    Ok(())
}

#[test]
fn of_a_recurrent_language_model() -> Result<()> {
    check("language_model")
}

#[test]
fn of_parsed_examples() -> Result<()> {
    check("wide_and_deep")
}

#[test]
fn of_a_factorization() -> Result<()> {
    check("sparse_factorization")
}

#[test]
fn of_a_gaussian_process() -> Result<()> {
    check("gaussian_process")
}

#[test]
fn train_models_as_stock_tensorflow_does() -> Result<()> {
    for name in TRAINED {
        let folder = Folder::new(&format!("trained_{name}"));
        write_with_training(name, folder.path())?;
        let loaded = SavedModel::load(folder.path())?;
        for (number, step) in steps(name)?.iter().enumerate() {
            let outputs = loaded.signature("train")?.run(&step.given())?;
            assert_eq!(outputs.len(), step.outputs.len(), "{name}");
            for (output, wanted) in &step.outputs {
                assert_close(&format!("{name}, step {number}, {output}"), &outputs[output], wanted)?;
            }
        }
    }
    Ok(())
}
