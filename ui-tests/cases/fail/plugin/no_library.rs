//! A plugin of an op in place of a list.

extern crate oplink_plugin as oplink;

use oplink_plugin::prelude::*;

#[op("PluginOp", input = "x: float", output = "y: float")]
pub struct PluginOp;

plugin! { PluginOp }

fn main() {}
