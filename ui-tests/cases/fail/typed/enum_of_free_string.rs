//! An enum for an attr that has any text.

use oplink::prelude::*;

attr_enum! {
    /// What is added around an image.
    pub enum Padding { Same = "SAME", Full = "FULL" }
}

#[op("UiText", input = "x: float", output = "y: float", attr = "text: string = ''")]
pub struct UiText;

#[kernel(UiText, device = CPU)]
fn bad(x: &Tensor, text: Padding) -> Tensor {
    let _ = text;
    x.clone()
}

fn main() {}
