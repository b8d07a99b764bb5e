//! An enum for an attr that has any text.

use oplink::prelude::*;

attr_enum! {
    /// What is added around an image.
    pub enum Padding { Same = "SAME", Full = "FULL" }
}

#[op("UiPad", input = "x: float", output = "y: float", attr = "padding: string", enums(padding = Padding))]
pub struct UiPad;

fn main() {}
