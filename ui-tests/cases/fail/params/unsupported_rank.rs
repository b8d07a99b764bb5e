//! A rank that views do not have.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = [f32])]
fn bad(x: ndarray_like::ArrayView9<'_, f32>, y: ArrayViewMutD<'_, f32>) {
    let _ = (x, y);
}

mod ndarray_like {
    pub struct ArrayView9<'a, T>(pub &'a T);
}

fn main() {}
