//! A list attr is given as one number.

use oplink::prelude::*;
use oplink_ui_ops::UiAttrs;

pub fn bad(x: &Tensor) -> Result<()> {
    UiAttrs::call(x, 1, "SAME")?;
    Ok(())
}

fn main() {}
