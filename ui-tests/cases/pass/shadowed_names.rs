//! Expansions do not see what the module calls its own things.
#![allow(dead_code, non_camel_case_types, unused)]

use oplink::prelude::{ArrayViewD, ArrayViewMutD, kernel, op, shape_fns};

struct Result;
struct Ok;
struct Err;
struct Some;
struct None;
struct Vec;
struct String;
struct Option;
struct Box;
struct Tensor;
mod core {}
mod std {}

#[op("Shadow", input = "x: T", output = "y: T", attr = "T: {float}", attr = "alpha: float = 1.0", shape = shape_fns::unchanged)]
pub struct Shadow;

#[kernel(Shadow, device = CPU, T = [f32])]
fn shadow(x: ArrayViewD<'_, f32>, mut y: ArrayViewMutD<'_, f32>, alpha: f32) {
    y.assign(&x);
}

fn main() {}
