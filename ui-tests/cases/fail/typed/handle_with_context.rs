//! A handle beside the context.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = any)]
fn bad(x: Input<'_>, context: &mut KernelContext<'_>) {
    context.set_output(0, x.take());
}

fn main() {}
