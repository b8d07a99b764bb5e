//! A key of kernels.

use oplink::prelude::*;

#[gradient(oplink_ui_ops::UiRelu, device = CPU)]
fn backward(_: &mut dyn Scope, _: &OpForGradient, dy: &[Output]) -> Result<Vec<Option<Output>>> {
    Ok(vec![Some(dy[0])])
}

fn main() {}
