//! An input of fixed type taken as another.

use oplink::prelude::*;
use oplink_ui_ops::UiConcat;

#[kernel(UiConcat, device = CPU, T = [f32])]
fn bad(axis: i64, values: Inputs<'_, f32>) -> ArrayD<f32> {
    let _ = (axis, values);
    ArrayD::zeros(vec![])
}

fn main() {}
