//! A gradient without the scope that its nodes go to.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[gradient(UiRelu)]
fn backward(_: &OpForGradient, dy: &[Output]) -> Result<Vec<Option<Output>>> {
    Ok(vec![Some(dy[0])])
}

fn main() {}
