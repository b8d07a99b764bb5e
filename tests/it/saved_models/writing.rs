//! Models written here: they give the same values when they are loaded again, here and in stock TensorFlow.

use std::path::Path;

use oplink::graph::{FunctionOptions, Graph, Session, SessionOptions};
use oplink::ops;
use oplink::runtime::Registry;
use oplink::saved_model::{SavedModelBuilder, SignatureBuilder};
use oplink::{Code, DType, Output, PartialShape, Result, SavedModel, TString, Tensor};
use oplink_bundle::BundleWriter;

use super::expected::{assert_close, calls, model, steps};
use super::folder::Folder;
use super::training::{TRAINED, write_with_training};

/// Feeds and fetches by the names of tensors, with the names that a signature has for them.
type Named<'a> = &'a [(&'a str, &'a str)];

/// A call of a written model, with the values that the session gave which it was written from.
struct Call {
    model: &'static str,
    signature: &'static str,
    inputs: Vec<(String, Tensor)>,
    outputs: Vec<(String, Tensor)>,
}

impl Call {
    /// Runs the tensors that a signature names in a session.
    fn of(
        model: &'static str,
        signature: &'static str,
        session: &Session,
        feeds: &[(&str, &str, Tensor)],
        fetches: Named<'_>,
    ) -> Result<Self> {
        let fed: Vec<(&str, Tensor)> = feeds.iter().map(|(_, tensor, value)| (*tensor, value.clone())).collect();
        let fetched: Vec<&str> = fetches.iter().map(|(_, tensor)| *tensor).collect();
        let values = session.run(&fed, &fetched, &[])?;
        let inputs = feeds.iter().map(|(name, _, value)| ((*name).to_owned(), value.clone())).collect();
        let outputs = fetches.iter().map(|(name, _)| (*name).to_owned()).zip(values).collect();
        Ok(Self { model, signature, inputs, outputs })
    }

    /// Calls the model again as it was written.
    fn check(&self, folder: &Path) -> Result<()> {
        let loaded = SavedModel::load(folder.join(self.model))?;
        let inputs: Vec<(&str, Tensor)> =
            self.inputs.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
        let outputs = loaded.signature(self.signature)?.run(&inputs)?;
        assert_eq!(outputs.len(), self.outputs.len(), "{}", self.model);
        for (name, want) in &self.outputs {
            assert_close(&format!("{}, {name}", self.model), &outputs[name], want)?;
        }
        Ok(())
    }
}

fn session(graph: Graph) -> Result<Session> {
    Session::new(graph, SessionOptions::default())
}

fn new_graph() -> Result<Graph> {
    Ok(Graph::new(Registry::global()?))
}

fn rows(rows: usize, columns: usize) -> Result<Tensor> {
    Tensor::from_vec([rows, columns], (0..rows * columns).map(|at| (at as f32 * 0.7).sin()).collect())
}

/// A network of constants.
fn plain(folder: &Path) -> Result<Call> {
    let mut graph = new_graph()?;
    let mut scope = graph.scope();
    let x = scope.placeholder("x", DType::Float, PartialShape::new(&[None, Some(3)]))?;
    let scale = scope.placeholder("scale", DType::Float, PartialShape::scalar())?;
    let product = ops::mat_mul(&mut scope, x, rows(3, 4)?)?;
    let scaled = ops::mul(&mut scope, product, scale)?;
    let y = ops::Relu::builder().name("y").build(&mut scope, scaled)?;
    let session = session(graph)?;
    let signature = SignatureBuilder::new()
        .input("x", x)
        .input("scale", scale)
        .default_value("scale", 2.5f32)
        .output("y", y)
        .description("A layer.")
        .describe("x", "One row for each example.")
        .describe("y", "The layer's values.");
    SavedModelBuilder::new().signature("serving_default", signature).save(&session, folder.join("plain"))?;
    let feeds = [("x", "x", rows(2, 3)?), ("scale", "scale", Tensor::scalar(2.5f32))];
    Call::of("plain", "serving_default", &session, &feeds, &[("y", "y")])
}

/// A variable with its initial value, and the node that sets it.
fn variable(graph: &mut Graph, name: &str, value: Tensor) -> Result<(Output, u32)> {
    let (dtype, shape) = (value.dtype(), PartialShape::from(value.shape().clone()));
    let mut scope = graph.scope();
    let handle = ops::VarHandleOp::builder(dtype, shape).shared_name(name).name(name).build(&mut scope)?;
    let assign = ops::AssignVariableOp::builder().build(&mut scope, handle, value)?;
    Ok((handle, assign))
}

