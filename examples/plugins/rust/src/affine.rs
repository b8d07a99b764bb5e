//! `OplinkAffine`: `y = x * scale + shift`, clipped to `bounds` where `mode` is `clip`. Shapes and dtypes are equal.

use oplink::call::{Arg, Call};
use oplink::prelude::*;

/// Scales and shifts: `y = x * scale + shift`. With `mode = "clip"`, `y` is then clipped to `bounds`, least and
/// greatest.
#[op(
    "OplinkAffine",
    input = "x: T",
    output = "y: T",
    attr = "scale: float = 1.0",
    attr = "shift: int = 0",
    attr = "mode: {'plain', 'clip'} = 'plain'",
    attr = "bounds: list(float) = []",
    attr = "T: {float, double}"
)]
pub fn oplink_affine(c: &mut ShapeContext<'_>) -> Result<()> {
    c.set_output(0, c.input(0).clone());
    let known = (c.attr_if_known::<&str>("mode")?, c.attr_if_known::<&[f32]>("bounds")?);
    if let (Some(mode), Some(bounds)) = known {
        check(mode, bounds)?;
    }
    Ok(())
}

/// Hosts that infer no shapes in eager calls leave it to the kernel.
fn check(mode: &str, bounds: &[f32]) -> Result<()> {
    ensure!(mode != "clip" || bounds.len() == 2, "mode 'clip' needs 2 bounds, there are {}", bounds.len());
    Ok(())
}

/// Takes the input's memory where nobody else needs it.
#[kernel(OplinkAffine, device = CPU, T = [f32, f64], forward(x => y))]
pub fn affine_cpu<T: Float>(y: InOut<'_, T>, scale: f32, shift: i64, mode: &str, bounds: &[f32]) -> Result<()> {
    check(mode, bounds)?;
    let number = |value: f64| T::from(value).unwrap_or_else(T::zero);
    let (scale, shift) = (number(f64::from(scale)), number(shift as f64));
    match (mode, bounds) {
        ("clip", &[least, greatest]) => {
            ensure!(least <= greatest, "the bounds {least} and {greatest} are in the wrong order");
            let (least, greatest) = (number(f64::from(least)), number(f64::from(greatest)));
            y.map(|x| (x * scale + shift).max(least).min(greatest));
        }
        _ => y.map(|x| x * scale + shift),
    }
    Ok(())
}

/// `dx = dy * scale`; where `y` is clipped, it is zero. Hosts that build gradients take it along, others pass it over.
#[gradient(OplinkAffine)]
pub fn affine_gradient(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Result<Vec<Option<Output>>> {
    let dx = OplinkAffine::builder().scale(op.attr("scale")?).build(scope, dy[0])?;
    if op.attr::<&str>("mode")? != "clip" {
        return Ok(vec![Some(dx)]);
    }
    let &[least, greatest] = op.attr::<&[f32]>("bounds")? else { bail!("mode 'clip' needs 2 bounds") };
    let bound = |value: f32| match op.input_dtype(0) {
        DType::Float => Tensor::scalar(value),
        _ => Tensor::scalar(f64::from(value)),
    };
    let (least, greatest) = (scope.constant(bound(least))?, scope.constant(bound(greatest))?);
    let above = node(scope, "Greater", &[op.output(0), least])?;
    let below = node(scope, "Less", &[op.output(0), greatest])?;
    let inside = node(scope, "LogicalAnd", &[above, below])?;
    let zeros = node(scope, "ZerosLike", &[dx])?;
    Ok(vec![Some(node(scope, "SelectV2", &[inside, dx, zeros])?)])
}

/// Adds a node of an op of the host.
fn node(scope: &mut dyn Scope, op: &'static str, inputs: &[Output]) -> Result<Output> {
    let inputs = inputs.iter().copied().map(Arg::One).collect();
    scope.add(Call { op, name: None, device: None, inputs, attrs: Vec::new() })?.one(0)
}
