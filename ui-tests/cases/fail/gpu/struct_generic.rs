//! A generic struct.

use oplink::prelude::*;

#[device_struct]
#[derive(Clone, Copy)]
struct Window<const N: usize> {
    size: u32,
}

fn main() {}
