//! A struct without `#[device_struct]`.

use oplink::prelude::*;

#[derive(Clone, Copy)]
struct Axis {
    extent: u32,
}

#[program(block = 64)]
fn bad(y: &mut [u32], axis: Axis) {
    y[0] = axis.extent;
}

fn main() {}
