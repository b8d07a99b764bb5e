//! Pooling.

use oplink::prelude::*;
use oplink_ops::{
    AvgPool, AvgPool3D, AvgPool3DGrad, AvgPoolGrad, FractionalAvgPool, FractionalAvgPoolGrad, FractionalMaxPool,
    FractionalMaxPoolGrad, MaxPool, MaxPool3D, MaxPool3DGrad, MaxPool3DGradGrad, MaxPoolGrad, MaxPoolGradGrad,
    MaxPoolGradGradV2, MaxPoolGradV2, MaxPoolGradWithArgmax, MaxPoolV2, MaxPoolWithArgmax,
};

use crate::Gradients;
use crate::nodes::Nodes;

const WINDOW: &[&str] = &["ksize", "strides", "padding", "data_format"];

/// The gradient of a maximum, made by `G` of the input, the output and `dy`.
fn max<G: Op>(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output], attrs: &[&'static str]) -> Gradients {
    let n = Nodes::new(scope, op);
    Ok(vec![Some(n.like::<G>(op, [op.input(0), op.output(0), dy[0]], attrs)?[0])])
}

/// The gradient of a mean, made by `G` of the input's shape and `dy`.
fn average<G: Op>(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    Ok(vec![Some(n.like::<G>(op, [n.shape(op.input(0))?, dy[0]], WINDOW)?[0])])
}

#[gradient(FractionalMaxPool)]
fn fractional_max_pool(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let inputs = [op.input(0), op.output(0), dy[0], op.output(1), op.output(2)];
    Ok(vec![Some(n.like::<FractionalMaxPoolGrad>(op, inputs, &["overlapping"])?[0])])
}

#[gradient(FractionalAvgPool)]
fn fractional_avg_pool(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let shape = n.cast(n.shape(op.input(0))?, DType::Int32, DType::Int64)?;
    let inputs = [shape, dy[0], op.output(1), op.output(2)];
    Ok(vec![Some(n.like::<FractionalAvgPoolGrad>(op, inputs, &["overlapping"])?[0])])
}

#[gradient(MaxPool)]
fn max_pool(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    max::<MaxPoolGrad>(scope, op, dy, &["ksize", "strides", "padding", "explicit_paddings", "data_format"])
}

#[gradient(MaxPoolV2)]
fn max_pool_v2(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let inputs = [op.input(0), op.output(0), dy[0], op.input(1), op.input(2)];
    Ok(vec![Some(n.like::<MaxPoolGradV2>(op, inputs, &["padding", "data_format"])?[0]), None, None])
}

#[gradient(MaxPool3D)]
fn max_pool_3d(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    max::<MaxPool3DGrad>(scope, op, dy, WINDOW)
}

#[gradient(MaxPoolWithArgmax)]
fn max_pool_with_argmax(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let attrs = &["ksize", "strides", "padding", "include_batch_in_index"];
    let inputs = [op.input(0), dy[0], op.output(1)];
    Ok(vec![Some(n.like::<MaxPoolGradWithArgmax>(op, inputs, attrs)?[0])])
}

/// The gradient of the gradient of a maximum, by `G`, or of that one's. The maxima stay where they are: only the
/// gradient passed in changes the outcome.
fn of_max_gradient<G: Op>(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let (x, y) = (op.input(0), op.input(1));
    let by_gradient = n.like::<G>(op, [x, y, dy[0]], WINDOW)?[0];
    Ok(vec![Some(n.zeros(x)?), Some(n.zeros(y)?), Some(by_gradient)])
}

#[gradient(MaxPoolGrad)]
fn max_pool_grad(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    of_max_gradient::<MaxPoolGradGrad>(scope, op, dy)
}

#[gradient(MaxPoolGradGrad)]
fn max_pool_grad_grad(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    of_max_gradient::<MaxPoolGrad>(scope, op, dy)
}

#[gradient(MaxPool3DGrad)]
fn max_pool_3d_grad(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    of_max_gradient::<MaxPool3DGradGrad>(scope, op, dy)
}

#[gradient(MaxPool3DGradGrad)]
fn max_pool_3d_grad_grad(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    of_max_gradient::<MaxPool3DGrad>(scope, op, dy)
}

#[gradient(MaxPoolGradV2)]
fn max_pool_grad_v2(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let (x, y) = (op.input(0), op.input(1));
    let inputs = [x, y, dy[0], op.input(3), op.input(4)];
    let by_gradient = n.like::<MaxPoolGradGradV2>(op, inputs, &["padding", "data_format"])?[0];
    Ok(vec![Some(n.zeros(x)?), Some(n.zeros(y)?), Some(by_gradient), None, None])
}

#[gradient(AvgPool)]
fn avg_pool(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    average::<AvgPoolGrad>(scope, op, dy)
}

#[gradient(AvgPool3D)]
fn avg_pool_3d(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    average::<AvgPool3DGrad>(scope, op, dy)
}

#[gradient(AvgPoolGrad)]
fn avg_pool_grad(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    Ok(vec![None, Some(n.like::<AvgPool>(op, [dy[0]], WINDOW)?[0])])
}

#[gradient(AvgPool3DGrad)]
fn avg_pool_3d_grad(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    Ok(vec![None, Some(n.like::<AvgPool3D>(op, [dy[0]], WINDOW)?[0])])
}
