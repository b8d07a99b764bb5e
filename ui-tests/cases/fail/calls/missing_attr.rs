//! An attr that a call has to give is left out.

use oplink::prelude::*;
use oplink_ui_ops::UiAttrs;

pub fn bad(x: &Tensor) -> Result<()> {
    UiAttrs::call(x, &[1, 1])?;
    Ok(())
}

fn main() {}
