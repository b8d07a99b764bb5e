//! Trains a small convolutional network on pictures of digits: `cargo run --release --example train_digits`.
//!
//! `-- DATA` reads `digits_train.npz` and `digits_test.npz` of a folder, as `tests/tools/make_digits.py` writes them;
//! without it the pictures are drawn. The model goes to `target/digits_model`, a SavedModel, the losses and accuracies
//! of all epochs to `target/learning_curve.svg`, and what the model says to some pictures to `target/digits_model.npz`:
//! `python examples/train_digits/compare.py target` holds that against what stock TensorFlow says.

mod data;
mod drawing;

use std::fs::File;
use std::path::Path;
use std::time::Instant;

use ndarray_npy::NpzWriter;
use oplink::Value;
use oplink::nn::export::{Export, Input};
use oplink::nn::layers::{Conv2D, ConvOptions, Dense, Flatten, Lambda, MaxPooling2D, Sequential};
use oplink::nn::optimizers::Adam;
use oplink::nn::schedules::CosineDecay;
use oplink::nn::trainer::{Fit, History, LearningCurve, Trainer};
use oplink::nn::{Activation, Layer, Mode, Module, losses, metrics, set_seed};
use oplink::prelude::*;

use data::Digits;

const EPOCHS: usize = 6;
const BATCH: usize = 64;

fn main() -> Result<()> {
    let start = Instant::now();
    set_seed(1);
    let (train, test) = match std::env::args().nth(1) {
        Some(folder) => data::read(Path::new(&folder))?,
        None => (drawing::draw(6000, 1)?, drawing::draw(1000, 2)?),
    };
    let model = network()?;
    println!("{} pictures, {} parameters", train.len(), model.num_parameters());
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("target");
    std::fs::create_dir_all(&target)?;
    let history = fit(&model, &train, &test, &target.join("learning_curve.svg"))?;
    let accuracy = history.last("val_accuracy").unwrap_or(0.0);
    println!("{:.2} % of {} test pictures in {:.1} s", 100.0 * accuracy, test.len(), start.elapsed().as_secs_f32());

    export(&model, &target.join("digits_model"))?;
    write_answers(&model, &test, &target.join("digits_model.npz"))?;
    println!("wrote target/learning_curve.svg and the SavedModel target/digits_model");
    Ok(())
}

/// From pictures of bytes to logits.
fn network() -> Result<Sequential> {
    let same = ConvOptions::same(Activation::Relu);
    Ok(Sequential::new()
        .then(Lambda::new(|images: &Value| (images.cast(DType::Float)? / 255.0).ok()))
        .then(Conv2D::new(1, 16, [3, 3], same)?)
        .then(MaxPooling2D::new([2, 2]))
        .then(Conv2D::new(16, 32, [3, 3], same)?)
        .then(MaxPooling2D::new([2, 2]))
        .then(Flatten)
        .then(Dense::new(7 * 7 * 32, 64)?.activation(Activation::Relu))
        .then(Dense::new(64, 10)?))
}

/// Trains the network; the learning curve is drawn anew behind each epoch.
fn fit(model: &Sequential, train: &Digits, test: &Digits, curve: &Path) -> Result<History> {
    let (train, test) = (train.arrays()?.batch_size(BATCH).shuffle(1), test.arrays()?.batch_size(250));
    let steps = EPOCHS * train.len().div_ceil(BATCH);
    let trainer = Trainer::new(model, Adam::new(2e-3), losses::sparse_categorical_crossentropy)?
        .metric("accuracy", metrics::sparse_categorical_accuracy)
        .learning_rate(CosineDecay::new(2e-3, steps as u64));
    trainer.fit(&train, Fit::epochs(EPOCHS).validation_data(&test).callback(LearningCurve::new(curve)))
}

fn export(model: &Sequential, folder: &Path) -> Result<()> {
    let image = Input::new("image", DType::UInt8, PartialShape::new(&[None, Some(28), Some(28), Some(1)]));
    let mut written = Export::new(model)?;
    written.signature("serving_default", &[image], |inputs| {
        let probability = model.forward(&inputs[0], Mode::Infer)?.softmax()?;
        Ok(vec![("label".to_owned(), probability.argmax(-1)?), ("probability".to_owned(), probability)])
    })?;
    written.save(folder)
}

/// Writes pictures with the probabilities that the model gives them.
fn write_answers(model: &Sequential, test: &Digits, path: &Path) -> Result<()> {
    let wrong = |error: ndarray_npy::WriteNpzError| Error::internal(error.to_string());
    let images = Value::from(test.images()?.slice(0, test.len().min(100))?);
    let mut file = NpzWriter::new(File::create(path)?);
    file.add_array("image", &images.to_array::<u8>()?).map_err(wrong)?;
    let probability = model.forward(&images, Mode::Infer)?.softmax()?;
    file.add_array("probability", &probability.to_array::<f32>()?).map_err(wrong)?;
    file.finish().map_err(wrong)?;
    Ok(())
}
