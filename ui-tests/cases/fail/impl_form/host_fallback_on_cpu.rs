//! A kernel of the host that falls back to the host's.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

pub struct Bad;

#[kernel(UiRelu, device = CPU, T = [f32])]
impl HostFallback for Bad {}

fn main() {}
