//! The models in candle.
//!
//! Its fused layer normalisation and its fused softmax have no gradients: training takes the forms made of single ops.

use candle_core::{D, DType, Device, IndexOp, Module, Tensor};
use candle_nn::rnn::{LSTM, LSTMConfig, RNN};
use candle_nn::{AdamW, Conv2d, Conv2dConfig, Embedding, Init, LayerNorm, Linear, Optimizer, ParamsAdamW};
use candle_nn::{VarBuilder, VarMap, loss, ops};

use crate::{STEPS, Step, TOKENS, WIDTH, classes, pixels, uniform};

type Result<T> = candle_core::Result<T>;

/// A step of the model of this name.
pub(crate) fn step(name: &str) -> crate::Result<Step> {
    let device = Device::Cpu;
    let variables = VarMap::new();
    let vb = VarBuilder::from_varmap(&variables, DType::F32, &device);
    let (model, x, y): (Box<dyn Module>, _, _) = match name {
        "digits" => {
            let images = Tensor::from_vec(pixels(64 * 28 * 28), (64, 1, 28, 28), &device)?;
            (Box::new(Digits::new(vb)?), images, classes(64, 10))
        }
        "lstm" => {
            let sequences = Tensor::from_vec(uniform(32 * 64 * 32), (32, 64, 32), &device)?;
            (Box::new(Recurrent::new(vb)?), sequences, classes(32, 10))
        }
        "transformer" => {
            let tokens = Tensor::from_vec(classes(16 * STEPS, TOKENS), (16, STEPS), &device)?;
            (Box::new(Transformer::new(vb)?), tokens, classes(16 * STEPS, TOKENS))
        }
        _ => return Err(format!("no model `{name}`").into()),
    };
    let y = Tensor::new(y, &device)?;
    // Without decay of weights it is Adam.
    let params = ParamsAdamW { lr: 1e-3, eps: 1e-7, weight_decay: 0.0, ..ParamsAdamW::default() };
    let mut optimizer = AdamW::new(variables.all_vars(), params)?;
    Ok(Box::new(move || {
        let loss = loss::cross_entropy(&model.forward(&x)?, &y)?;
        optimizer.backward_step(&loss)?;
        Ok(loss.to_scalar()?)
    }))
}

struct Digits {
    convolutions: [Conv2d; 2],
    hidden: Linear,
    output: Linear,
}

impl Digits {
    fn new(vb: VarBuilder) -> Result<Self> {
        let same = Conv2dConfig { padding: 1, ..Conv2dConfig::default() };
        Ok(Self {
            convolutions: [
                candle_nn::conv2d(1, 16, 3, same, vb.pp("conv1"))?,
                candle_nn::conv2d(16, 32, 3, same, vb.pp("conv2"))?,
            ],
            hidden: candle_nn::linear(7 * 7 * 32, 64, vb.pp("hidden"))?,
            output: candle_nn::linear(64, 10, vb.pp("output"))?,
        })
    }
}

impl Module for Digits {
    fn forward(&self, images: &Tensor) -> Result<Tensor> {
        let mut x = (images.to_dtype(DType::F32)? / 255.0)?;
        for convolution in &self.convolutions {
            x = convolution.forward(&x)?.relu()?.max_pool2d(2)?;
        }
        self.output.forward(&self.hidden.forward(&x.flatten_from(1)?)?.relu()?)
    }
}

struct Recurrent {
    lstm: LSTM,
    output: Linear,
}

impl Recurrent {
    fn new(vb: VarBuilder) -> Result<Self> {
        let lstm = candle_nn::lstm(32, 128, LSTMConfig::default(), vb.pp("lstm"))?;
        Ok(Self { lstm, output: candle_nn::linear(128, 10, vb.pp("output"))? })
    }
}

impl Module for Recurrent {
    fn forward(&self, sequences: &Tensor) -> Result<Tensor> {
        let states = self.lstm.seq(sequences)?;
        self.output.forward(states[states.len() - 1].h())
    }
}

