//! The models in burn, on its CPU backend Flex.

use burn::module::{Module, Param};
use burn::nn::activation::ActivationConfig;
use burn::nn::attention::generate_autoregressive_mask;
use burn::nn::conv::{Conv2d, Conv2dConfig};
use burn::nn::loss::CrossEntropyLossConfig;
use burn::nn::pool::{MaxPool2d, MaxPool2dConfig};
use burn::nn::transformer::{TransformerEncoder, TransformerEncoderConfig, TransformerEncoderInput};
use burn::nn::{
    Embedding, EmbeddingConfig, Initializer, LayerNorm, LayerNormConfig, Linear, LinearConfig, Lstm, LstmConfig,
    PaddingConfig2d,
};
use burn::optim::{AdamConfig, GradientsParams};
use burn::tensor::activation::relu;
use burn::tensor::{Bool, DType, Device, Int, Tensor, TensorData};

use crate::{STEPS, Step, TOKENS, WIDTH, classes, pixels, uniform};

/// A step of the model of this name.
pub(crate) fn step(name: &str) -> crate::Result<Step> {
    let device = Device::flex().autodiff();
    device.seed(1);
    Ok(match name {
        "digits" => {
            let data = TensorData::new(pixels(64 * 28 * 28), [64, 1, 28, 28]);
            let images = Tensor::<4, Int>::from_data(data, (&device, DType::U8));
            let model = Digits::new(&device);
            train(model, classes(64, 10), move |model| model.forward(images.clone()), device)
        }
        "lstm" => {
            let sequences = Tensor::from_data(TensorData::new(uniform(32 * 64 * 32), [32, 64, 32]), &device);
            let model = Recurrent::new(&device);
            train(model, classes(32, 10), move |model| model.forward(sequences.clone()), device)
        }
        "transformer" => {
            let data = TensorData::new(classes(16 * STEPS, TOKENS), [16, STEPS]);
            let tokens = Tensor::from_ints(data, &device);
            let mask = generate_autoregressive_mask(16, STEPS, &device);
            let model = Transformer::new(&device);
            train(model, classes(16 * STEPS, TOKENS), move |model| model.forward(tokens.clone(), mask.clone()), device)
        }
        _ => return Err(format!("no model `{name}`").into()),
    })
}

fn train<M: Module + 'static>(
    model: M,
    classes: Vec<u32>,
    forward: impl Fn(&M) -> Tensor<2> + 'static,
    device: Device,
) -> Step {
    let length = classes.len();
    let targets = Tensor::<1, Int>::from_ints(TensorData::new(classes, [length]), &device);
    let loss_of = CrossEntropyLossConfig::new().init(&device);
    let mut optimizer = AdamConfig::new().with_epsilon(1e-7).init();
    let mut model = Some(model);
    Box::new(move || {
        let trained = model.take().ok_or("an earlier step failed")?;
        let loss = loss_of.forward(forward(&trained), targets.clone());
        let gradients = GradientsParams::from_grads(loss.backward(), &trained);
        model = Some(optimizer.step(1e-3, trained, gradients));
        Ok(loss.try_into_scalar()?)
    })
}

#[derive(Module, Debug)]
struct Digits {
    conv1: Conv2d,
    conv2: Conv2d,
    pool: MaxPool2d,
    hidden: Linear,
    output: Linear,
}

impl Digits {
    fn new(device: &Device) -> Self {
        let same = PaddingConfig2d::Explicit(1, 1, 1, 1);
        Self {
            conv1: Conv2dConfig::new([1, 16], [3, 3]).with_padding(same.clone()).init(device),
            conv2: Conv2dConfig::new([16, 32], [3, 3]).with_padding(same).init(device),
            pool: MaxPool2dConfig::new([2, 2]).init(),
            hidden: LinearConfig::new(7 * 7 * 32, 64).init(device),
            output: LinearConfig::new(64, 10).init(device),
        }
    }

    fn forward(&self, images: Tensor<4, Int>) -> Tensor<2> {
        let x = images.float() / 255.0;
        let x = self.pool.forward(relu(self.conv1.forward(x)));
        let x = self.pool.forward(relu(self.conv2.forward(x)));
        self.output.forward(relu(self.hidden.forward(x.flatten(1, 3))))
    }
}

#[derive(Module, Debug)]
struct Recurrent {
    lstm: Lstm,
    output: Linear,
}

impl Recurrent {
    fn new(device: &Device) -> Self {
        Self { lstm: LstmConfig::new(32, 128, true).init(device), output: LinearConfig::new(128, 10).init(device) }
    }

    fn forward(&self, sequences: Tensor<3>) -> Tensor<2> {
        let (_, state) = self.lstm.forward(sequences, None);
        self.output.forward(state.hidden)
    }
}

#[derive(Module, Debug)]
struct Transformer {
    tokens: Embedding,
    positions: Param<Tensor<2>>,
    blocks: TransformerEncoder,
    norm: LayerNorm,
    output: Linear,
}

impl Transformer {
    fn new(device: &Device) -> Self {
        let blocks = TransformerEncoderConfig::new(WIDTH, 4 * WIDTH, 4, 2)
            .with_norm_first(true)
            .with_dropout(0.0)
            .with_activation(ActivationConfig::Relu);
        Self {
            tokens: EmbeddingConfig::new(TOKENS, WIDTH).init(device),
            positions: Initializer::Uniform { min: -0.05, max: 0.05 }.init([STEPS, WIDTH], device),
            blocks: blocks.init(device),
            norm: LayerNormConfig::new(WIDTH).init(device),
            output: LinearConfig::new(WIDTH, TOKENS).init(device),
        }
    }

    fn forward(&self, tokens: Tensor<2, Int>, mask: Tensor<3, Bool>) -> Tensor<2> {
        let x = self.tokens.forward(tokens) + self.positions.val().unsqueeze();
        let x = self.blocks.forward(TransformerEncoderInput::new(x).mask_attn(mask));
        self.output.forward(self.norm.forward(x).flatten::<2>(0, 1))
    }
}
