//! InOut without forward.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = [f32])]
fn bad(y: InOut<'_, f32>) {
    y.map(|x| x);
}

fn main() {}
