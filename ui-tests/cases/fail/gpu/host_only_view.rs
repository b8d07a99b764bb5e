//! A view, for a GPU too.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = [CPU, GPU], T = [f32])]
fn bad(x: ArrayView1<'_, f32>) -> Array1<f32> {
    x.to_owned()
}

fn main() {}
