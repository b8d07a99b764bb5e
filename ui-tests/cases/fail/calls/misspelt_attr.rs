//! An optional attr is misspelt.

use oplink::prelude::*;
use oplink_ui_ops::UiAttrs;

pub fn bad(x: &Tensor) -> Result<()> {
    UiAttrs::builder(&[1, 1], "SAME").alhpa(0.5).call(x)?;
    Ok(())
}

fn main() {}
