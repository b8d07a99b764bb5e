//! Programs that show what was found: they are Rust that compiles, and fail as the finding says.

use expect_test::expect_file;
use oplink::prelude::*;
use oplink_opcheck::{Check, OpCheck};

/// Indexes by what it is given.
#[op("WrongPosition", input = "x: float", input = "at: int64", output = "y: float", shape = shape_fns::unknown)]
pub(crate) struct WrongPosition;

#[kernel(WrongPosition, device = CPU)]
pub(crate) fn position(x: &Tensor, at: &Tensor, mut y: OutputSlot<'_>) -> Result<()> {
    ensure!(at.rank() == 0 && x.rank() == 1, "at must be a scalar and x a vector");
    let at = at.to_scalar::<i64>()?;
    let element = x.as_slice::<f32>()?[usize::try_from(at).unwrap_or(0)];
    y.set(Tensor::scalar(element));
    Ok(())
}

#[test]
fn a_program_shows_what_is_wrong() -> Result<()> {
    let report = OpCheck::new("WrongPosition").checks(&[Check::Extremes]).run()?;
    let finding = report.findings().next().expect("a panic");
    expect_file!["shown.rs"].assert_eq(&finding.program(&[]));
    Ok(())
}
