//! Cross products.

use oplink::prelude::*;

/// Computes the cross products of the vectors of 3 elements along the last axis.
///
/// `a` and `b` have one shape. Integers wrap, and 16-bit floats are rounded after each operation.
#[op(
    "Cross",
    input = "a: T",
    input = "b: T",
    output = "product: T",
    attr = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}"
)]
pub fn cross(c: &mut ShapeContext<'_>) -> Result<()> {
    let a = c.with_rank_at_least(0, 1)?;
    let b = c.with_rank_at_least(1, 1)?;
    let shape = c.merge(&a, &b)?;
    if let Some([.., last]) = shape.dims() {
        c.merge_dim(*last, Some(3))?;
    }
    c.set_output(0, shape);
    Ok(())
}

/// Whether a kernel can take arguments of these shapes.
///
/// # Errors
/// The shapes differ, or the last axis has other than 3 elements (code `FailedPrecondition`).
pub fn check_cross(a: &Shape, b: &Shape) -> Result<()> {
    ensure!(a == b, "a and b must have one shape, they have {a} and {b}");
    match a.last() {
        Some(3) => Ok(()),
        Some(last) => {
            let message = format!("cross products are of vectors of 3 elements, the last axis has {last}");
            Err(Error::new(Code::FailedPrecondition, ErrorKind::InvalidArgument, message))
        }
        None => bail!("a must be at least a vector, it is a scalar"),
    }
}
