//! A gradient of a type that is no op.

use oplink::prelude::*;

pub struct Plain;

#[gradient(Plain)]
fn backward(_: &mut dyn Scope, _: &OpForGradient, dy: &[Output]) -> Result<Vec<Option<Output>>> {
    Ok(vec![Some(dy[0])])
}

fn main() {}
