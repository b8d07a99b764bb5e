//! Activations and their gradients.

use oplink::prelude::*;

/// The larger of 0 and each feature.
///
/// Elementwise; the output has the shape of the input and reuses its memory where it can. NaN stays NaN, and negative
/// zero stays negative zero.
#[op("Relu", is(elementwise),
     input = "features: T",
     output = "activations: T",
     attr = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, qint8}",
     shape = shape_fns::unchanged)]
pub struct Relu;

/// The gradient of `Relu`: `gradients` where `features` are above 0, 0 elsewhere.
///
/// Elementwise; both inputs have one shape, and the output reuses the memory of one where it can. 0 where the feature
/// is NaN. The gradient is multiplied by 1 or 0: an infinite one or NaN gives NaN where the feature is not above 0.
#[op("ReluGrad", is(elementwise),
     input = "gradients: T",
     input = "features: T",
     output = "backprops: T",
     attr = "T: realnumbertype",
     shape = shape_fns::merge_inputs)]
pub struct ReluGrad;

/// Each feature limited to 0..=6.
///
/// Elementwise; the output has the shape of the input and reuses its memory where it can. NaN stays NaN, and negative
/// zero stays negative zero.
#[op("Relu6", is(elementwise),
     input = "features: T",
     output = "activations: T",
     attr = "T: realnumbertype",
     shape = shape_fns::unchanged)]
pub struct Relu6;

/// The gradient of `Relu6`: `gradients` where `features` are between 0 and 6, 0 elsewhere.
///
/// Elementwise; both inputs have one shape, and the output reuses the memory of one where it can. 0 where the feature
/// is NaN. The gradient is multiplied by 1 or 0: an infinite one or NaN gives NaN where it does not pass.
#[op("Relu6Grad", is(elementwise),
     input = "gradients: T",
     input = "features: T",
     output = "backprops: T",
     attr = "T: realnumbertype",
     shape = shape_fns::merge_inputs)]
pub struct Relu6Grad;

/// Each feature, negative ones multiplied by `alpha`.
///
/// Elementwise; the output has the shape of the input and reuses its memory where it can. NaN stays NaN, and negative
/// zero stays negative zero.
#[op("LeakyRelu", is(elementwise),
     input = "features: T",
     output = "activations: T",
     attr = "alpha: float = 0.2",
     attr = "T: {half, bfloat16, float, double} = DT_FLOAT",
     shape = shape_fns::unchanged)]
pub struct LeakyRelu;

/// `gradients` where `features` are above 0, `alpha * gradients` elsewhere.
///
/// Elementwise on floats; both inputs have one shape, and the output reuses the memory of one where it can. The 16-bit
/// floats are computed in f32.
#[op("LeakyReluGrad", is(elementwise),
     input = "gradients: T",
     input = "features: T",
     output = "backprops: T",
     attr = "alpha: float = 0.2",
     attr = "T: {half, bfloat16, float, double} = DT_FLOAT",
     shape = shape_fns::merge_inputs)]
pub struct LeakyReluGrad;

/// `exp(x) - 1` for negative features, the feature otherwise.
///
/// Elementwise on floats; the output has the shape of the input and reuses its memory where it can. The 16-bit floats
/// are computed in f32. NaN stays NaN.
#[op("Elu", is(elementwise),
     input = "features: T",
     output = "activations: T",
     attr = "T: {half, bfloat16, float, double}",
     shape = shape_fns::unchanged)]
pub struct Elu;

/// `gradients * (outputs + 1)` where `outputs` are negative, `gradients` elsewhere.
///
/// Elementwise on floats; both inputs have one shape, and the output reuses the memory of one where it can. The 16-bit
/// floats are computed in f32.
#[op("EluGrad", is(elementwise),
     input = "gradients: T",
     input = "outputs: T",
     output = "backprops: T",
     attr = "T: {half, bfloat16, float, double}",
     shape = shape_fns::merge_inputs)]
pub struct EluGrad;

/// `scale * alpha * (exp(x) - 1)` for negative features, `scale * x` otherwise.
///
/// Elementwise on floats; the output has the shape of the input and reuses its memory where it can. The 16-bit floats
/// are computed in f32. NaN stays NaN.
#[op("Selu", is(elementwise),
     input = "features: T",
     output = "activations: T",
     attr = "T: {half, bfloat16, float, double}",
     shape = shape_fns::unchanged)]
pub struct Selu;

/// `gradients * (outputs + scale * alpha)` where `outputs` are negative, `gradients * scale` elsewhere.
///
/// Elementwise on floats; both inputs have one shape, and the output reuses the memory of one where it can. The 16-bit
/// floats are computed in f32.
#[op("SeluGrad", is(elementwise),
     input = "gradients: T",
     input = "outputs: T",
     output = "backprops: T",
     attr = "T: {half, bfloat16, float, double}",
     shape = shape_fns::merge_inputs)]
pub struct SeluGrad;

/// `log(exp(x) + 1)`.
///
/// Elementwise on floats; the output has the shape of the input and reuses its memory where it can. The 16-bit floats
/// are computed in f32. NaN stays NaN.
#[op("Softplus", is(elementwise),
     input = "features: T",
     output = "activations: T",
     attr = "T: {half, bfloat16, float, double}",
     shape = shape_fns::unchanged)]
pub struct Softplus;

/// `gradients / (exp(-features) + 1)`.
///
/// Elementwise on floats; both inputs have one shape, and the output reuses the memory of one where it can. The 16-bit
/// floats are computed in f32.
#[op("SoftplusGrad", is(elementwise),
     input = "gradients: T",
     input = "features: T",
     output = "backprops: T",
     attr = "T: {half, bfloat16, float, double}",
     shape = shape_fns::merge_inputs)]
pub struct SoftplusGrad;

/// `x / (abs(x) + 1)`.
///
/// Elementwise on floats; the output has the shape of the input and reuses its memory where it can. The 16-bit floats
/// are computed in f32. NaN stays NaN.
#[op("Softsign", is(elementwise),
     input = "features: T",
     output = "activations: T",
     attr = "T: {half, bfloat16, float, double}",
     shape = shape_fns::unchanged)]
pub struct Softsign;

/// `gradients / (1 + |features|)^2`.
///
/// Elementwise on floats; both inputs have one shape, and the output reuses the memory of one where it can. The 16-bit
/// floats are computed in f32.
#[op("SoftsignGrad", is(elementwise),
     input = "gradients: T",
     input = "features: T",
     output = "backprops: T",
     attr = "T: {half, bfloat16, float, double}",
     shape = shape_fns::merge_inputs)]
pub struct SoftsignGrad;
