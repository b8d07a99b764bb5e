//! The models of `tests/models/saved`, and what stock TensorFlow computed with them. Tests of several packages have
//! this file, and none uses all of it.
#![allow(dead_code, reason = "what one package's tests do not use, another's do")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use oplink::{DType, Result, Tensor};
use oplink_bundle::BundleReader;

/// Stands for a signature where gradients are meant.
const GRADIENTS: &str = "gradients";
/// Stands for a signature where steps of training are meant.
const STEPS: &str = "steps";
/// By which stock TensorFlow trained.
pub(crate) const LEARNING_RATE: f32 = 0.05;

/// A call of a model, with the outputs that stock TensorFlow gave.
#[derive(Debug, Default)]
pub(crate) struct Call {
    pub(crate) signature: String,
    pub(crate) inputs: Vec<(String, Tensor)>,
    pub(crate) outputs: Vec<(String, Tensor)>,
}

impl Call {
    /// The inputs as calls take them.
    pub(crate) fn given(&self) -> Vec<(&str, Tensor)> {
        self.inputs.iter().map(|(name, value)| (name.as_str(), value.clone())).collect()
    }
}

/// The folder of a model; with an empty name, the folder of all.
pub(crate) fn model(name: &str) -> PathBuf {
    let folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(|folder| folder.join("tests/models/saved"));
    folders.into_iter().find(|folder| folder.exists()).expect("the folder of models").join(name)
}

/// The models, by name.
pub(crate) fn models() -> Vec<String> {
    let folder = std::fs::read_dir(model("")).expect("the folder of models");
    let folders = folder.flatten().filter(|entry| entry.path().is_dir());
    let mut names: Vec<String> = folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// The calls of a model, in the order in which they were made.
pub(crate) fn calls(model_name: &str) -> Result<Vec<Call>> {
    calls_of(model_name, |signature| signature != GRADIENTS && signature != STEPS)
}

/// The steps of training of a model, from the first call of its signature `loss` on: inputs of that call, `loss` as it
/// was before the step, and the variables as they are after it.
pub(crate) fn steps(model_name: &str) -> Result<Vec<Call>> {
    let of_loss = calls(model_name)?.into_iter().find(|call| call.signature == "loss").expect("a call of `loss`");
    let mut steps = calls_of(model_name, |signature| signature == STEPS)?;
    steps.iter_mut().for_each(|step| step.inputs.clone_from(&of_loss.inputs));
    Ok(steps)
}

fn calls_of(model_name: &str, is_meant: impl Fn(&str) -> bool) -> Result<Vec<Call>> {
    let reader = BundleReader::open(model("expected"))?;
    let mut calls: BTreeMap<u32, Call> = BTreeMap::new();
    for tensor in reader.tensors() {
        let name = String::from_utf8_lossy(tensor.name).into_owned();
        let parts: Vec<&str> = name.splitn(5, '/').collect();
        let [owner, signature, number, side, argument] = parts[..] else { panic!("the tensor `{name}`") };
        if owner != model_name || !is_meant(signature) {
            continue;
        }
        let call = calls.entry(number.parse().expect("a number")).or_default();
        signature.clone_into(&mut call.signature);
        let tensors = if side == "in" { &mut call.inputs } else { &mut call.outputs };
        tensors.push((argument.to_owned(), reader.read(&name)?));
    }
    assert!(!calls.is_empty(), "no calls of {model_name} are recorded");
    Ok(calls.into_values().collect())
}

/// The gradients of what the first call of a model's signature `loss` gives, by the names of the variables.
pub(crate) fn gradients(model_name: &str) -> Result<BTreeMap<String, Tensor>> {
    let reader = BundleReader::open(model("expected"))?;
    let prefix = format!("{model_name}/{GRADIENTS}/");
    let names: Vec<String> = reader.tensors().map(|tensor| String::from_utf8_lossy(tensor.name).into_owned()).collect();
    let of_model =
        || names.iter().filter_map(|name| name.strip_prefix(&prefix)?.split_once("/by/").map(|at| (name, at)));
    let first = of_model().map(|(_, (call, _))| call).min();
    let of_first = of_model().filter(|(_, (call, _))| Some(*call) == first);
    of_first.map(|(name, (_, variable))| Ok((variable.to_owned(), reader.read(name)?))).collect()
}

/// Whether two tensors are equal; floats nearly so.
pub(crate) fn assert_close(name: &str, have: &Tensor, want: &Tensor) -> Result<()> {
    assert_eq!((have.dtype(), have.shape()), (want.dtype(), want.shape()), "{name}");
    match want.dtype() {
        DType::Float => {
            let (have, want) = (have.as_slice::<f32>()?, want.as_slice::<f32>()?);
            let scale = want.iter().fold(1e-6f32, |most, value| most.max(value.abs()));
            for (have, want) in have.iter().zip(want) {
                let is_close = (have - want).abs() <= 1e-5 * scale || (have.is_nan() && want.is_nan());
                assert!(is_close, "{name}: {have}, TensorFlow's is {want}");
            }
        }
        DType::String => {
            assert_eq!(have.as_slice::<oplink::TString>()?, want.as_slice::<oplink::TString>()?, "{name}");
        }
        _ => assert_eq!(have.as_bytes()?, want.as_bytes()?, "{name}"),
    }
    Ok(())
}
