//! A kernel is a function or an impl.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = [f32])]
pub struct Bad;

fn main() {}
