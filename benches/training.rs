//! A step of training of a small network: call by call, traced into a graph, and what tracing costs once.

use divan::Bencher;
use oplink::nn::layers::{Conv2D, ConvOptions, Dense, Flatten, MaxPooling2D, Sequential};
use oplink::nn::optimizers::Adam;
use oplink::nn::{Activation, Initializer, Layer, Mode, Module, Optimizer, losses};
use oplink::prelude::*;
use oplink::{Tape, Value, function};

fn main() {
    divan::main();
}

struct Training {
    model: Sequential,
    optimizer: Optimizer,
    images: Value,
    labels: Value,
}

impl Training {
    fn new(batch: i64) -> Result<Self> {
        let same = ConvOptions::same(Activation::Relu);
        let model = Sequential::new()
            .then(Conv2D::new(1, 16, [3, 3], same)?)
            .then(MaxPooling2D::new([2, 2]))
            .then(Flatten)
            .then(Dense::new(14 * 14 * 16, 10)?);
        let optimizer = Optimizer::new(Adam::new(1e-3), model.trainable_variables())?;
        let images = Initializer::Uniform { low: 0.0, high: 1.0 }.value([batch, 28, 28, 1], 1)?;
        Ok(Self { model, optimizer, images, labels: Value::full([batch], 3i32)? })
    }

    fn step(&self, [images, labels]: [Value; 2]) -> Result<Value> {
        let tape = Tape::new();
        let loss = losses::sparse_categorical_crossentropy(&labels, &self.model.forward(&images, Mode::Train)?)?;
        self.optimizer.apply(&tape.gradient(&loss, self.optimizer.variables())?)?;
        Ok(loss)
    }
}

#[divan::bench(args = [1, 32])]
fn call_by_call(bencher: Bencher<'_, '_>, batch: i64) {
    let training = Training::new(batch).expect("a network");
    bencher.bench_local(|| training.step([training.images.clone(), training.labels.clone()]).expect("a step"));
}

#[divan::bench(args = [1, 32])]
fn traced(bencher: Bencher<'_, '_>, batch: i64) {
    let training = Training::new(batch).expect("a network");
    let step = function(|arguments| training.step(arguments));
    step.call([&training.images, &training.labels]).expect("a step");
    bencher.bench_local(|| step.call([&training.images, &training.labels]).expect("a step"));
}

#[divan::bench(args = [1])]
fn traced_anew(bencher: Bencher<'_, '_>, batch: i64) {
    let training = Training::new(batch).expect("a network");
    bencher.bench_local(|| {
        let step = function(|arguments| training.step(arguments));
        step.call([&training.images, &training.labels]).expect("a step")
    });
}

/// The sum of two scalars: what a value adds to an eager call.
#[divan::bench(sample_size = 1000)]
fn sum_of_scalars(bencher: Bencher<'_, '_>) {
    let (a, b) = (Value::new(1.0f32), Value::new(2.0f32));
    bencher.bench_local(|| &a + &b);
}

/// The same while a tape records it.
#[divan::bench(sample_size = 1000)]
fn recorded_sum_of_scalars(bencher: Bencher<'_, '_>) {
    let (a, b) = (Value::new(1.0f32), Value::new(2.0f32));
    let tape = Tape::persistent();
    bencher.bench_local(|| &a + &b);
    drop(tape);
}
