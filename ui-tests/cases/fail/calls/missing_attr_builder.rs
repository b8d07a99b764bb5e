//! An attr that every call has to give is left out of the builder.

use oplink::prelude::*;
use oplink_ui_ops::UiAttrs;

pub fn bad(x: &Tensor) -> Result<()> {
    UiAttrs::builder(&[1, 1]).alpha(0.5).call(x)?;
    Ok(())
}

fn main() {}
