//! Batch normalization and its gradients.

use oplink::prelude::*;

use crate::attrs::{DataFormat, ImageOrVolumeFormat};

/// Normalises each channel of `x`.
///
/// `y = (x - mean) * scale / sqrt(variance + epsilon) + offset`, channel by channel. `scale`, `offset`, `mean` and
/// `variance` are vectors as long as the channel axis of `x`; `mean` and `variance` may have any length while training
/// with an `exponential_avg_factor` of 1, which does not read them.
///
/// With `is_training` the mean and the (biased) variance are those of `x`; `batch_mean` and `batch_variance` are the
/// new running averages `(1 - factor) * given + factor * batch`, where the batch's variance is the unbiased one, and
/// `reserve_space_1` and `_2` the batch's own mean and biased variance. Without, they are the given ones. For an empty
/// `x`, the averages are NaN. Computed in f32.
#[op("FusedBatchNorm",
     input = "x: T",
     input = "scale: T",
     input = "offset: T",
     input = "mean: T",
     input = "variance: T",
     output = "y: T",
     output = "batch_mean: T",
     output = "batch_variance: T",
     output = "reserve_space_1: T",
     output = "reserve_space_2: T",
     attr = "T: {float}",
     attr = "epsilon: float = 0.0001",
     attr = "exponential_avg_factor: float = 1.0",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "is_training: bool = true",
     enums(data_format = DataFormat),
     shape = shape_fns::fused_batch_norm)]
pub struct FusedBatchNorm;

/// Normalises each channel of `x`.
///
/// `y = (x - mean) * scale / sqrt(variance + epsilon) + offset`, channel by channel. `scale`, `offset`, `mean` and
/// `variance` are vectors as long as the channel axis of `x`; `mean` and `variance` may have any length while training
/// with an `exponential_avg_factor` of 1, which does not read them.
///
/// With `is_training` the mean and the (biased) variance are those of `x`; `batch_mean` and `batch_variance` are the
/// new running averages `(1 - factor) * given + factor * batch`, where the batch's variance is the unbiased one, and
/// `reserve_space_1` and `_2` the batch's own mean and biased variance. Without, they are the given ones. For an empty
/// `x`, the averages are NaN. Computed in f32.
#[op("FusedBatchNormV2",
     input = "x: T",
     input = "scale: U",
     input = "offset: U",
     input = "mean: U",
     input = "variance: U",
     output = "y: T",
     output = "batch_mean: U",
     output = "batch_variance: U",
     output = "reserve_space_1: U",
     output = "reserve_space_2: U",
     attr = "T: {half, bfloat16, float}",
     attr = "U: {float}",
     attr = "epsilon: float = 0.0001",
     attr = "exponential_avg_factor: float = 1.0",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "is_training: bool = true",
     enums(data_format = DataFormat),
     shape = shape_fns::fused_batch_norm)]
pub struct FusedBatchNormV2;

/// Normalises each channel of `x`.
///
/// `y = (x - mean) * scale / sqrt(variance + epsilon) + offset`, channel by channel. `scale`, `offset`, `mean` and
/// `variance` are vectors as long as the channel axis of `x`; `mean` and `variance` may have any length while training
/// with an `exponential_avg_factor` of 1, which does not read them.
///
/// With `is_training` the mean and the (biased) variance are those of `x`; `batch_mean` and `batch_variance` are the
/// new running averages `(1 - factor) * given + factor * batch`, where the batch's variance is the unbiased one, and
/// `reserve_space_1` and `_2` the batch's own mean and biased variance. Without, they are the given ones. For an empty
/// `x`, the averages are NaN. `reserve_space_3` is a scalar 0. Computed in f32.
#[op("FusedBatchNormV3",
     input = "x: T",
     input = "scale: U",
     input = "offset: U",
     input = "mean: U",
     input = "variance: U",
     output = "y: T",
     output = "batch_mean: U",
     output = "batch_variance: U",
     output = "reserve_space_1: U",
     output = "reserve_space_2: U",
     output = "reserve_space_3: U",
     attr = "T: {half, bfloat16, float}",
     attr = "U: {bfloat16, float}",
     attr = "epsilon: float = 0.0001",
     attr = "exponential_avg_factor: float = 1.0",
     attr = "data_format: {'NHWC', 'NCHW', 'NDHWC', 'NCDHW'} = 'NHWC'",
     attr = "is_training: bool = true",
     enums(data_format = ImageOrVolumeFormat),
     shape = shape_fns::fused_batch_norm)]
pub struct FusedBatchNormV3;

