//! A build may leave out each device, so that nothing is left to list the kernel's descriptors.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = [#[cfg(unix)] CPU, #[cfg(windows)] GPU], T = [f32])]
fn bad<T: Number>(x: T) -> T {
    x
}

fn main() {}
