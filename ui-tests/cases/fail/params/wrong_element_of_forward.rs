//! A forwarded pair is taken with another element type.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = [f32], forward(x => y))]
fn bad(y: InOut<'_, f64>) {
    y.map(|y| y);
}

fn main() {}
