//! Kernels on a host's memory, and what bindings ask, with ops of this crate and a host made of vectors.

extern crate oplink_api as oplink;

mod host;
mod query;
mod run;

use oplink::prelude::*;

/// `y = x * scale`, in the input's memory where that can be had.
#[op("HostScale", input = "x: T", output = "y: T", attr = "scale: float = 2.0", attr = "T: {float, double}",
     shape = shape_fns::unchanged)]
pub struct HostScale;

#[kernel(HostScale, device = CPU, T = [f32, f64], forward(x => y))]
fn host_scale<T: Float>(y: InOut<'_, T>, scale: f32) {
    let scale = T::from_f32(scale);
    y.map(|x| x * scale);
}

#[gradient(HostScale)]
fn host_scale_gradient(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Result<Vec<Option<Output>>> {
    Ok(vec![Some(HostScale::builder().scale(op.attr("scale")?).build(scope, dy[0])?)])
}

/// The first input, and how many there are.
#[op(
    "HostFirst",
    input = "xs: N * T",
    output = "first: T",
    output = "count: int64",
    attr = "N: int >= 1",
    attr = "T: type"
)]
pub fn host_first_shapes(c: &mut ShapeContext<'_>) -> Result<()> {
    c.set_output(0, c.input(0).clone());
    c.set_output(1, PartialShape::scalar());
    Ok(())
}

#[kernel(HostFirst, device = CPU, T = any)]
fn host_first(xs: &[Tensor]) -> (Tensor, i64) {
    (xs[0].clone(), xs.len() as i64)
}

/// Panics.
#[op("HostPanic", input = "x: float", output = "y: float", attr = "names: list(string) = ['a']")]
pub struct HostPanic;

#[kernel(HostPanic, device = CPU)]
fn host_panic(x: &Tensor) -> Tensor {
    panic!("{} elements", x.num_elements())
}

/// Keeps its input beyond its run.
#[op("HostKeep", input = "x: float", output = "y: float", shape = shape_fns::unchanged)]
pub struct HostKeep;

static KEPT: std::sync::Mutex<Option<Tensor>> = std::sync::Mutex::new(None);

#[kernel(HostKeep, device = CPU)]
fn host_keep(x: &Tensor) -> Result<Tensor> {
    *KEPT.lock().unwrap() = Some(x.clone());
    x.deep_copy()
}

library! {
    pub OPS;
    ops::{HostScale, HostFirst, HostPanic, HostKeep},
    kernels::{host_scale, host_first, host_panic, host_keep},
    gradients::host_scale_gradient,
}
