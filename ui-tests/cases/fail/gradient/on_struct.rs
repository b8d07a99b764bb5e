//! A gradient that is a struct.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[gradient(UiRelu)]
pub struct Backward;

fn main() {}
