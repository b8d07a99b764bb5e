//! An attr that the graph function has to be given is left out.

use oplink::prelude::*;
use oplink_ui_ops::ui_attrs;

pub fn bad(scope: &mut dyn Scope, x: Output) -> Result<()> {
    ui_attrs(scope, x, &[1, 1])?;
    Ok(())
}

fn main() {}
