//! A method of a struct.

use oplink::prelude::*;

#[device_struct]
#[derive(Clone, Copy)]
struct Axis {
    extent: u32,
}

impl Axis {
    fn double(self) -> u32 {
        self.extent * 2
    }
}

#[program(block = 64)]
fn bad(y: &mut [u32], axis: Axis) {
    y[0] = axis.double();
}

fn main() {}