/// A regression that is trained before it is written: variables of several dtypes, resources and a reference.
fn trained(folder: &Path) -> Result<Call> {
    let mut graph = new_graph()?;
    let (weights, set_weights) = variable(&mut graph, "weights", rows(3, 1)?)?;
    let (steps, set_steps) = variable(&mut graph, "steps", Tensor::scalar(0i64))?;
    let (names, set_names) =
        variable(&mut graph, "names", Tensor::from_slice(&["a", "\u{e9}", ""].map(TString::from)))?;
    let mut scope = graph.scope();
    let bias = ops::VariableV2::builder(PartialShape::new(&[Some(1)]), DType::Float).name("bias").build(&mut scope)?;
    let set_bias = ops::assign(&mut scope, bias, Tensor::from([0.25f32]))?.node;
    let x = scope.placeholder("x", DType::Float, PartialShape::new(&[None, Some(3)]))?;
    let target = scope.placeholder("target", DType::Float, PartialShape::new(&[None, Some(1)]))?;
    let read = ops::ReadVariableOp::builder(DType::Float).build(&mut scope, weights)?;
    let product = ops::mat_mul(&mut scope, x, read)?;
    let y = ops::Add::builder().name("y").build(&mut scope, product, bias)?;
    let difference = ops::sub(&mut scope, y, target)?;
    let loss = ops::square(&mut scope, difference)?;
    let gradient = graph.add_gradients(None, &[loss], &[read], None)?[0].expect("a gradient");
    let mut scope = graph.scope();
    let train = ops::ResourceApplyGradientDescent::builder().build(&mut scope, weights, 0.05f32, gradient)?;
    let count = ops::AssignAddVariableOp::builder().build(&mut scope, steps, Tensor::scalar(1i64))?;
    let steps_read = ops::ReadVariableOp::builder(DType::Int64).name("steps_read").build(&mut scope, steps)?;
    let names_read = ops::ReadVariableOp::builder(DType::String).name("names_read").build(&mut scope, names)?;
    let node = |node: u32| graph.nodes()[node as usize].name().to_owned();
    let (init, step) = ([set_weights, set_steps, set_names, set_bias].map(node), [train, count].map(node));
    let session = session(graph)?;
    session.run(&[], &[], &init.each_ref().map(String::as_str))?;
    for _ in 0..5 {
        let feeds = [("x", rows(4, 3)?), ("target", rows(4, 1)?)];
        session.run(&feeds, &[], &step.each_ref().map(String::as_str))?;
    }
    let signature = SignatureBuilder::new().input("x", x).output("y", y);
    let signature = signature.output("steps", steps_read).output("names", names_read);
    SavedModelBuilder::new().signature("serving_default", signature).save(&session, folder.join("trained"))?;
    let fetches = [("y", "y"), ("steps", "steps_read"), ("names", "names_read")];
    let call = Call::of("trained", "serving_default", &session, &[("x", "x", rows(2, 3)?)], &fetches)?;
    let steps = call.outputs.iter().find(|(name, _)| name == "steps").expect("an output");
    assert_eq!(steps.1.to_scalar::<i64>()?, 5, "the model was trained");
    Ok(call)
}

/// A function of the graph's library that takes the handle of a variable.
fn function(folder: &Path) -> Result<Call> {
    let mut body = new_graph()?;
    let mut scope = body.scope();
    let x = scope.placeholder("x", DType::Float, PartialShape::new(&[None, Some(3)]))?;
    let weights = scope.placeholder("weights", DType::Resource, PartialShape::scalar())?;
    let read = ops::ReadVariableOp::builder(DType::Float).build(&mut scope, weights)?;
    let product = ops::mat_mul(&mut scope, x, read)?;
    let y = ops::softmax(&mut scope, product)?;
    let options =
        FunctionOptions { output_names: &["probabilities"], description: "Classes.", ..FunctionOptions::default() };
    let function = body.to_function("classify", &[x, weights], &[y], &options)?;
    let mut graph = new_graph()?;
    graph.add_function(&function)?;
    let (handle, assign) = variable(&mut graph, "weights", rows(3, 2)?)?;
    let init = graph.nodes()[assign as usize].name().to_owned();
    let session_of = session(graph)?;
    session_of.run(&[], &[], &[&init])?;
    let signature = SignatureBuilder::function("classify", &[("weights", handle)]);
    SavedModelBuilder::new().signature("serving_default", signature).save(&session_of, folder.join("function"))?;
    let reference = SavedModel::load(folder.join("function"))?;
    assert_eq!(reference.signature("serving_default")?.info().description, "Classes.");
    // The body itself, with the variable's value in its place.
    let mut direct = new_graph()?;
    let mut scope = direct.scope();
    let x = scope.placeholder("x", DType::Float, PartialShape::new(&[None, Some(3)]))?;
    let product = ops::mat_mul(&mut scope, x, rows(3, 2)?)?;
    ops::Softmax::builder().name("y").build(&mut scope, product)?;
    let direct = session(direct)?;
    Call::of("function", "serving_default", &direct, &[("x", "x", rows(2, 3)?)], &[("probabilities", "y")])
}

