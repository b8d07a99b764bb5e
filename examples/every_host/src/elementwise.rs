//! Ops on each element.

use oplink::prelude::*;
use oplink_ops::{Mul, Square, Sub};

/// `z = x + y`, of one shape.
#[op("PlainAdd", is(elementwise), input = "x: T", input = "y: T", output = "z: T",
     attr = "T: {half, bfloat16, float, double, int8, int32, int64, uint8, complex64}", shape = shape_fns::merge_inputs)]
pub struct PlainAdd;

#[kernel(PlainAdd, device = CPU, T = [f16, bf16, f32, f64, i8, i32, i64, u8, Complex<f32>])]
pub fn plain_add<T: Element + std::ops::Add<Output = T> + Copy>(x: &Tensor, y: &Tensor, z: &mut Tensor) -> Result<()> {
    ensure!(x.shape() == y.shape(), "x is of the shape {}, y of {}", x.shape(), y.shape());
    let (x, y) = (x.as_slice::<T>()?, y.as_slice::<T>()?);
    z.as_mut_slice::<T>()?.iter_mut().zip(x.iter().zip(y)).for_each(|(z, (&x, &y))| *z = x + y);
    Ok(())
}

#[gradient(PlainAdd)]
pub fn plain_add_gradient(_: &mut dyn Scope, _: &OpForGradient, dz: &[Output]) -> Result<Vec<Option<Output>>> {
    Ok(vec![Some(dz[0]), Some(dz[0])])
}

/// `y = x * scale + shift`; with `mode = "clip"`, clipped to `bounds`, least and greatest.
#[op(
    "ScaleShift",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "scale: float = 1.0",
    attr = "shift: int = 0",
    attr = "mode: {'plain', 'clip'} = 'plain'",
    attr = "bounds: list(float) = []",
    attr = "T: {float, double}"
)]
pub fn scale_shift_shapes(c: &mut ShapeContext<'_>) -> Result<()> {
    c.set_output(0, c.input(0).clone());
    let known = (c.attr_if_known::<&str>("mode")?, c.attr_if_known::<&[f32]>("bounds")?);
    if let (Some("clip"), Some(bounds)) = known {
        ensure!(bounds.len() == 2, "mode 'clip' needs 2 bounds, there are {}", bounds.len());
    }
    Ok(())
}

#[kernel(ScaleShift, device = CPU, T = [f32, f64], forward(x => y))]
pub fn scale_shift<T: Float>(y: InOut<'_, T>, scale: f32, shift: i64, mode: &str, bounds: &[f32]) -> Result<()> {
    let number = |value: f64| T::from(value).unwrap_or_else(T::zero);
    let (scale, shift) = (number(f64::from(scale)), number(shift as f64));
    match (mode, bounds) {
        ("clip", &[least, greatest]) => {
            let (least, greatest) = (number(f64::from(least)), number(f64::from(greatest)));
            y.map(|x| (x * scale + shift).max(least).min(greatest));
        }
        ("clip", _) => bail!("mode 'clip' needs 2 bounds, there are {}", bounds.len()),
        _ => y.map(|x| x * scale + shift),
    }
    Ok(())
}

/// `dx = dy * scale`. Where `y` is clipped there is no gradient here.
#[gradient(ScaleShift)]
pub fn scale_shift_gradient(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Result<Vec<Option<Output>>> {
    ensure!(op.attr::<&str>("mode")? == "plain", "ScaleShift has a gradient in the mode 'plain' only");
    Ok(vec![Some(ScaleShift::builder().scale(op.attr("scale")?).build(scope, dy[0])?)])
}

/// `y = tanh(x)`: a formula, so that chains of such ops are one loop in oplink, and `vmap` is one call.
#[op("Squash", input = "x: T", output = "y: T", attr = "T: {half, bfloat16, float, double}",
     shape = shape_fns::unchanged)]
pub struct Squash;

#[kernel(Squash, device = CPU, scalar, T = [f32, f64])]
pub fn squash<T: Float>(x: T) -> T {
    x.tanh()
}

/// `dx = dy - dy * y * y`, of ops of TensorFlow that the crate lists for its gradients.
#[gradient(Squash)]
pub fn squash_gradient(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Result<Vec<Option<Output>>> {
    let squared = Square::builder().build(scope, op.output(0))?;
    let lost = Mul::builder().build(scope, dy[0], squared)?;
    Ok(vec![Some(Sub::builder().build(scope, dy[0], lost)?)])
}
