//! Kernels on a host's memory, and what bindings ask, with ops of this crate and a host made of vectors.

extern crate oplink_api as oplink;

mod calls;
mod gradient;
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

/// `z = x * y`, of one shape.
#[op("HostProduct", input = "x: T", input = "y: T", output = "z: T", attr = "T: {float, double}",
     shape = shape_fns::merge_inputs)]
pub struct HostProduct;

#[kernel(HostProduct, device = CPU, T = [f32, f64], scalar)]
fn host_product<T: Float>(x: T, y: T) -> T {
    x * y
}

/// `dx = dz * y`, and `dy = dz * x`, the latter by an op that is not the crate's.
#[gradient(HostProduct)]
fn host_product_gradient(scope: &mut dyn Scope, op: &OpForGradient, dz: &[Output]) -> Result<Vec<Option<Output>>> {
    let dx = op.if_wanted(0, || HostProduct::builder().build(scope, dz[0], op.input(1)))?;
    let dy = op.if_wanted(1, || OtherProduct::builder().build(scope, dz[0], op.input(0)))?;
    Ok(vec![dx, dy])
}

/// An op of another crate, as far as the plugin knows.
#[op("OtherProduct", input = "x: T", input = "y: T", output = "z: T", attr = "T: {float, double}",
     shape = shape_fns::merge_inputs)]
pub struct OtherProduct;

#[kernel(OtherProduct, device = CPU, T = [f32, f64], scalar)]
fn other_product<T: Float>(x: T, y: T) -> T {
    x * y
}

/// `x` as often as it has elements: the gradient needs the shape.
#[op("HostTimesCount", input = "x: float", output = "y: float", shape = shape_fns::unchanged)]
pub struct HostTimesCount;

#[kernel(HostTimesCount, device = CPU)]
fn host_times_count(x: &Tensor, y: &mut Tensor) -> Result<()> {
    let count = x.num_elements() as f32;
    y.as_mut_slice::<f32>()?.iter_mut().zip(x.as_slice::<f32>()?).for_each(|(y, x)| *y = x * count);
    Ok(())
}

#[gradient(HostTimesCount)]
fn host_times_count_gradient(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Result<Vec<Option<Output>>> {
    let Some(count) = op.input_shape(0).num_elements() else { bail!("the shape is not known") };
    Ok(vec![Some(HostScale::builder().scale(count as f32).build(scope, dy[0])?)])
}

/// An op whose gradient function's name is taken.
#[op("HostTaken", input = "x: float", output = "y: float", shape = shape_fns::unchanged)]
pub struct HostTaken;

#[kernel(HostTaken, device = CPU)]
fn host_taken(x: &Tensor) -> Result<Tensor> {
    x.deep_copy()
}

#[gradient(HostTaken)]
fn host_taken_gradient(_: &mut dyn Scope, _: &OpForGradient, dy: &[Output]) -> Result<Vec<Option<Output>>> {
    Ok(vec![Some(dy[0])])
}

/// An op of the author's, with a name that a gradient's op would have.
#[op("HostTakenGrad", input = "x: float", output = "y: float", shape = shape_fns::unchanged)]
pub struct HostTakenGrad;

#[kernel(HostTakenGrad, device = CPU)]
fn host_taken_grad(x: &Tensor) -> Result<Tensor> {
    x.deep_copy()
}

library! {
    pub OPS;
    ops::{HostScale, HostFirst, HostPanic, HostKeep, HostProduct, HostTimesCount, HostTaken, HostTakenGrad},
    kernels::{
        host_scale, host_first, host_panic, host_keep, host_product, host_times_count, host_taken, host_taken_grad,
    },
    gradients::{host_scale_gradient, host_product_gradient, host_times_count_gradient, host_taken_gradient},
}

library! {
    pub FOR_GRADIENTS;
    ops::OtherProduct,
    kernels::other_product,
}