/// A table that is filled from an asset when the model is loaded.
fn table(folder: &Path) -> Result<Call> {
    let file = folder.join("colours.txt");
    std::fs::write(&file, "red\ngreen\nblue\n").expect("a file");
    let mut graph = new_graph()?;
    let mut scope = graph.scope();
    let path = scope.constant_named("path", Tensor::scalar(TString::new(file.as_os_str().as_encoded_bytes())))?;
    let table = ops::HashTableV2::builder(DType::String, DType::Int64)
        .shared_name("colours")
        .name("table")
        .build(&mut scope)?;
    let fill = ops::InitializeTableFromTextFileV2::builder(-2, -1).name("fill").build(&mut scope, table, path)?;
    let word = scope.placeholder("word", DType::String, PartialShape::new(&[None]))?;
    let index =
        ops::LookupTableFindV2::builder().name("index").build(&mut scope, table, word, Tensor::scalar(-1i64))?;
    let session = session(graph)?;
    session.run(&[], &[], &["fill"])?;
    let signature = SignatureBuilder::new().input("word", word).output("index", index);
    let builder = SavedModelBuilder::new().signature("serving_default", signature);
    builder.asset(path, &file).init_op(fill).save(&session, folder.join("table"))?;
    std::fs::remove_file(file).expect("it was made here");
    let words = Tensor::from_slice(&["blue", "pink", "red"].map(TString::from));
    Call::of("table", "serving_default", &session, &[("word", "word", words)], &[("index", "index")])
}

/// A model of stock TensorFlow that is trained here and written again.
fn again(folder: &Path, name: &'static str, written: &'static str) -> Result<Call> {
    let loaded = SavedModel::load(model(name))?;
    let mut last = None;
    for call in calls(name)? {
        let outputs = loaded.signature(&call.signature)?.run(&call.given())?;
        if call.signature == "serving_default" {
            last = Some((call, outputs));
        }
    }
    loaded.save(folder.join(written))?;
    let (call, outputs) = last.expect("a call");
    Ok(Call {
        model: written,
        signature: "serving_default",
        inputs: call.inputs,
        outputs: outputs.into_iter().collect(),
    })
}

/// A model of stock TensorFlow that got a signature for training here, with the first step as TensorFlow recorded it.
fn with_training(folder: &Path, name: &'static str) -> Result<Call> {
    write_with_training(name, &folder.join(name))?;
    let first = steps(name)?.into_iter().next().expect("a recorded step");
    Ok(Call { model: name, signature: "train", inputs: first.inputs, outputs: first.outputs })
}

/// Every model that is written, with a call of each.
fn write_all(folder: &Path) -> Result<Vec<Call>> {
    let trained_further = TRAINED.iter().map(|name| with_training(folder, name)).collect::<Result<Vec<_>>>()?;
    let others = vec![
        plain(folder)?,
        trained(folder)?,
        function(folder)?,
        table(folder)?,
        again(folder, "training", "training_again")?,
        again(folder, "v1_saver", "v1_saver_again")?,
        again(folder, "string_lookup", "string_lookup_again")?,
        again(folder, "keras_cnn", "keras_cnn_again")?,
    ];
    Ok(others.into_iter().chain(trained_further).collect())
}

#[test]
fn what_is_written_gives_the_same_values() -> Result<()> {
    let folder = Folder::new("written");
    write_all(folder.path())?.iter().try_for_each(|call| call.check(folder.path()))
}

#[test]
fn a_model_is_written_over_itself() -> Result<()> {
    let folder = Folder::with_model("in_place", "signatures");
    for calls in 1..=3i64 {
        let loaded = SavedModel::load(folder.path())?;
        let count = loaded.signature("count")?.run(&[("by", Tensor::scalar(1i64))])?;
        assert_eq!(count["calls"].to_scalar::<i64>()?, calls);
        loaded.save(folder.path())?;
    }
    Ok(())
}

/// The saver of this graph would write the variables as they were before training.
#[test]
fn a_saver_that_leaves_variables_out_does_not_write() -> Result<()> {
    let folder = Folder::new("left_out");
    let loaded = SavedModel::load(model("keras_training"))?;
    let error = loaded.save(folder.join("model")).expect_err("it is refused");
    assert_eq!(error.code(), Code::Unimplemented, "{error}");
    assert!(error.to_string().contains("leaves out 14 of its variables"), "{error}");
    Ok(())
}

