//! A graph function is given the graph by value.

use oplink::prelude::*;
use oplink_ui_ops::ui_relu;

pub fn bad(scope: &dyn Scope, x: Output) -> Result<Output> {
    ui_relu(scope, x)
}

fn main() {}
