//! The bound of the generic parameter is not that of a listed type.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = [f32, i32])]
fn bad<T: Float>(x: ArrayViewD<'_, T>, y: ArrayViewMutD<'_, T>) {
    let _ = (x, y);
}

fn main() {}
