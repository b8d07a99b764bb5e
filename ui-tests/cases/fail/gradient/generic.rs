//! A gradient with a type parameter.

use oplink::prelude::*;

#[gradient(oplink_ui_ops::UiRelu)]
fn backward<T: Float>(_: &mut dyn Scope, _: &OpForGradient, dy: &[Output]) -> Result<Vec<Option<Output>>> {
    Ok(vec![Some(dy[0])])
}

fn main() {}
