//! Trains a network that tells two interleaved half circles apart, and writes it as a SavedModel.

use oplink::nn::data::{Arrays, Random};
use oplink::nn::export::{Export, Input};
use oplink::nn::layers::{Dense, Sequential};
use oplink::nn::optimizers::Adam;
use oplink::nn::trainer::{EarlyStopping, Fit, LearningCurve, Trainer};
use oplink::nn::{Activation, Layer, Mode, losses, metrics, set_seed};
use oplink::prelude::*;

fn main() -> Result<()> {
    set_seed(1);
    let (train, test) = (half_circles(2000, 1)?.batch_size(32).shuffle(1), half_circles(500, 2)?.batch_size(100));
    let model = Sequential::new()
        .then(Dense::new(2, 32)?.activation(Activation::Relu))
        .then(Dense::new(32, 32)?.activation(Activation::Relu))
        .then(Dense::new(32, 2)?);
    let trainer = Trainer::new(&model, Adam::new(5e-3), losses::sparse_categorical_crossentropy)?
        .metric("accuracy", metrics::sparse_categorical_accuracy);
    let fit = Fit::epochs(20)
        .validation_data(&test)
        .callback(EarlyStopping::new("val_loss").patience(5))
        .callback(LearningCurve::new("learning_curve.svg"));
    let history = trainer.fit(&train, fit)?;
    println!("{:.1} % of the test points", 100.0 * history.last("val_accuracy").unwrap_or(0.0));

    let mut export = Export::new(&model)?;
    let point = Input::new("point", DType::Float, PartialShape::new(&[None, Some(2)]));
    export.signature("serving_default", &[point], |inputs| {
        let probability = model.forward(&inputs[0], Mode::Infer)?.softmax()?;
        Ok(vec![("probability".to_owned(), probability)])
    })?;
    export.save("model")?;
    println!("wrote learning_curve.svg and the SavedModel model; `oplink run model` runs it");
    Ok(())
}

/// Points of two half circles, each moved a little, with the number of its half circle.
fn half_circles(count: usize, seed: u64) -> Result<Arrays> {
    let mut random = Random::new(seed);
    let (mut points, mut labels) = (Vec::new(), Vec::new());
    for index in 0..count {
        let (label, angle) = (index % 2, std::f32::consts::PI * random.uniform());
        let (x, y) = if label == 0 { (angle.cos(), angle.sin()) } else { (1.0 - angle.cos(), 0.5 - angle.sin()) };
        points.extend([x, y].map(|value| value + 0.2 * (random.uniform() - 0.5)));
        labels.push(label as i32);
    }
    Arrays::new(Tensor::from_vec([count, 2], points)?, Tensor::from_vec([count], labels)?)
}
