//! The op of a gradient is a string.

use oplink::prelude::*;

#[gradient("UiRelu")]
fn backward(_: &mut dyn Scope, _: &OpForGradient, dy: &[Output]) -> Result<Vec<Option<Output>>> {
    Ok(vec![Some(dy[0])])
}

fn main() {}
