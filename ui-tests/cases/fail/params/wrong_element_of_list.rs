//! A list of inputs is taken with another element type.

use oplink::prelude::*;
use oplink_ui_ops::UiConcat;

#[kernel(UiConcat, device = CPU, T = [f32])]
fn bad(values: Inputs<'_, f64>) -> ArrayD<f32> {
    let _ = values;
    ArrayD::zeros(vec![])
}

fn main() {}
