//! Training by the trainer: its loop, its files, and what it continues from.

mod batches;
mod callbacks;
mod data;
mod files;
mod killed;
mod readers;
mod safetensors;

use std::path::PathBuf;

use oplink::nn::data::Arrays;
use oplink::nn::layers::{Dense, Dropout, Sequential};
use oplink::nn::optimizers::Adam;
use oplink::nn::trainer::{Fit, Trainer, Verbose};
use oplink::nn::{Activation, losses, metrics, set_seed};
use oplink::prelude::*;

/// A folder of a test, which goes with it.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let folder = Self(std::env::temp_dir().join(format!("oplink-trainer-{name}-{}", std::process::id())));
        std::fs::create_dir_all(&folder.0).unwrap();
        folder
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Points of the plane, with which of three sectors each is in.
pub(crate) fn points(count: usize) -> Arrays {
    let coordinate = |at: usize, step: f32| (at as f32 * step).fract() * 2.0 - 1.0;
    let x: Vec<[f32; 2]> = (0..count).map(|at| [coordinate(at, 0.618_034), coordinate(at, 0.754_877)]).collect();
    let sector = |[x, y]: &[f32; 2]| ((y.atan2(*x) / std::f32::consts::TAU + 0.5) * 2.999) as i32;
    let y: Vec<i32> = x.iter().map(sector).collect();
    let x = Tensor::from_vec([count, 2], x.into_iter().flatten().collect()).unwrap();
    Arrays::new(x, y).unwrap().batch_size(16).shuffle(3)
}

pub(crate) fn network(seed: u32) -> Result<Sequential> {
    set_seed(seed);
    Ok(Sequential::new()
        .then(Dense::new(2, 24)?.activation(Activation::Relu))
        .then(Dropout::new(0.1)?)
        .then(Dense::new(24, 3)?))
}

/// A trainer of a new network that is the same each time.
pub(crate) fn trainer() -> Result<Trainer<'static>> {
    let trainer = Trainer::new(network(7)?, Adam::new(0.01), losses::sparse_categorical_crossentropy)?;
    Ok(trainer.metric("accuracy", metrics::sparse_categorical_accuracy))
}

pub(crate) fn silent<'d>(epochs: usize) -> Fit<'d> {
    Fit::epochs(epochs).verbose(Verbose::Silent)
}

#[test]
fn a_model_learns() {
    let (train, test) = (points(600), points(200));
    let trainer = trainer().unwrap();
    let history = trainer.fit(&train, silent(15).validation_data(&test)).unwrap();
    assert_eq!(history.epochs().len(), 15);
    let losses = history.get("loss");
    assert!(losses[14] < losses[0] / 2.0, "{losses:?}");
    assert!(history.last("val_accuracy").unwrap() > 0.9, "{history:?}");
    let evaluated = trainer.evaluate(&test).unwrap();
    assert_eq!(evaluated.get("loss"), history.last("val_loss"));
    assert_eq!(evaluated.get("accuracy"), history.last("val_accuracy"));
}

#[test]
fn predictions_are_those_of_the_model() {
    let trainer = trainer().unwrap();
    let x = Tensor::from_vec([5, 2], (0..10).map(|at| at as f32 / 10.0).collect()).unwrap();
    let all = trainer.predict(&x, 5).unwrap().to_vec::<f32>().unwrap();
    let parts = trainer.predict(&x, 2).unwrap();
    assert_eq!(parts.shape().unwrap().dims(), [5, 3]);
    let parts = parts.to_vec::<f32>().unwrap();
    assert!(all.iter().zip(&parts).all(|(a, b)| (a - b).abs() < 1e-6), "{all:?} {parts:?}");
    assert!(trainer.predict(&Tensor::scalar(1.0f32), 2).is_err());
}

#[test]
fn data_without_examples_is_an_error() {
    let none = Arrays::new(Tensor::zeros(DType::Float, [0, 2]).unwrap(), Tensor::zeros(DType::Int32, [0]).unwrap());
    let none = none.unwrap();
    let trainer = trainer().unwrap();
    let error = trainer.fit(&none, silent(1)).unwrap_err().to_string();
    assert!(error.contains("no examples"), "{error}");
    assert!(trainer.evaluate(&none).unwrap_err().to_string().contains("no examples"));
}
