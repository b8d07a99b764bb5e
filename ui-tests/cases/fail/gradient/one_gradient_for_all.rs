//! A gradient takes the gradient of its one output.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[gradient(UiRelu)]
fn backward(_: &mut dyn Scope, _: &OpForGradient, dy: Output) -> Result<Vec<Option<Output>>> {
    Ok(vec![Some(dy)])
}

fn main() {}
