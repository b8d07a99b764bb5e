//! A plugin in a crate without unsafe code; in a program it does nothing.
#![forbid(unsafe_code)]
#![deny(warnings)]

extern crate oplink_plugin as oplink;

use oplink::prelude::*;

/// Adds one.
#[op("UiPlugin", input = "x: float", output = "y: float", shape = shape_fns::unchanged)]
pub struct UiPlugin;

#[kernel(UiPlugin, device = CPU)]
fn ui_plugin(x: f32) -> f32 {
    x + 1.0
}

library! { pub UI_OPS; ops::UiPlugin, kernels::ui_plugin }

plugin! { UI_OPS }

fn main() {
    assert_eq!(UI_OPS.kernels.len(), 1);
}
