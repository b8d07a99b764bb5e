//! An attribute before a device that is no `#[cfg(…)]`.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = [CPU, #[inline] GPU], T = [f32])]
fn bad<T: Number>(x: T) -> T {
    x
}

fn main() {}
