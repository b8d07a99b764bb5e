//! The models, each with one batch: a convolutional network, an LSTM, a transformer. `worker.py` has the same.

use oplink::nn::layers::{
    Conv2D, ConvOptions, Dense, Embedding, Flatten, Lambda, LayerNormalization, Lstm, MaxPooling2D, MultiHeadAttention,
    Residual, Sequential,
};
use oplink::nn::optimizers::Adam;
use oplink::nn::{Activation, Initializer, Layer, Mode, Module, Optimizer, Variable, losses, set_seed};
use oplink::prelude::*;
use oplink::{Tape, Value};

/// The names of the models.
pub(crate) const NAMES: [&str; 3] = ["digits", "lstm", "transformer"];

/// Tokens that the transformer knows, steps of its sequences and their width.
const TOKENS: usize = 1000;
const STEPS: usize = 64;
const WIDTH: usize = 128;

/// A model with its optimiser and a batch.
pub(crate) struct Training {
    model: Box<dyn Layer>,
    optimizer: Optimizer,
    /// Inputs, and what is true of them.
    pub(crate) batch: [Value; 2],
}

impl Training {
    /// # Errors
    /// There is no model of this name.
    pub(crate) fn new(name: &str) -> Result<Self> {
        set_seed(1);
        let (model, batch): (Box<dyn Layer>, _) = match name {
            "digits" => (Box::new(digits()?), [pictures()?, classes(64, 10)?]),
            "lstm" => (Box::new(lstm()?), [uniform(&[32, 64, 32])?, classes(32, 10)?]),
            "transformer" => (
                Box::new(Transformer::new()?),
                [classes(16 * STEPS, TOKENS)?.reshape([16, STEPS])?, classes(16 * STEPS, TOKENS)?],
            ),
            _ => return Err(Error::invalid_argument(format!("`{name}` is none of {NAMES:?}"))),
        };
        let optimizer = Optimizer::new(Adam::new(1e-3), model.trainable_variables())?;
        Ok(Self { model, optimizer, batch })
    }

    /// A step; the loss.
    pub(crate) fn step(&self, [x, y]: [Value; 2]) -> Result<Value> {
        let tape = Tape::new();
        let loss = losses::sparse_categorical_crossentropy(&y, &self.model.forward(&x, Mode::Train)?)?;
        self.optimizer.apply(&tape.gradient(&loss, self.optimizer.variables())?)?;
        Ok(loss)
    }
}

/// The network of the example `train_digits`.
fn digits() -> Result<Sequential> {
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

fn lstm() -> Result<Sequential> {
    Ok(Sequential::new().then(Lstm::new(32, 128)?).then(Dense::new(128, 10)?))
}

/// The next token of each, by two causal blocks.
#[derive(Module)]
struct Transformer {
    tokens: Embedding,
    positions: Variable,
    body: Sequential,
}

impl Transformer {
    fn new() -> Result<Self> {
        let mut body = Sequential::new();
        for _ in 0..2 {
            let attention = MultiHeadAttention::new(WIDTH, 4, WIDTH / 4)?.causal();
            let wide = Dense::new(WIDTH, 4 * WIDTH)?.activation(Activation::Relu);
            let dense = Sequential::new().then(wide).then(Dense::new(4 * WIDTH, WIDTH)?);
            body = body
                .then(Residual::new(Sequential::new().then(LayerNormalization::new(WIDTH)?).then(attention)))
                .then(Residual::new(Sequential::new().then(LayerNormalization::new(WIDTH)?).then(dense)));
        }
        let body = body.then(LayerNormalization::new(WIDTH)?).then(Dense::new(WIDTH, TOKENS)?);
        let positions = Initializer::Uniform { low: -0.05, high: 0.05 }.value([STEPS, WIDTH], 1)?;
        Ok(Self { tokens: Embedding::new(TOKENS, WIDTH)?, positions: Variable::new("positions", positions)?, body })
    }
}

impl Layer for Transformer {
    fn forward(&self, x: &Value, mode: Mode) -> Result<Value> {
        let embedded = (self.tokens.forward(x, mode)? + &self.positions).ok()?;
        self.body.forward(&embedded, mode)?.reshape([-1, TOKENS as i32])
    }
}

fn uniform(shape: &[usize]) -> Result<Value> {
    Initializer::Uniform { low: 0.0, high: 1.0 }.value(shape, 2)
}

fn pictures() -> Result<Value> {
    (uniform(&[64, 28, 28, 1])? * 255.0).ok()?.cast(DType::UInt8)
}

/// Numbers below `count`, in no order.
fn classes(length: usize, count: usize) -> Result<Value> {
    let numbers: Vec<i32> = (0..length).map(|at| (at * 7919 % 10_007 % count) as i32).collect();
    Ok(Value::from(Tensor::from_slice(&numbers)))
}
