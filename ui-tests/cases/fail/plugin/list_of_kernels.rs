//! A kernel in the place of a library.

extern crate oplink_plugin as oplink;

use oplink_plugin::prelude::*;

#[op("PluginOp", input = "x: float", output = "y: float")]
pub struct PluginOp;

#[kernel(PluginOp, device = CPU)]
fn plugin_op(x: &Tensor) -> Tensor {
    x.clone()
}

plugin! { plugin_op }

fn main() {}