#[test]
fn defaults_and_descriptions_come_back() -> Result<()> {
    let folder = Folder::new("described");
    let call = plain(folder.path())?;
    let loaded = SavedModel::load(folder.join("plain"))?;
    let signature = loaded.signature("serving_default")?;
    assert_eq!(signature.info().description, "A layer.");
    assert_eq!(signature.info().method_name, "tensorflow/serving/predict");
    let inputs: Vec<String> = signature.inputs().iter().map(ToString::to_string).collect();
    assert_eq!(inputs, ["scale: float []", "x: float [?,3]"]);
    assert_eq!(signature.inputs()[1].description, "One row for each example.");
    assert_eq!(signature.outputs()[0].description, "The layer's values.");
    let x = call.inputs.iter().find(|(name, _)| name == "x").expect("an input");
    let without_scale = signature.run(&[("x", x.1.clone())])?;
    assert_close("y", &without_scale["y"], &call.outputs[0].1)
}

#[test]
fn what_cannot_be_written_is_an_error() -> Result<()> {
    let folder = Folder::new("unwritten");
    let mut graph = new_graph()?;
    let (handle, _) = variable(&mut graph, "weights", rows(2, 2)?)?;
    let mut scope = graph.scope();
    let x = scope.placeholder("x", DType::Float, PartialShape::unknown())?;
    let session = session(graph)?;
    let save = |builder: SavedModelBuilder| builder.save(&session, folder.join("model")).expect_err("it is refused");
    let uninitialized = save(SavedModelBuilder::new());
    assert_eq!(uninitialized.code(), Code::FailedPrecondition, "{uninitialized}");
    let text = uninitialized.to_string();
    assert!(text.contains("reading the variable `weights`") && text.contains("unwritten/model"), "{text}");
    let signature = || SignatureBuilder::new().input("x", x);
    let nowhere = Output { node: 99, index: 0 };
    let wrong = [
        (SavedModelBuilder::new().signature("", signature()), "named ``"),
        (SavedModelBuilder::new().signature("a", signature()).signature("a", signature()), "two signatures"),
        (SavedModelBuilder::new().signature("a", signature().input("x", handle)), "`x` is given twice"),
        (SavedModelBuilder::new().signature("a", signature().output("y", nowhere)), "position 99"),
        (SavedModelBuilder::new().signature("a", signature().default_value("x", 1i32)), "does not fit"),
        (SavedModelBuilder::new().signature("a", signature().describe("z", "text")), "neither input nor output"),
        (SavedModelBuilder::new().signature("a", SignatureBuilder::function("f", &[])), "no function `f`"),
        (SavedModelBuilder::new().init_op(99), "the init op is no node"),
    ];
    for (builder, part) in wrong {
        let text = save(builder).to_string();
        assert!(text.contains(part), "no `{part}` in: {text}");
    }
    assert!(!folder.join("model").exists(), "nothing is written where something is wrong");
    Ok(())
}

/// Stock TensorFlow loads each by `tf.saved_model.load`, by the loader of TensorFlow 1 and by its C library.
#[test(Tensorflow)]
fn stock_tensorflow_gives_the_same_values() -> Result<()> {
    let folder = Folder::new("for_tensorflow");
    let mut expected = BundleWriter::new(folder.join("expected"))?;
    for call in write_all(folder.path())? {
        for (side, tensors) in [("in", &call.inputs), ("out", &call.outputs)] {
            for (name, value) in tensors {
                expected.add(format!("{}/{}/{side}/{name}", call.model, call.signature), value)?;
            }
        }
    }
    expected.finish()?;
    let venv = std::env::var_os("OPLINK_TENSORFLOW_VENV").expect("a test that needs `Tensorflow`");
    let output = std::process::Command::new(Path::new(&venv).join("bin/python"))
        .envs([("TF_CPP_MIN_LOG_LEVEL", "3"), ("PYTHONDONTWRITEBYTECODE", "1"), ("TF_ENABLE_ONEDNN_OPTS", "0")])
        .arg(crate::arrays::repository("tests/it/saved_models/load_in_tensorflow.py"))
        .arg(folder.path())
        .output()
        .expect("python starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    let stdout = text(&output.stdout);
    assert_eq!(stdout.matches(" equal").count(), 12 * 3, "{stdout}");
    let variables = stdout.lines().find(|line| line.starts_with("trained has variables")).unwrap_or_default();
    for name in ["weights:0", "steps:0", "names:0"] {
        assert!(variables.contains(name), "no {name} in: {variables}");
    }
    Ok(())
}
