//! Outputs, gradients and running statistics of layers with the same weights.

use oplink::nn::layers::*;
use oplink::nn::{Activation, Layer, Mode, Policy, Tape, Value, autocast, function};
use oplink::ops::Padding;
use oplink::prelude::*;

use super::table::{Case, cases};

/// The layer of a case, as `make_keras.py` makes it.
fn layer(name: &str) -> Result<Box<dyn Layer>> {
    let same = |activation| ConvOptions::same(activation);
    let plain = ConvOptions::default();
    if let Some(activation) = name.strip_prefix("dense_").and_then(activation) {
        return Ok(Box::new(Dense::new(4, 5)?.activation(activation)));
    }
    Ok(match name {
        "dense" => Box::new(Dense::new(4, 5)?),
        "dense_3d_no_bias" => Box::new(Dense::new(5, 3)?.without_bias()),
        "conv2d" => Box::new(Conv2D::new(3, 4, [3, 3], plain)?),
        "conv2d_same_relu" => Box::new(Conv2D::new(3, 4, [3, 2], same(Activation::Relu))?),
        "conv2d_strides" => {
            let options = ConvOptions { strides: [2, 1], use_bias: false, ..same(Activation::Linear) };
            Box::new(Conv2D::new(3, 2, [3, 3], options)?)
        }
        "conv2d_dilated" => Box::new(Conv2D::new(3, 2, [2, 2], ConvOptions { dilations: [2, 2], ..plain })?),
        "depthwise" => Box::new(DepthwiseConv2D::new(3, 2, [3, 3], same(Activation::Linear))?),
        "conv2d_transpose" => Box::new(Conv2DTranspose::new(3, 2, [3, 3], ConvOptions { strides: [2, 2], ..plain })?),
        "conv2d_transpose_same" => {
            let options = ConvOptions { strides: [2, 2], ..same(Activation::Linear) };
            Box::new(Conv2DTranspose::new(3, 2, [3, 3], options)?)
        }
        "max_pooling" => Box::new(MaxPooling2D::new([2, 2])),
        "max_pooling_same" => Box::new(MaxPooling2D::new([3, 3]).strides([2, 2]).padding(Padding::Same)),
        "average_pooling" => Box::new(AveragePooling2D::new([2, 2])),
        "average_pooling_same" => Box::new(AveragePooling2D::new([3, 3]).strides([2, 2]).padding(Padding::Same)),
        "global_average_pooling" => Box::new(GlobalAveragePooling2D),
        "global_max_pooling" => Box::new(GlobalMaxPooling2D),
        "flatten" => Box::new(Flatten),
        "batch_norm_infer" | "batch_norm_train" => Box::new(BatchNormalization::new(3)?),
        "batch_norm_train_2d" => Box::new(BatchNormalization::new(4)?.momentum(0.9).epsilon(1e-5)),
        "layer_norm" => Box::new(LayerNormalization::new(5)?),
        "group_norm" => Box::new(GroupNormalization::new(4, 2)?),
        "rms_norm" => Box::new(RmsNormalization::new(5)?),
        "embedding" => Box::new(Embedding::new(6, 3)?),
        "lstm" => Box::new(Lstm::new(5, 3)?),
        "lstm_sequences" => Box::new(Lstm::new(5, 3)?.return_sequences()),
        "gru" => Box::new(Gru::new(5, 3)?),
        "gru_sequences" => Box::new(Gru::new(5, 3)?.return_sequences()),
        "bidirectional" => Box::new(Bidirectional::new(Lstm::new(5, 2)?, Lstm::new(5, 2)?)),
        "bidirectional_sequences" => {
            let gru = || Ok::<_, Error>(Gru::new(5, 2)?.return_sequences());
            Box::new(Bidirectional::new(gru()?, gru()?))
        }
        "attention" => Box::new(MultiHeadAttention::new(5, 2, 3)?),
        "attention_causal" => Box::new(MultiHeadAttention::new(5, 2, 3)?.causal()),
        _ => bail!("the layer of the case {name} is not known"),
    })
}

