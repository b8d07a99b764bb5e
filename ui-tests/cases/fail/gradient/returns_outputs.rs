//! A gradient returns its outputs without `Some`.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[gradient(UiRelu)]
fn backward(_: &mut dyn Scope, _: &OpForGradient, dy: &[Output]) -> Result<Vec<Output>> {
    Ok(vec![dy[0]])
}

fn main() {}
