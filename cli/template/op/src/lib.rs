//! Ops of this crate. Each is declared by `#[op]`, and computed by a `#[kernel]` for every device that it runs on.

use oplink::prelude::*;

/// `y = x * scale + shift`, elementwise.
#[op("ScaleShift", input = "x: T", input = "scale: T", output = "y: T", attr = "shift: float = 0.0",
     attr = "T: {float, int32}", shape = shape_fns::unchanged)]
pub struct ScaleShift;

/// In place, where nobody else needs `x`.
#[kernel(ScaleShift, device = CPU, T = [f32], forward(x => y))]
fn scale_shift(y: InOut<'_, f32>, scale: f32, shift: f32) {
    y.map(|x| x * scale + shift);
}

/// Integers round the shift.
#[kernel(ScaleShift, device = CPU, T = [i32], forward(x => y))]
fn scale_shift_i32(y: InOut<'_, i32>, scale: i32, shift: f32) {
    y.map(|x| x.wrapping_mul(scale).wrapping_add(shift.round() as i32));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() -> Result<()> {
        let y = ScaleShift::builder().shift(1.0).call([1.0f32, 2.0], 3.0f32)?;
        assert_eq!(y.as_slice::<f32>()?, [4.0, 7.0]);
        let y = ScaleShift::builder().shift(0.6).call([1, 2], 3)?;
        assert_eq!(y.as_slice::<i32>()?, [4, 7]);
        Ok(())
    }

    #[test]
    fn other_dtypes_are_refused() {
        let error = ScaleShift::call([1.0f64], 3.0f64).expect_err("the op has no double");
        assert!(error.to_string().contains("ScaleShift"), "{error}");
    }
}
