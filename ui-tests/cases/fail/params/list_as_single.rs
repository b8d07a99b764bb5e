//! An `N * T` input taken as one view.

use oplink::prelude::*;
use oplink_ui_ops::UiConcat;

#[kernel(UiConcat, device = CPU, T = [f32])]
fn bad(values: ArrayViewD<'_, f32>) -> ArrayD<f32> {
    values.to_owned()
}

fn main() {}
