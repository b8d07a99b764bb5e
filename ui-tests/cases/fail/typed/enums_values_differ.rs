//! An enum with other values than the declared ones.

use oplink::prelude::*;

attr_enum! {
    /// What is added around an image.
    pub enum Padding { Same = "SAME", Full = "FULL" }
}

#[op("UiPad", input = "x: float", output = "y: float", attr = "padding: {'SAME', 'VALID'}", enums(padding = Padding))]
pub struct UiPad;

fn main() {}
