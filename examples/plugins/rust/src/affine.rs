//! `OplinkAffine`: `y = x * scale + shift`, clipped to `bounds` where `mode` is `clip`. Shapes and dtypes are equal.

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
