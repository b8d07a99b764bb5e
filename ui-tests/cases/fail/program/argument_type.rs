//! A launch with a value of another type.

use oplink::prelude::*;

#[program(block = 64)]
fn copy(x: &[f32], y: &mut [f32], count: u32) {
    y[count as usize] = x[0];
}

fn bad(c: &KernelContext<'_>) -> Result<()> {
    copy::launch(c.device()?, [1, 1, 1], c.input(0), c.input(1), 1.0)
}

fn main() {}
