//! A gradient of nothing.

use oplink::prelude::*;

#[gradient]
fn backward(_: &mut dyn Scope, _: &OpForGradient, dy: &[Output]) -> Result<Vec<Option<Output>>> {
    Ok(vec![Some(dy[0])])
}

fn main() {}
