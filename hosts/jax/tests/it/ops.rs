//! The ops that are called.

use oplink::prelude::*;

/// `z = x + y`, of one shape.
#[op("JaxAdd", input = "x: T", input = "y: T", output = "z: T", attr = "T: {float, int32}",
     shape = shape_fns::merge_inputs)]
pub struct JaxAdd;

#[kernel(JaxAdd, device = CPU, T = [f32, i32])]
pub(crate) fn jax_add<T: Element + std::ops::Add<Output = T> + Copy>(
    x: &Tensor,
    y: &Tensor,
    z: &mut Tensor,
) -> Result<()> {
    let (x, y) = (x.as_slice::<T>()?, y.as_slice::<T>()?);
    z.as_mut_slice::<T>()?.iter_mut().zip(x.iter().zip(y)).for_each(|(z, (&x, &y))| *z = x + y);
    Ok(())
}

#[gradient(JaxAdd)]
fn jax_add_gradient(_: &mut dyn Scope, _: &OpForGradient, dz: &[Output]) -> Result<Vec<Option<Output>>> {
    Ok(vec![Some(dz[0]), Some(dz[0])])
}

/// `y = x * scale`.
#[op("JaxScale", input = "x: T", output = "y: T", attr = "scale: float = 2.0", attr = "mode: {'plain', 'twice'} = 'plain'",
     attr = "T: {float, double}", shape = shape_fns::unchanged)]
pub struct JaxScale;

#[kernel(JaxScale, device = CPU, T = [f32, f64], forward(x => y))]
pub(crate) fn jax_scale<T: Float>(y: InOut<'_, T>, scale: f32, mode: &str) {
    let scale = T::from_f32(if mode == "twice" { 2.0 * scale } else { scale });
    y.map(|x| x * scale);
}

#[gradient(JaxScale)]
fn jax_scale_gradient(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Result<Vec<Option<Output>>> {
    Ok(vec![Some(JaxScale::builder().scale(op.attr("scale")?).build(scope, dy[0])?)])
}

/// As many zeros as the first element says.
#[op("JaxZeros", input = "count: float", output = "zeros: float")]
pub(crate) fn jax_zeros_shapes(c: &mut ShapeContext<'_>) -> Result<()> {
    let count = c.input_tensor(0).map(|count| count.as_slice::<f32>().map(|count| count[0] as usize)).transpose()?;
    c.set_output(0, PartialShape::new(&[count]));
    Ok(())
}

#[kernel(JaxZeros, device = CPU)]
pub(crate) fn jax_zeros(zeros: &mut Tensor) -> Result<()> {
    zeros.as_mut_slice::<f32>()?.fill(0.0);
    Ok(())
}

library! {
    pub OPS;
    ops::{JaxAdd, JaxScale, JaxZeros},
    kernels::{jax_add, jax_scale, jax_zeros},
    gradients::{jax_add_gradient, jax_scale_gradient},
}

use oplink_abi::xla_ffi::XLA_FFI_Handler;
use oplink_host_jax::{JaxPlugin, handler};
use oplink_hosts_common::HostedPlugin;

static HOSTED: HostedPlugin = HostedPlugin::new("jax-tests", "1.0", &[&OPS]);
static PLUGIN: JaxPlugin = JaxPlugin::new(&HOSTED, &[&OPS]);

/// The handler of the op of that name.
pub(crate) fn handler_of(name: &str) -> XLA_FFI_Handler {
    let position = HOSTED.table().unwrap().ops.iter().position(|op| op.descriptor.name == name);
    handler(&PLUGIN, position.unwrap()).unwrap()
}
