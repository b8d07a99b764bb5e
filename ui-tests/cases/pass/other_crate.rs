//! Kernels for ops of another crate, by import and by path, for several type attrs.
#![allow(unreachable_pub, clippy::wrong_self_convention, reason = "the code of users, as they write it")]

use oplink::prelude::*;
use oplink_ui_ops::UiCast;

#[kernel(UiCast, device = CPU, SrcT = [f32, i32], DstT = [f32])]
fn to_float<SrcT: Number + num::AsF32>(x: ArrayViewD<'_, SrcT>) -> ArrayD<f32> {
    x.mapv(num::AsF32::as_f32)
}

#[kernel(UiCast, device = CPU, SrcT = [f32, i32], DstT = [i32])]
fn to_int(c: &mut KernelContext) -> Result<()> {
    let _ = c;
    Ok(())
}

#[kernel(oplink_ui_ops::UiConcat, device = CPU, T = [floats, i32], host_memory = [axis], priority = 1)]
fn concat(axis: i32, values: &[Tensor]) -> Result<Tensor> {
    let _ = axis;
    Ok(values[0].clone())
}

#[kernel(oplink_ui_ops::UiRelu, device = CPU, T = [f32], label = "fast", forward(x => y))]
fn relu(y: InOut<'_, f32>) {
    y.map(|x| x.max(0.0));
}

#[kernel(oplink_ui_ops::UiAttrs, device = "CUSTOM")]
fn attrs(x: ArrayView2<'_, f32>, strides: &[i64], padding: &str, keep: bool, alpha: f32) -> Result<(Array2<f32>, i64)> {
    let _ = (strides, padding, keep);
    Ok((&x * alpha, x.len() as i64))
}

mod num {
    pub trait AsF32 {
        fn as_f32(self) -> f32;
    }
    impl AsF32 for f32 {
        fn as_f32(self) -> f32 {
            self
        }
    }
    impl AsF32 for i32 {
        fn as_f32(self) -> f32 {
            self as f32
        }
    }
}

fn main() {}
