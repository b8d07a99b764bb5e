//! An inherent impl.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = [f32])]
impl Bad {}

pub struct Bad;

fn main() {}
