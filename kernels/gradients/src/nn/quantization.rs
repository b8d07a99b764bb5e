//! Quantization that stays in floating point: gradients pass through the rounding.

use oplink::prelude::*;
use oplink_ops::{
    FakeQuantWithMinMaxArgs, FakeQuantWithMinMaxArgsGradient, FakeQuantWithMinMaxVars, FakeQuantWithMinMaxVarsGradient,
    FakeQuantWithMinMaxVarsPerChannel, FakeQuantWithMinMaxVarsPerChannelGradient, QuantizeAndDequantize,
    QuantizeAndDequantizeV2, QuantizeAndDequantizeV3, QuantizeAndDequantizeV4, QuantizeAndDequantizeV4Grad,
};

use crate::Gradients;
use crate::nodes::Nodes;

#[gradient(FakeQuantWithMinMaxArgs)]
fn fake_quant_args(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let attrs = ["min", "max", "num_bits", "narrow_range"];
    Ok(vec![Some(n.like::<FakeQuantWithMinMaxArgsGradient>(op, [dy[0], op.input(0)], &attrs)?[0])])
}

#[gradient(FakeQuantWithMinMaxVars)]
fn fake_quant_vars(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let inputs = [dy[0], op.input(0), op.input(1), op.input(2)];
    let found = n.like::<FakeQuantWithMinMaxVarsGradient>(op, inputs, &["num_bits", "narrow_range"])?;
    Ok(found.into_iter().map(Some).collect())
}

#[gradient(FakeQuantWithMinMaxVarsPerChannel)]
fn fake_quant_vars_per_channel(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let inputs = [dy[0], op.input(0), op.input(1), op.input(2)];
    let found = n.like::<FakeQuantWithMinMaxVarsPerChannelGradient>(op, inputs, &["num_bits", "narrow_range"])?;
    Ok(found.into_iter().map(Some).collect())
}

#[gradient(QuantizeAndDequantize)]
fn quantize_and_dequantize(_: &mut dyn Scope, _: &OpForGradient, dy: &[Output]) -> Gradients {
    Ok(vec![Some(dy[0])])
}

#[gradient(QuantizeAndDequantizeV2)]
fn quantize_and_dequantize_v2(_: &mut dyn Scope, _: &OpForGradient, dy: &[Output]) -> Gradients {
    Ok(vec![Some(dy[0]), None, None])
}

#[gradient(QuantizeAndDequantizeV3)]
fn quantize_and_dequantize_v3(_: &mut dyn Scope, _: &OpForGradient, dy: &[Output]) -> Gradients {
    Ok(vec![Some(dy[0]), None, None, None])
}

#[gradient(QuantizeAndDequantizeV4)]
fn quantize_and_dequantize_v4(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let inputs = [dy[0], op.input(0), op.input(1), op.input(2)];
    Ok(n.like::<QuantizeAndDequantizeV4Grad>(op, inputs, &["axis"])?.into_iter().map(Some).collect())
}
