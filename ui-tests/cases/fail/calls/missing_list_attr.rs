//! An attr in the middle is left out.

use oplink::prelude::*;
use oplink_ui_ops::UiAttrs;

pub fn bad(x: &Tensor) -> Result<()> {
    UiAttrs::call(x, "SAME")?;
    Ok(())
}

fn main() {}
