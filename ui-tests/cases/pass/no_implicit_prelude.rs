//! Expansions name everything by absolute paths.
#![no_implicit_prelude]

use ::oplink::{Inputs, KernelContext, Result, kernel, op};

#[op("Bare", input = "x: T", input = "more: N * T", output = "y: T", attr = "N: int >= 1", attr = "T: {float, int32}",
     attr = "alpha: float = 1.0", attr = "names: list(string) = []", shape = ::oplink::shape_fns::unchanged)]
pub struct Bare;

#[kernel(Bare, device = CPU, T = [f32, i32])]
fn bare<T: ::oplink::Element>(x: &::oplink::Tensor, more: Inputs<'_, T>, alpha: f32) -> ::oplink::Tensor {
    let _ = (more, alpha);
    ::std::clone::Clone::clone(x)
}

#[op("BareShape", input = "x: float", output = "y: float", output = "z: float")]
fn bare_shape(c: &mut ::oplink::ShapeContext<'_>) -> Result<()> {
    let _ = c;
    ::std::result::Result::Ok(())
}

#[kernel(BareShape, device = CPU)]
fn bare_shape_cpu(c: &mut KernelContext<'_>) -> Result<()> {
    let _ = c;
    ::std::result::Result::Ok(())
}

fn main() {}
