//! An impl of another trait.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = [f32])]
impl Default for Bad {
    fn default() -> Self {
        Bad
    }
}

pub struct Bad;

fn main() {}
