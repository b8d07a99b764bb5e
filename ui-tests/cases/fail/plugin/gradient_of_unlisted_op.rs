//! A gradient of an op that the plugin's libraries do not list.

extern crate oplink_plugin as oplink;

use oplink::prelude::*;

/// An op that the library leaves out.
#[op("UiUnlisted", input = "x: float", output = "y: float", shape = shape_fns::unchanged)]
pub struct UiUnlisted;

#[gradient(UiUnlisted)]
fn ui_unlisted_gradient(_: &mut dyn Scope, _: &OpForGradient, dy: &[Output]) -> Result<Vec<Option<Output>>> {
    Ok(vec![Some(dy[0])])
}

library! { pub UI_OPS; gradients::{ui_unlisted_gradient} }

plugin! { UI_OPS }

fn main() {}
