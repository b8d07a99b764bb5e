//! A generic parameter that is no type attr.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = [f32])]
fn bad<U: Element>(x: ArrayViewD<'_, U>, y: ArrayViewMutD<'_, U>) {
    let _ = (x, y);
}

fn main() {}
