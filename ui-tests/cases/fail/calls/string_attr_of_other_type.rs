//! A string attr is given as a number.

use oplink::prelude::*;
use oplink_ui_ops::UiAttrs;

pub fn bad(x: &Tensor) -> Result<()> {
    UiAttrs::call(x, &[1, 1], 1)?;
    Ok(())
}

fn main() {}
