//! An input is left out of a call.

use oplink::prelude::*;
use oplink_ui_ops::UiConcat;

pub fn bad() -> Result<Tensor> {
    UiConcat::call(0)
}

fn main() {}
