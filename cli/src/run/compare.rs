//! Outputs held against those of an archive.

use std::process::ExitCode;

use oplink::{DType, Result, Tensor};

use super::Named;

/// Prints of each output that is wanted whether it agrees; fails where one does not.
pub(super) fn compare(fetches: &[String], outputs: &[Tensor], expected: &[Named], tolerance: f64) -> Result<ExitCode> {
    let mut code = ExitCode::SUCCESS;
    for (name, want) in expected {
        let Some(at) = fetches.iter().position(|f| f == name) else { continue };
        let error = relative_error(&outputs[at], want)?;
        let good = error <= tolerance;
        println!("{name}: {} (relative error {error:.2e})", if good { "agrees" } else { "DIFFERS" });
        if !good {
            code = ExitCode::FAILURE;
        }
    }
    Ok(code)
}

/// The largest difference, relative to the largest expected magnitude; infinite where shapes, dtypes or NaNs differ.
fn relative_error(got: &Tensor, want: &Tensor) -> Result<f64> {
    if got.dtype() != want.dtype() || got.shape() != want.shape() {
        return Ok(f64::INFINITY);
    }
    match want.dtype() {
        DType::Float => {
            let doubles =
                |t: &Tensor| -> Result<Vec<f64>> { Ok(t.as_slice::<f32>()?.iter().map(|&v| f64::from(v)).collect()) };
            Ok(error_of(&doubles(got)?, &doubles(want)?))
        }
        DType::Double => Ok(error_of(got.as_slice::<f64>()?, want.as_slice::<f64>()?)),
        _ => Ok(if got.as_bytes()? == want.as_bytes()? { 0.0 } else { f64::INFINITY }),
    }
}

fn error_of(got: &[f64], want: &[f64]) -> f64 {
    let largest = want.iter().filter(|v| v.is_finite()).fold(1e-30, |m: f64, v| m.max(v.abs()));
    got.iter().zip(want).fold(0.0, |worst: f64, (&g, &w)| match () {
        () if g.is_nan() != w.is_nan() => f64::INFINITY,
        () if g.is_nan() || g == w => worst,
        () => worst.max((g - w).abs() / largest),
    })
}
