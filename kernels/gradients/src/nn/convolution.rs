//! Convolutions and dilations.

use oplink::prelude::*;
use oplink_ops::{
    Conv2D, Conv2DBackpropFilter, Conv2DBackpropInput, Conv3D, Conv3DBackpropFilterV2, Conv3DBackpropInputV2,
    DepthwiseConv2dNative, DepthwiseConv2dNativeBackpropFilter, DepthwiseConv2dNativeBackpropInput, Dilation2D,
    Dilation2DBackpropFilter, Dilation2DBackpropInput,
};

use crate::Gradients;
use crate::nodes::Nodes;

const CONV_2D: &[&str] = &["strides", "padding", "explicit_paddings", "use_cudnn_on_gpu", "data_format", "dilations"];
const DEPTHWISE: &[&str] = &["strides", "padding", "explicit_paddings", "data_format", "dilations"];
const CONV_3D: &[&str] = &["strides", "padding", "data_format", "dilations"];
const DILATION: &[&str] = &["strides", "rates", "padding"];

/// The gradients of a convolution by its input, made by `I`, and by its filter, made by `F`.
fn convolution<I: Op, F: Op>(
    scope: &mut dyn Scope,
    op: &OpForGradient,
    dy: &[Output],
    attrs: &[&'static str],
) -> Gradients {
    let n = Nodes::new(scope, op);
    let (x, filter) = (op.input(0), op.input(1));
    let by_x = op.if_wanted(0, || Ok(n.like::<I>(op, [n.shape(x)?, filter, dy[0]], attrs)?[0]))?;
    let by_filter = op.if_wanted(1, || Ok(n.like::<F>(op, [x, n.shape(filter)?, dy[0]], attrs)?[0]))?;
    Ok(vec![by_x, by_filter])
}

#[gradient(Conv2D)]
fn conv_2d(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    convolution::<Conv2DBackpropInput, Conv2DBackpropFilter>(scope, op, dy, CONV_2D)
}

#[gradient(DepthwiseConv2dNative)]
fn depthwise(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    type Input = DepthwiseConv2dNativeBackpropInput;
    convolution::<Input, DepthwiseConv2dNativeBackpropFilter>(scope, op, dy, DEPTHWISE)
}

#[gradient(Conv3D)]
fn conv_3d(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    convolution::<Conv3DBackpropInputV2, Conv3DBackpropFilterV2>(scope, op, dy, CONV_3D)
}

#[gradient(Dilation2D)]
fn dilation_2d(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let inputs = [op.input(0), op.input(1), dy[0]];
    let by_x = n.like::<Dilation2DBackpropInput>(op, inputs, DILATION)?[0];
    Ok(vec![Some(by_x), Some(n.like::<Dilation2DBackpropFilter>(op, inputs, DILATION)?[0])])
}

/// The gradients of a gradient by the input: by the filter, made by `F`, and by what went back, the convolution `C`.
fn of_backprop_input<F: Op, C: Op>(
    scope: &mut dyn Scope,
    op: &OpForGradient,
    dy: &[Output],
    attrs: &[&'static str],
) -> Gradients {
    let n = Nodes::new(scope, op);
    let (filter, inner) = (op.input(1), op.input(2));
    let by_filter = n.like::<F>(op, [dy[0], n.shape(filter)?, inner], attrs)?[0];
    Ok(vec![None, Some(by_filter), Some(n.like::<C>(op, [dy[0], filter], attrs)?[0])])
}

/// The gradients of a gradient by the filter: by the input, made by `I`, and by what went back, the convolution `C`.
fn of_backprop_filter<I: Op, C: Op>(
    scope: &mut dyn Scope,
    op: &OpForGradient,
    dy: &[Output],
    attrs: &[&'static str],
) -> Gradients {
    let n = Nodes::new(scope, op);
    let (x, inner) = (op.input(0), op.input(2));
    let by_x = n.like::<I>(op, [n.shape(x)?, dy[0], inner], attrs)?[0];
    Ok(vec![Some(by_x), None, Some(n.like::<C>(op, [x, dy[0]], attrs)?[0])])
}

#[gradient(Conv2DBackpropInput)]
fn conv_2d_backprop_input(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    of_backprop_input::<Conv2DBackpropFilter, Conv2D>(scope, op, dy, CONV_2D)
}

#[gradient(Conv2DBackpropFilter)]
fn conv_2d_backprop_filter(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    of_backprop_filter::<Conv2DBackpropInput, Conv2D>(scope, op, dy, CONV_2D)
}

#[gradient(DepthwiseConv2dNativeBackpropInput)]
fn depthwise_backprop_input(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    of_backprop_input::<DepthwiseConv2dNativeBackpropFilter, DepthwiseConv2dNative>(scope, op, dy, DEPTHWISE)
}

#[gradient(DepthwiseConv2dNativeBackpropFilter)]
fn depthwise_backprop_filter(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    of_backprop_filter::<DepthwiseConv2dNativeBackpropInput, DepthwiseConv2dNative>(scope, op, dy, DEPTHWISE)
}

#[gradient(Conv3DBackpropInputV2)]
fn conv_3d_backprop_input(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    of_backprop_input::<Conv3DBackpropFilterV2, Conv3D>(scope, op, dy, CONV_3D)
}

#[gradient(Conv3DBackpropFilterV2)]
fn conv_3d_backprop_filter(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    of_backprop_filter::<Conv3DBackpropInputV2, Conv3D>(scope, op, dy, CONV_3D)
}
