//! A kernel is a method.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

pub struct Scaling;

impl Scaling {
    #[kernel(UiRelu, device = CPU, T = [f32])]
    fn bad(&self, x: ArrayViewD<'_, f32>) -> ArrayD<f32> {
        x.to_owned()
    }
}

fn main() {}
