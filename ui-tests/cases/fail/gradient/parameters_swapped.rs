//! The parameters of a gradient in another order.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[gradient(UiRelu)]
fn backward(_: &OpForGradient, _: &mut dyn Scope, dy: &[Output]) -> Result<Vec<Option<Output>>> {
    Ok(vec![Some(dy[0])])
}

fn main() {}
