//! Trains a small convolutional network on pictures of digits: `cargo run --release --example train_digits`.
//!
//! `-- DATA` reads `digits_train.npz` and `digits_test.npz` of a folder, as `tests/tools/make_digits.py` writes them;
//! without it the pictures are drawn. The model goes to `target/digits_model`, a SavedModel, the losses and accuracies
//! of all epochs to `target/learning_curve.svg`, and what the model says to some pictures to `target/digits_model.npz`:
//! `python examples/train_digits/compare.py target` holds that against what stock TensorFlow says.

mod curve;
mod data;
mod drawing;
mod progress;

use std::fs::File;
use std::path::Path;
use std::time::Instant;

use ndarray_npy::NpzWriter;
use oplink::nn::export::{Export, Input};
use oplink::nn::layers::{Conv2D, ConvOptions, Dense, Flatten, MaxPooling2D, Sequential};
use oplink::nn::metrics::{Mean, sparse_categorical_accuracy};
use oplink::nn::optimizers::Adam;
use oplink::nn::schedules::{CosineDecay, Schedule};
use oplink::nn::{Activation, Layer, Mode, Module, Optimizer, losses, set_seed};
use oplink::prelude::*;
use oplink::{Tape, Value, function};

use curve::Curve;
use data::Digits;
use progress::Progress;

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
    let curve = fit(&model, train, &test)?;
    let accuracy = curve.last().map_or(0.0, |epoch| epoch.test_accuracy);
    println!("{:.2} % of {} test pictures in {:.1} s", 100.0 * accuracy, test.len(), start.elapsed().as_secs_f32());

    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("target");
    std::fs::create_dir_all(&target)?;
    curve.write(&target.join("learning_curve.svg"))?;
    export(&model, &target.join("digits_model"))?;
    write_answers(&model, &test, &target.join("digits_model.npz"))?;
    println!("wrote target/learning_curve.svg and the SavedModel target/digits_model");
    Ok(())
}

fn network() -> Result<Sequential> {
    let same = ConvOptions::same(Activation::Relu);
    Ok(Sequential::new()
        .then(Conv2D::new(1, 16, [3, 3], same)?)
        .then(MaxPooling2D::new([2, 2]))
        .then(Conv2D::new(16, 32, [3, 3], same)?)
        .then(MaxPooling2D::new([2, 2]))
        .then(Flatten)
        .then(Dense::new(7 * 7 * 32, 64)?.activation(Activation::Relu))
        .then(Dense::new(64, 10)?))
}

/// The logits of pictures of bytes.
fn logits(model: &Sequential, images: &Value, mode: Mode) -> Result<Value> {
    model.forward(&(images.cast(DType::Float)? / 255.0), mode)
}

fn fit(model: &Sequential, mut train: Digits, test: &Digits) -> Result<Curve> {
    let optimizer = Optimizer::new(Adam::new(2e-3), model.trainable_variables())?;
    let step = function(|[images, labels]: [Value; 2]| {
        let tape = Tape::new();
        let loss = losses::sparse_categorical_crossentropy(&labels, &logits(model, &images, Mode::Train)?)?;
        optimizer.apply(&tape.gradient(&loss, optimizer.variables())?)?;
        Ok(loss)
    });
    let evaluate = function(|[images, labels]: [Value; 2]| {
        sparse_categorical_accuracy(&labels, &logits(model, &images, Mode::Infer)?)
    });
    let steps = train.len().div_ceil(BATCH);
    let schedule = CosineDecay::new(2e-3, (EPOCHS * steps) as u64);
    let mut curve = Curve::default();
    for epoch in 0..EPOCHS {
        train.shuffle(epoch as u64)?;
        let (mut progress, mut mean) = (Progress::new(epoch + 1, EPOCHS, train.len()), Mean::new());
        for (at, [images, labels]) in train.batches(BATCH).enumerate() {
            let rows = labels.shape()?.num_elements();
            optimizer.set_learning_rate(schedule.at((epoch * steps + at) as u64))?;
            mean.add(&step.call([images, labels])?, rows)?;
            progress.advance(rows, mean.value());
        }
        let mut accuracy = Mean::new();
        for [images, labels] in test.batches(250) {
            let rows = labels.shape()?.num_elements();
            accuracy.add(&evaluate.call([images, labels])?, rows)?;
        }
        progress.finish(mean.value(), accuracy.value());
        curve.add(mean.value(), accuracy.value());
    }
    Ok(curve)
}

fn export(model: &Sequential, folder: &Path) -> Result<()> {
    let image = Input::new("image", DType::UInt8, PartialShape::new(&[None, Some(28), Some(28), Some(1)]));
    let mut written = Export::new(model)?;
    written.signature("serving_default", &[image], |inputs| {
        let probability = logits(model, &inputs[0], Mode::Infer)?.softmax()?;
        Ok(vec![("label".to_owned(), probability.argmax(-1)?), ("probability".to_owned(), probability)])
    })?;
    written.save(folder)
}

/// Writes pictures with the probabilities that the model gives them.
fn write_answers(model: &Sequential, test: &Digits, path: &Path) -> Result<()> {
    let wrong = |error: ndarray_npy::WriteNpzError| Error::internal(error.to_string());
    let Some([images, _]) = test.batches(100).next() else { return Ok(()) };
    let mut file = NpzWriter::new(File::create(path)?);
    file.add_array("image", &images.to_array::<u8>()?).map_err(wrong)?;
    let probability = logits(model, &images, Mode::Infer)?.softmax()?;
    file.add_array("probability", &probability.to_array::<f32>()?).map_err(wrong)?;
    file.finish().map_err(wrong)?;
    Ok(())
}
