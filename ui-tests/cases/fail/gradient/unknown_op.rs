//! A gradient of an op that is not declared.

use oplink::prelude::*;

#[gradient(oplink_ui_ops::UiRelo)]
fn backward(_: &mut dyn Scope, _: &OpForGradient, dy: &[Output]) -> Result<Vec<Option<Output>>> {
    Ok(vec![Some(dy[0])])
}

fn main() {}
