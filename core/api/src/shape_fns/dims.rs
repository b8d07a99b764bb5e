//! Arithmetic on extents of which some are unknown.

use crate::Result;
use crate::shape::Dim;
use crate::shape_inference::shape_error;

/// `a + b`.
pub(super) fn add(a: Dim, b: Dim) -> Result<Dim> {
    match (a, b) {
        (Some(0), d) | (d, Some(0)) => Ok(d),
        (Some(a), Some(b)) => fits(a.checked_add(b), || format!("{a} + {b}")),
        _ => Ok(None),
    }
}

/// `a - b`; an error where that is negative.
pub(super) fn subtract(a: Dim, b: Dim) -> Result<Dim> {
    match (a, b) {
        (d, Some(0)) => Ok(d),
        (Some(a), Some(b)) if b > a => {
            Err(shape_error(format!("negative dimension size caused by subtracting {b} from {a}")))
        }
        (Some(a), Some(b)) => Ok(Some(a - b)),
        _ => Ok(None),
    }
}

/// `a * b`; a zero makes the product known.
pub(super) fn multiply(a: Dim, b: Dim) -> Result<Dim> {
    match (a, b) {
        (Some(0), _) | (_, Some(0)) => Ok(Some(0)),
        (Some(1), d) | (d, Some(1)) => Ok(d),
        (Some(a), Some(b)) => fits(a.checked_mul(b), || format!("{a} * {b}")),
        _ => Ok(None),
    }
}

/// `a / b`, rounded down.
pub(super) fn divide(a: Dim, b: usize) -> Result<Dim> {
    match (a, b) {
        (_, 0) => Err(shape_error("a dimension cannot be divided by 0")),
        (a, b) => Ok(a.map(|a| a / b)),
    }
}

/// `a / b`; an error where there is a remainder.
pub(super) fn divide_evenly(a: Dim, b: usize) -> Result<Dim> {
    match a {
        Some(a) if b > 0 && a % b != 0 => {
            Err(shape_error(format!("dimension size must be divisible by {b} but is {a}")))
        }
        a => divide(a, b),
    }
}

fn fits(value: Option<usize>, what: impl Fn() -> String) -> Result<Dim> {
    match value.filter(|&v| isize::try_from(v).is_ok()) {
        Some(value) => Ok(Some(value)),
        None => Err(shape_error(format!("the dimension {} is too large", what()))),
    }
}
