//! Modules written as SavedModels.

use std::path::PathBuf;

use oplink::SavedModel;
use oplink::Value;
use oplink::nn::export::{Export, Input};
use oplink::nn::layers::*;
use oplink::nn::{Activation, Initializer, Layer, Mode, Module};
use oplink::prelude::*;

/// A folder of a test, which goes with it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("oplink-nn-{name}-{}", std::process::id())))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn network() -> Result<Sequential> {
    let options = ConvOptions::same(Activation::Relu);
    let network = Sequential::new()
        .then(Conv2D::new(3, 4, [3, 3], options)?)
        .then(BatchNormalization::new(4)?)
        .then(Conv2DTranspose::new(4, 2, [2, 2], ConvOptions { strides: [2, 2], ..options })?)
        .then(AveragePooling2D::new([2, 2]))
        .then(Flatten)
        .then(Dropout::new(0.5)?)
        .then(Dense::new(32, 5)?.activation(Activation::Softmax));
    let variables = network.variables().into_iter().filter(|(_, variable)| variable.dtype() == DType::Float);
    for (seed, (_, variable)) in variables.enumerate() {
        let value = Initializer::Uniform { low: 0.1, high: 0.5 }.value(variable.shape(), seed as u32)?;
        variable.assign(value)?;
    }
    Ok(network)
}

/// Numbers that Python has too: `(range(n) % 17) / 17 - 0.5`.
fn input(rows: usize) -> Result<Value> {
    let values: Vec<f32> = (0..rows * 48).map(|at| (at % 17) as f32 / 17.0 - 0.5).collect();
    Ok(Tensor::from_vec([rows, 4, 4, 3], values)?.into())
}

fn write(network: &Sequential, folder: &Folder) -> Result<()> {
    let x = Input::new("x", DType::Float, PartialShape::new(&[None, Some(4), Some(4), Some(3)]));
    let mut model = Export::new(network)?;
    for (name, scale) in [("serving_default", 1.0), ("doubled", 2.0)] {
        model.signature(name, std::slice::from_ref(&x), |inputs| {
            let y = network.forward(&inputs[0], Mode::Infer)? * scale;
            Ok(vec![("class".to_owned(), y.clone().argmax(-1)?), ("y".to_owned(), y)])
        })?;
    }
    model.save(&folder.0)
}

#[test]
fn a_written_model_gives_what_the_module_gives() -> Result<()> {
    let (network, folder) = (network()?, Folder::new("written"));
    write(&network, &folder)?;
    let model = SavedModel::load(&folder.0)?;
    for (name, scale) in [("serving_default", 1.0), ("doubled", 2.0)] {
        for rows in [1, 3] {
            let outputs = model.signature(name)?.run(&[("x", input(rows)?.tensor()?)])?;
            let expected = (network.forward(&input(rows)?, Mode::Infer)? * scale).to_vec::<f32>()?;
            let got = outputs["y"].as_slice::<f32>()?;
            assert!(got.iter().zip(&expected).all(|(g, e)| (g - e).abs() < 1e-6), "{got:?} {expected:?}");
        }
    }
    Ok(())
}

#[test]
fn a_signature_that_trains_is_refused() -> Result<()> {
    let (network, folder) = (network()?, Folder::new("refused"));
    let x = Input::new("x", DType::Float, PartialShape::new(&[Some(2), Some(4), Some(4), Some(3)]));
    let mut model = Export::new(&network)?;
    model.signature("serving_default", &[x], |inputs| {
        Ok(vec![("y".to_owned(), network.forward(&inputs[0], Mode::Train)?)])
    })?;
    let error = model.save(&folder.0).unwrap_err();
    assert!(error.message().contains("Mode::Infer"), "{error}");
    assert!(!folder.0.exists());
    Ok(())
}

/// Stock TensorFlow loads the model, calls it, and sees its variables under their names.
#[test(Tensorflow)]
fn stock_tensorflow_agrees() -> Result<()> {
    let (network, folder) = (network()?, Folder::new("stock"));
    write(&network, &folder)?;
    let venv = std::env::var_os("OPLINK_TENSORFLOW_VENV").expect("a test that needs `Tensorflow`");
    let output = std::process::Command::new(PathBuf::from(venv).join("bin/python"))
        .envs([("TF_CPP_MIN_LOG_LEVEL", "3"), ("PYTHONDONTWRITEBYTECODE", "1")])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/run_saved_model.py"))
        .arg(&folder.0)
        .output()
        .expect("python starts");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{stdout}{}", String::from_utf8_lossy(&output.stderr));
    let numbers = |label: &str| -> Vec<f32> {
        let line = stdout.lines().find_map(|line| line.strip_prefix(label)).unwrap_or_default();
        line.split_whitespace().map(|number| number.parse().expect("a number")).collect()
    };
    let expected = network.forward(&input(3)?, Mode::Infer)?.to_vec::<f32>()?;
    let got = numbers("y:");
    assert_eq!(got.len(), expected.len(), "{stdout}");
    assert!(got.iter().zip(&expected).all(|(g, e)| (g - e).abs() < 1e-5), "{got:?} {expected:?}");
    for name in ["layers/0/kernel", "layers/1/moving_variance", "layers/6/bias"] {
        assert!(stdout.contains(name), "no variable {name}: {stdout}");
    }
    Ok(())
}