/// Normalises each channel of `x`, adds `side_input` and applies an activation.
///
/// Outputs as those of `FusedBatchNormV3`, with `y = activation(normalised x + side_input)`; there is at most one
/// `side_input`, of the shape of `x`. `activation_mode` is `Identity` or `Relu`. Computed in f32.
#[op("_FusedBatchNormEx",
     input = "x: T",
     input = "scale: U",
     input = "offset: U",
     input = "mean: U",
     input = "variance: U",
     input = "side_input: num_side_inputs * T",
     output = "y: T",
     output = "batch_mean: U",
     output = "batch_variance: U",
     output = "reserve_space_1: U",
     output = "reserve_space_2: U",
     output = "reserve_space_3: U",
     attr = "T: {half, float, bfloat16}",
     attr = "U: {float}",
     attr = "epsilon: float = 0.0001",
     attr = "exponential_avg_factor: float = 1.0",
     attr = "num_side_inputs: int >= 0 = 0",
     attr = "activation_mode: string = 'Identity'",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "is_training: bool = true",
     enums(data_format = DataFormat),
     shape = shape_fns::fused_batch_norm)]
pub struct _FusedBatchNormEx;

/// The gradient of `FusedBatchNorm`.
///
/// `y_backprop` and `x` have one shape; `scale`, the mean `reserve_space_1` and the variance `reserve_space_2` are
/// vectors as long as its channel axis. With `d = x - mean`, `r = 1 / sqrt(variance + epsilon)`, sums and means over
/// all values of a channel: `scale_backprop = r * sum(y_backprop * d)`, `offset_backprop = sum(y_backprop)`, and
/// `x_backprop = scale * r * (y_backprop - mean(y_backprop) - d * r^2 * mean(y_backprop * d))` with `is_training`,
/// `scale * r * y_backprop` without. The last two outputs are empty. Computed in f32, sums in f64.
#[op("FusedBatchNormGrad",
     input = "y_backprop: T",
     input = "x: T",
     input = "scale: T",
     input = "reserve_space_1: T",
     input = "reserve_space_2: T",
     output = "x_backprop: T",
     output = "scale_backprop: T",
     output = "offset_backprop: T",
     output = "reserve_space_3: T",
     output = "reserve_space_4: T",
     attr = "T: {float}",
     attr = "epsilon: float = 0.0001",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "is_training: bool = true",
     enums(data_format = DataFormat),
     shape = shape_fns::fused_batch_norm_grad)]
pub struct FusedBatchNormGrad;

/// The gradient of `FusedBatchNormV2`.
///
/// `y_backprop` and `x` have one shape; `scale`, the mean `reserve_space_1` and the variance `reserve_space_2` are
/// vectors as long as its channel axis. With `d = x - mean`, `r = 1 / sqrt(variance + epsilon)`, sums and means over
/// all values of a channel: `scale_backprop = r * sum(y_backprop * d)`, `offset_backprop = sum(y_backprop)`, and
/// `x_backprop = scale * r * (y_backprop - mean(y_backprop) - d * r^2 * mean(y_backprop * d))` with `is_training`,
/// `scale * r * y_backprop` without. The last two outputs are empty. Computed in f32, sums in f64.
#[op("FusedBatchNormGradV2",
     input = "y_backprop: T",
     input = "x: T",
     input = "scale: float",
     input = "reserve_space_1: U",
     input = "reserve_space_2: U",
     output = "x_backprop: T",
     output = "scale_backprop: U",
     output = "offset_backprop: U",
     output = "reserve_space_3: U",
     output = "reserve_space_4: U",
     attr = "T: {half, bfloat16, float}",
     attr = "U: {float}",
     attr = "epsilon: float = 0.0001",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "is_training: bool = true",
     enums(data_format = DataFormat),
     shape = shape_fns::fused_batch_norm_grad)]
pub struct FusedBatchNormGradV2;

/// The gradient of `FusedBatchNormV3`.
///
/// `y_backprop` and `x` have one shape; `scale`, the mean `reserve_space_1` and the variance `reserve_space_2` are
/// vectors as long as its channel axis. With `d = x - mean`, `r = 1 / sqrt(variance + epsilon)`, sums and means over
/// all values of a channel: `scale_backprop = r * sum(y_backprop * d)`, `offset_backprop = sum(y_backprop)`, and
/// `x_backprop = scale * r * (y_backprop - mean(y_backprop) - d * r^2 * mean(y_backprop * d))` with `is_training`,
/// `scale * r * y_backprop` without. The last two outputs are empty. `reserve_space_3` is not read. Computed in f32,
/// sums in f64.
#[op("FusedBatchNormGradV3",
     input = "y_backprop: T",
     input = "x: T",
     input = "scale: float",
     input = "reserve_space_1: U",
     input = "reserve_space_2: U",
     input = "reserve_space_3: U",
     output = "x_backprop: T",
     output = "scale_backprop: U",
     output = "offset_backprop: U",
     output = "reserve_space_4: U",
     output = "reserve_space_5: U",
     attr = "T: {half, bfloat16, float}",
     attr = "U: {float}",
     attr = "epsilon: float = 0.0001",
     attr = "data_format: {'NHWC', 'NCHW', 'NDHWC', 'NCDHW'} = 'NHWC'",
     attr = "is_training: bool = true",
     enums(data_format = ImageOrVolumeFormat),
     shape = shape_fns::fused_batch_norm_grad)]
pub struct FusedBatchNormGradV3;
