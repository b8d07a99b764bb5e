//! Two enums for one attr.

use oplink::prelude::*;

attr_enum! {
    /// What is added around an image.
    pub enum Padding { Same = "SAME", Full = "FULL" }
}

#[op("UiPad", input = "x: float", output = "y: float", attr = "padding: {'SAME', 'FULL'}",
     enums(padding = Padding, padding = Padding))]
pub struct UiPad;

fn main() {}
