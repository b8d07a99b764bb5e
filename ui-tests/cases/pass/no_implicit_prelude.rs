//! Expansions name everything by absolute paths.
#![no_implicit_prelude]

use ::oplink::{Inputs, KernelContext, OpForGradient, Output, Result, Scope, gradient, kernel, library, op};

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

#[op("BareConstant", no_gradient, input = "x: float", output = "y: float", shape = ::oplink::shape_fns::unchanged)]
pub struct BareConstant;

#[gradient(Bare)]
fn bare_gradient(
    _: &mut dyn Scope,
    op: &OpForGradient,
    dy: &[Output],
) -> Result<::std::vec::Vec<::std::option::Option<Output>>> {
    let given = ::std::iter::Iterator::map(op.inputs().iter(), |_| ::std::option::Option::Some(dy[0]));
    ::std::result::Result::Ok(::std::iter::Iterator::collect(given))
}

library! { BARE; ops::{Bare, BareConstant}, kernels::bare, gradients::bare_gradient }

fn main() {
    ::std::assert_eq!(BARE.gradients[0].op, "Bare");
    ::std::assert!(BARE.ops[1].no_gradient && !BARE.ops[0].no_gradient);
}
