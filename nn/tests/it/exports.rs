//! Modules written as SavedModels.

use std::path::PathBuf;

use oplink::SavedModel;
use oplink::nn::export::{Export, Input};
use oplink::nn::layers::*;
use oplink::nn::{Activation, Initializer, Layer, Mode, Module};
use oplink::prelude::*;
use oplink::{Value, cond};

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

/// A recurrent network that is traced as loops, for sequences of any length, and a condition on its output.
fn write_loops(network: &Sequential, folder: &Folder) -> Result<()> {
    let x = Input::new("x", DType::Float, PartialShape::new(&[None, None, Some(3)]));
    let mut model = Export::new(network)?;
    model.signature("serving_default", &[x], |inputs| {
        let y = network.forward(&inputs[0], Mode::Infer)?;
        let y = cond(y.sum(..)?.greater(0.0)?, || Ok(y.clone()), || (&y * -10.0).ok())?;
        Ok(vec![("y".to_owned(), y)])
    })?;
    model.save(&folder.0)
}

fn recurrent() -> Result<Sequential> {
    let network =
        Sequential::new().then(Gru::new(3, 4)?.return_sequences().unroll(false)).then(Lstm::new(4, 2)?.unroll(false));
    for (seed, variable) in network.trainable_variables().into_iter().enumerate() {
        let initializer = Initializer::Uniform { low: -0.7, high: 0.6 };
        variable.assign(initializer.value(variable.shape(), seed as u32)?)?;
    }
    Ok(network)
}

/// Sequences of so many steps, and what the network and the condition give of them.
fn sequences(network: &Sequential, steps: usize, sign: f32) -> Result<(Value, Vec<f32>)> {
    let values: Vec<f32> = (0..2 * steps * 3).map(|at| sign * ((at % 7) as f32 / 7.0 - 0.2)).collect();
    let x = Value::from(Tensor::from_vec([2, steps, 3], values)?);
    let y = network.forward(&x, Mode::Infer)?;
    let y = if y.sum(..)?.item::<f32>()? > 0.0 { y } else { (y * -10.0).ok()? };
    Ok((x, y.to_vec::<f32>()?))
}

#[test]
fn loops_and_conditions_are_written() -> Result<()> {
    let (network, folder) = (recurrent()?, Folder::new("loops"));
    write_loops(&network, &folder)?;
    let model = SavedModel::load(&folder.0)?;
    for (steps, sign) in [(1, 1.0), (4, 1.0), (4, -1.0)] {
        let (x, expected) = sequences(&network, steps, sign)?;
        let outputs = model.signature("serving_default")?.run(&[("x", x.tensor()?)])?;
        let got = outputs["y"].as_slice::<f32>()?;
        assert!(got.iter().zip(&expected).all(|(g, e)| (g - e).abs() < 1e-5), "{got:?} {expected:?}");
    }
    Ok(())
}

/// Stock TensorFlow runs the loops and the condition.
#[test(Tensorflow)]
fn stock_tensorflow_runs_loops_and_conditions() -> Result<()> {
    const SCRIPT: &str = r"
import sys, numpy as np, tensorflow as tf
f = tf.saved_model.load(sys.argv[1]).signatures['serving_default']
for sign in (1, -1):
    x = ((np.arange(24) % 7 / 7 - .2) * sign).astype('float32').reshape(2, 4, 3)
    print(' '.join('%.9g' % v for v in f(x=tf.constant(x))['y'].numpy().reshape(-1)))";
    let (network, folder) = (recurrent()?, Folder::new("stock-loops"));
    write_loops(&network, &folder)?;
    let venv = std::env::var_os("OPLINK_TENSORFLOW_VENV").expect("a test that needs `Tensorflow`");
    let mut command = std::process::Command::new(PathBuf::from(venv).join("bin/python"));
    let output = command.env("TF_CPP_MIN_LOG_LEVEL", "3").args(["-c", SCRIPT]).arg(&folder.0).output()?;
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{stdout}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(stdout.lines().count(), 2, "{stdout}");
    for (line, sign) in stdout.lines().zip([1.0, -1.0]) {
        let got: Vec<f32> = line.split_whitespace().map(|number| number.parse().expect("a number")).collect();
        let (_, expected) = sequences(&network, 4, sign)?;
        assert_eq!(got.len(), expected.len());
        assert!(got.iter().zip(&expected).all(|(g, e)| (g - e).abs() < 1e-5), "{got:?} {expected:?}");
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
