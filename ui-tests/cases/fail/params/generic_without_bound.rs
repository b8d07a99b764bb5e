//! The generic parameter has no bound.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = [f32, f64])]
fn bad<T>(x: ArrayViewD<'_, T>, y: ArrayViewMutD<'_, T>) {
    let _ = (x, y);
}

fn main() {}
