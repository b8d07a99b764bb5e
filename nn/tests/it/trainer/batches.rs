//! Updates of several batches, and mixed precision.

use oplink::nn::data::Arrays;
use oplink::nn::layers::{Dense, Sequential};
use oplink::nn::optimizers::{Adam, LossScale, Sgd};
use oplink::nn::trainer::{BackupAndRestore, Trainer};
use oplink::nn::{Activation, Initializer, Module, Optimizer, Policy, Variable, losses, metrics};
use oplink::prelude::*;

use super::{Folder, network, points, silent};

/// A network without dropout, which draws other numbers for other batches; it is the same each time.
fn plain() -> Result<Sequential> {
    let network = Sequential::new().then(Dense::new(2, 8)?.activation(Activation::Tanh)).then(Dense::new(8, 3)?);
    for (seed, variable) in (5..).zip(network.trainable_variables()) {
        variable.assign(Initializer::Normal { deviation: 0.5 }.value(variable.shape(), seed)?)?;
    }
    Ok(network)
}

/// The variables behind training with batches of this size.
fn trained(data: &Arrays, batch_size: usize, accumulated: u32) -> Result<Vec<f32>> {
    let trainer = Trainer::new(plain()?, Adam::new(0.01), losses::sparse_categorical_crossentropy)?
        .gradient_accumulation(accumulated)?
        .global_clipnorm(0.5)
        .learning_rate(|step| 0.01 / (1.0 + step as f64));
    trainer.fit(&data.clone().batch_size(batch_size), silent(3))?;
    assert_eq!(trainer.optimizer().iterations()?, 12);
    let values = trainer.model().trainable_variables().into_iter().map(|variable| variable.tensor());
    values.map(|value| Ok(value?.as_slice::<f32>()?.to_vec())).collect::<Result<Vec<_>>>().map(|values| values.concat())
}

#[test]
fn an_update_of_small_batches_is_that_of_a_large_one() {
    let data = points(64);
    let large = trained(&data, 16, 1).unwrap();
    for (batch_size, accumulated) in [(8, 2), (4, 4)] {
        let small = trained(&data, batch_size, accumulated).unwrap();
        let worst = large.iter().zip(&small).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(worst < 2e-6, "{accumulated} batches of {batch_size} are off by {worst:e}");
    }
}

#[test]
fn variables_without_a_gradient_stay_and_mistakes_are_told() {
    let make = || Variable::new("v", [1.0f32, 2.0]).unwrap();
    let variables = vec![make(), make()];
    let optimizer = Optimizer::new(Sgd::new(1.0).weight_decay(0.1), variables.clone()).unwrap();
    let optimizer = optimizer.gradient_accumulation(2).unwrap();
    for _ in 0..2 {
        optimizer.apply(&[Some([0.5f32, 0.5].into()), None]).unwrap();
    }
    let values = |at: usize| variables[at].tensor().unwrap().as_slice::<f32>().unwrap().to_vec();
    let off = values(0).iter().zip([0.4, 1.3]).map(|(value, expected)| (value - expected).abs()).fold(0.0, f32::max);
    assert!(off < 1e-6 && values(1) == [1.0, 2.0], "{:?} {:?}", values(0), values(1));
    let of = || Optimizer::new(Sgd::new(1.0), vec![make()]).unwrap();
    assert!(of().gradient_accumulation(0).unwrap_err().message().contains("0 batches"));
    assert!(of().loss_scale(LossScale::Fixed(f32::NAN)).unwrap_err().message().contains("cannot be scaled by NaN"));
    let none = LossScale::Dynamic { initial: 1.0, growth_steps: 0 };
    assert!(of().loss_scale(none).unwrap_err().message().contains("0 steps"));
}

#[test]
fn a_model_learns_in_16_bits() {
    let (train, test) = (points(600), points(200));
    for (policy, scale) in [(Policy::MixedBFloat16, 1.0), (Policy::MixedFloat16, 32768.0)] {
        let trainer = Trainer::new(network(7).unwrap(), Adam::new(0.01), losses::sparse_categorical_crossentropy);
        let trainer = trainer.unwrap().metric("accuracy", metrics::sparse_categorical_accuracy);
        let trainer = trainer.precision(policy).unwrap();
        let history = trainer.fit(&train, silent(15).validation_data(&test)).unwrap();
        assert!(history.last("val_accuracy").unwrap() > 0.9, "{policy:?}: {history:?}");
        assert_eq!(trainer.optimizer().current_loss_scale().unwrap(), scale);
        let x = Tensor::from_vec([1, 2], vec![0.5f32, 0.25]).unwrap();
        assert_eq!(trainer.predict(&x, 1).unwrap().dtype().unwrap(), policy.compute_dtype());
        let is_whole = |variable: &Variable| variable.dtype() == DType::Float;
        assert!(trainer.model().trainable_variables().iter().all(is_whole));
    }
}

#[test]
fn gathered_gradients_and_scales_are_part_of_a_backup() {
    let (folder, data) = (Folder::new("gathered"), points(64));
    let run = |epochs: usize, keeps: bool| -> Result<Vec<f64>> {
        let trainer = Trainer::new(plain()?, Sgd::new(0.1), losses::sparse_categorical_crossentropy)?
            .gradient_accumulation(3)?
            .loss_scale(LossScale::Dynamic { initial: 2.0, growth_steps: 2 })?;
        let fit = silent(epochs);
        let backup = BackupAndRestore::new(folder.0.join("backup")).delete_checkpoint(false);
        let history = trainer.fit(&data, if keeps { fit.backup_and_restore(backup) } else { fit })?;
        assert_eq!(trainer.optimizer().current_loss_scale()?, f64::from(2 << (2 * epochs)));
        Ok(history.get("loss"))
    };
    let whole = run(3, false).unwrap();
    run(1, true).unwrap();
    assert_eq!(run(3, true).unwrap(), whole);
}
