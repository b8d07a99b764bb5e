//! A field of a struct that no launch passes.

use oplink::prelude::*;

#[device_struct]
#[derive(Clone, Copy)]
struct Window {
    size: usize,
}

fn main() {}
