//! One tensor is given for the inputs of `N * T`.

use oplink::prelude::*;
use oplink_ui_ops::UiConcat;

pub fn bad(x: &Tensor) -> Result<Tensor> {
    UiConcat::call(0, x)
}

fn main() {}