struct Attention {
    qkv: Linear,
    output: Linear,
    /// 0 where a step may look, minus infinity where it may not.
    mask: Tensor,
}

impl Attention {
    const HEADS: usize = 4;

    fn new(vb: VarBuilder) -> Result<Self> {
        let mask = (0..STEPS * STEPS).map(|at| if at % STEPS > at / STEPS { f32::NEG_INFINITY } else { 0.0 });
        Ok(Self {
            qkv: candle_nn::linear(WIDTH, 3 * WIDTH, vb.pp("qkv"))?,
            output: candle_nn::linear(WIDTH, WIDTH, vb.pp("output"))?,
            mask: Tensor::from_iter(mask, vb.device())?.reshape((STEPS, STEPS))?,
        })
    }
}

impl Module for Attention {
    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let (batch, steps, width) = x.dims3()?;
        let qkv = self.qkv.forward(x)?.reshape((batch, steps, 3, Self::HEADS, width / Self::HEADS))?;
        let qkv = qkv.permute((2, 0, 3, 1, 4))?.contiguous()?;
        let [q, k, v] = [qkv.i(0)?, qkv.i(1)?, qkv.i(2)?];
        let scores = (q.matmul(&k.t()?)? / ((width / Self::HEADS) as f64).sqrt())?.broadcast_add(&self.mask)?;
        let context = ops::softmax(&scores, D::Minus1)?.matmul(&v)?;
        self.output.forward(&context.transpose(1, 2)?.reshape((batch, steps, width))?)
    }
}

struct Block {
    norms: [LayerNorm; 2],
    attention: Attention,
    wide: Linear,
    narrow: Linear,
}

impl Block {
    fn new(vb: VarBuilder) -> Result<Self> {
        Ok(Self {
            norms: [
                candle_nn::layer_norm(WIDTH, 1e-5, vb.pp("norm1"))?,
                candle_nn::layer_norm(WIDTH, 1e-5, vb.pp("norm2"))?,
            ],
            attention: Attention::new(vb.pp("attention"))?,
            wide: candle_nn::linear(WIDTH, 4 * WIDTH, vb.pp("wide"))?,
            narrow: candle_nn::linear(4 * WIDTH, WIDTH, vb.pp("narrow"))?,
        })
    }
}

impl Module for Block {
    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let x = (x + self.attention.forward(&normal(&self.norms[0], x)?)?)?;
        let wide = self.wide.forward(&normal(&self.norms[1], &x)?)?.relu()?;
        &x + self.narrow.forward(&wide)?
    }
}

struct Transformer {
    tokens: Embedding,
    positions: Tensor,
    blocks: [Block; 2],
    norm: LayerNorm,
    output: Linear,
}

impl Transformer {
    fn new(vb: VarBuilder) -> Result<Self> {
        let init = Init::Uniform { lo: -0.05, up: 0.05 };
        Ok(Self {
            tokens: candle_nn::embedding(TOKENS, WIDTH, vb.pp("tokens"))?,
            positions: vb.get_with_hints((STEPS, WIDTH), "positions", init)?,
            blocks: [Block::new(vb.pp("block1"))?, Block::new(vb.pp("block2"))?],
            norm: candle_nn::layer_norm(WIDTH, 1e-5, vb.pp("norm"))?,
            output: candle_nn::linear(WIDTH, TOKENS, vb.pp("output"))?,
        })
    }
}

impl Module for Transformer {
    fn forward(&self, tokens: &Tensor) -> Result<Tensor> {
        let mut x = self.tokens.forward(tokens)?.broadcast_add(&self.positions)?;
        for block in &self.blocks {
            x = block.forward(&x)?;
        }
        self.output.forward(&normal(&self.norm, &x)?.flatten_to(1)?)
    }
}

fn normal(norm: &LayerNorm, x: &Tensor) -> Result<Tensor> {
    let bias = norm.bias().expect("`layer_norm` makes a bias");
    ops::layer_norm_slow(x, norm.weight(), bias, norm.eps() as f32)
}