fn activation(name: &str) -> Option<Activation> {
    Some(match name {
        "relu" => Activation::Relu,
        "relu6" => Activation::Relu6,
        "leaky_relu" => Activation::LeakyRelu(0.2),
        "elu" => Activation::Elu,
        "selu" => Activation::Selu,
        "gelu" => Activation::Gelu,
        "sigmoid" => Activation::Sigmoid,
        "hard_sigmoid" => Activation::HardSigmoid,
        "silu" => Activation::Silu,
        "mish" => Activation::Mish,
        "tanh" => Activation::Tanh,
        "softmax" => Activation::Softmax,
        "log_softmax" => Activation::LogSoftmax,
        "softplus" => Activation::Softplus,
        "softsign" => Activation::Softsign,
        "exponential" => Activation::Exponential,
        _ => return None,
    })
}

/// Holds a layer against its case, its calls made at once or traced; the largest difference.
fn check(case: &Case, traced: bool, policy: Policy) -> Result<f32> {
    let layer = layer(&case.name)?;
    // Sums of few products, each rounded: a few steps of the dtype's precision.
    let bound = match policy {
        Policy::Float32 => 1e-5,
        Policy::MixedBFloat16 => 3e-2,
        Policy::MixedFloat16 => 4e-3,
    };
    let (variables, weights) = (layer.variables(), case.all("weight"));
    ensure!(variables.len() == weights.len(), "{}: {} variables, not {}", case.name, variables.len(), weights.len());
    variables.iter().zip(weights).try_for_each(|((_, variable), weight)| variable.assign(weight))?;
    let mode = if case.name.contains("train") { Mode::Train } else { Mode::Infer };
    let trainable = layer.trainable_variables();
    let differentiate = |[x, c]: [Value; 2]| -> Result<Vec<Value>> {
        let tape = Tape::new();
        tape.watch(&x);
        let y = autocast(policy, || layer.forward(&x, mode))?;
        ensure!(y.dtype()? == policy.compute_dtype(), "{}: the output is of {}", case.name, y.dtype()?);
        let y = y.cast(DType::Float)?;
        let weighted = (&y * c).sum(..)?;
        let xs = std::iter::once(x.clone()).chain(trainable.iter().map(|variable| variable.handle().clone()));
        let gradients = tape.gradient(&weighted, xs)?;
        let differentiable = usize::from(x.dtype()? != DType::Float);
        Ok(std::iter::once(y).chain(gradients.into_iter().skip(differentiable).flatten()).collect())
    };
    let inputs = [case.get("x")?, case.get("c")?];
    let results = if traced { function(differentiate).call(inputs)? } else { differentiate(inputs)? };
    let expected = [case.all("y"), case.all("dx"), case.all("dw")].concat();
    ensure!(results.len() == expected.len(), "{}: {} results, not {}", case.name, results.len(), expected.len());
    let mut worst = 0.0f32;
    for (at, (result, expected)) in results.iter().zip(expected).enumerate() {
        worst = worst.max(case.check_within(bound, &format!("result {at}"), result, expected)?);
    }
    let untrained = variables.iter().map(|(_, variable)| variable).filter(|variable| !variable.is_trainable());
    for (variable, expected) in untrained.zip(case.all("state")) {
        worst = worst.max(case.check_within(bound, variable.name(), &variable.tensor()?.into(), expected)?);
    }
    Ok(worst)
}

fn check_all(traced: bool) {
    check_kind("layer", 40, traced, Policy::Float32);
}

fn check_kind(kind: &str, at_least: usize, traced: bool, policy: Policy) {
    let cases = cases(kind).unwrap();
    assert!(cases.len() >= at_least, "{} cases", cases.len());
    let (mut failures, mut worst) = (Vec::new(), (0.0f32, ""));
    for case in &cases {
        match check(case, traced, policy) {
            Ok(found) if found > worst.0 => worst = (found, &case.name),
            Ok(_) => {}
            Err(error) => failures.push(format!("{}: {error}", case.name)),
        }
    }
    println!("{} layers, worst difference {:e} of {}", cases.len(), worst.0, worst.1);
    assert!(failures.is_empty(), "{} of {} differ:\n{}", failures.len(), cases.len(), failures.join("\n"));
}

#[test]
fn layers_give_what_keras_gives() {
    check_all(false);
}

#[test]
fn traced_layers_give_what_keras_gives() {
    check_all(true);
}

#[test]
fn layers_of_mixed_precision_give_what_keras_gives() {
    for traced in [false, true] {
        check_kind("mixed_bfloat16", 14, traced, Policy::MixedBFloat16);
        check_kind("mixed_float16", 14, traced, Policy::MixedFloat16);
    }
}
