//! An attr that a call has to give is left out; the op is of the same crate.

use oplink::prelude::*;

#[op("UiWindow", input = "x: float", output = "y: float", attr = "strides: list(int)", attr = "padding: {'SAME', 'VALID'}")]
pub struct UiWindow;

pub fn bad(x: &Tensor) -> Result<Tensor> {
    UiWindow::call(x, &[1, 1])
}

fn main() {}
