//! Sums, quotients and the like of elements with operands, in place: of whole tensors, and of slices of one.

use oplink::prelude::*;

use oplink_cpu_support::elementwise::{Arithmetic, Computed, Ordered, Quotient, combine};
use oplink_cpu_support::movement::{Cell, CellJob, with_cells};

/// How an element is combined with its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Combination {
    /// The sum; of bools whether either is true.
    Add,
    /// The difference; of bools whether just one is true.
    Sub,
    Mul,
    /// The quotient: of integers rounded towards zero, by an operand that is not 0.
    Div,
    /// The operand where that is larger.
    Max,
    /// The operand where that is smaller.
    Min,
}

/// Which slices of a tensor operands belong to.
#[derive(Debug)]
pub(crate) struct Slices {
    /// Where the slice of each operand starts; `None` for operands that are left out.
    pub(crate) starts: Vec<Option<usize>>,
    /// Elements of a slice.
    pub(crate) length: usize,
    /// Whether there is one operand, a scalar, for all elements of all slices.
    pub(crate) is_scalar: bool,
}

/// Calls a function of the Rust type of a dtype.
macro_rules! call_for {
    ($dtype:expr, $function:ident $arguments:tt, [$($variant:ident $ty:ty),*], $other:pat => $else:expr) => {
        match $dtype {
            $(DType::$variant => $function::<$ty> $arguments,)*
            $other => $else,
        }
    };
}

/// As `call_for`, for real numbers.
macro_rules! call_for_reals {
    ($dtype:expr, $function:ident $arguments:tt, $other:pat => $else:expr) => {
        call_for!($dtype, $function $arguments, [
            Float f32, Double f64, Half f16, BFloat16 bf16, Int8 i8, Int16 i16, Int32 i32, Int64 i64, UInt8 u8,
            UInt16 u16, UInt32 u32, UInt64 u64
        ], $other => $else)
    };
}

/// As `call_for`, for all numbers.
macro_rules! call_for_numbers {
    ($dtype:expr, $function:ident $arguments:tt, $other:pat => $else:expr) => {
        call_for!($dtype, $function $arguments, [
            Float f32, Double f64, Half f16, BFloat16 bf16, Int8 i8, Int16 i16, Int32 i32, Int64 i64, UInt8 u8,
            UInt16 u16, UInt32 u32, UInt64 u64, Complex64 Complex<f32>, Complex128 Complex<f64>
        ], $other => $else)
    };
}

impl Combination {
    /// Replaces each element by its sum or difference with the operand at its position; both tensors have one dtype, of
    /// numbers, and one shape.
    ///
    /// # Errors
    /// Elements of the dtype cannot be added.
    pub(crate) fn of_tensors(self, values: &mut Tensor, operands: &Tensor) -> Result<()> {
        let is_sum = self == Self::Add;
        call_for_numbers!(values.dtype(), whole(is_sum, values, operands), dtype => bail!("tensors of {dtype} cannot be added"))
    }

    /// Replaces each element of some slices by its combination with its operand, in the order of the operands; both
    /// tensors have one dtype.
    ///
    /// # Errors
    /// Elements of the dtype cannot be combined so.
    pub(crate) fn of_slices(self, values: &mut Tensor, operands: &Tensor, slices: &Slices) -> Result<()> {
        match (self, values.dtype()) {
            (Self::Add | Self::Sub, DType::Bool) => of_bools(self, values, operands, slices),
            (Self::Max | Self::Min, dtype) => {
                call_for_reals!(dtype, of_reals(self, values, operands, slices), _ => self.unknown(dtype))
            }
            (_, dtype) => {
                call_for_numbers!(dtype, of_numbers(self, values, operands, slices), _ => self.unknown(dtype))
            }
        }
    }

    #[cold]
    fn unknown(self, dtype: DType) -> Result<()> {
        bail!("elements of {dtype} have no {self:?}")
    }
}

fn whole<T: Computed<ComputeType: Arithmetic>>(is_sum: bool, values: &mut Tensor, operands: &Tensor) -> Result<()> {
    let (values, operands) = (values.as_mut_slice::<T>()?, operands.as_slice::<T>()?);
    if is_sum {
        combine(values, operands, Arithmetic::add);
    } else {
        combine(values, operands, Arithmetic::sub);
    }
    Ok(())
}

fn of_numbers<T: Computed<ComputeType: Quotient>>(
    how: Combination,
    values: &mut Tensor,
    operands: &Tensor,
    slices: &Slices,
) -> Result<()> {
    let (values, operands) = (values.as_mut_slice::<T>()?, operands.as_slice::<T>()?);
    match how {
        Combination::Add => {
            slices.run(values, operands, |a: T, b: T| T::from_computed(a.to_computed().add(b.to_computed())));
        }
        Combination::Sub => {
            slices.run(values, operands, |a: T, b: T| T::from_computed(a.to_computed().sub(b.to_computed())));
        }
        Combination::Mul => {
            slices.run(values, operands, |a: T, b: T| T::from_computed(a.to_computed().mul(b.to_computed())));
        }
        _ => slices.run(values, operands, |a: T, b: T| T::from_computed(a.to_computed().quotient(b.to_computed()))),
    }
    Ok(())
}

fn of_reals<T: Computed<ComputeType: Ordered>>(
    how: Combination,
    values: &mut Tensor,
    operands: &Tensor,
    slices: &Slices,
) -> Result<()> {
    let (values, operands) = (values.as_mut_slice::<T>()?, operands.as_slice::<T>()?);
    if how == Combination::Max {
        slices.run(values, operands, |a: T, b: T| if b.to_computed() > a.to_computed() { b } else { a });
    } else {
        slices.run(values, operands, |a: T, b: T| if b.to_computed() < a.to_computed() { b } else { a });
    }
    Ok(())
}

fn of_bools(how: Combination, values: &mut Tensor, operands: &Tensor, slices: &Slices) -> Result<()> {
    let (values, operands) = (values.as_mut_slice::<bool>()?, operands.as_slice::<bool>()?);
    let is_sum = how == Combination::Add;
    slices.run(values, operands, |a: bool, b: bool| if is_sum { a | b } else { a ^ b });
    Ok(())
}

impl Slices {
    /// Loops by position, so that each combination of each dtype is little code.
    fn run<T: Copy>(&self, values: &mut [T], operands: &[T], combine: impl Fn(T, T) -> T) {
        let length = self.length;
        for at in 0..self.starts.len() {
            let Some(start) = self.starts[at] else { continue };
            let values = &mut values[start..start + length];
            if self.is_scalar {
                let operand = operands[0];
                for value in values {
                    *value = combine(*value, operand);
                }
            } else {
                let operands = &operands[at * length..(at + 1) * length];
                for at in 0..length {
                    values[at] = combine(values[at], operands[at]);
                }
            }
        }
    }

    /// Replaces slices by their operands; of those for one slice the last stays. Both tensors have one dtype.
    ///
    /// # Errors
    /// Others see the values.
    pub(crate) fn replace(&self, values: &mut Tensor, operands: &Tensor) -> Result<()> {
        with_cells(values.dtype(), Replace { values, operands, slices: self })
    }
}

struct Replace<'a> {
    values: &'a mut Tensor,
    operands: &'a Tensor,
    slices: &'a Slices,
}

impl CellJob for Replace<'_> {
    type Output = ();

    fn run<C: Cell>(self) -> Result<()> {
        let (values, operands, length) = (C::of_mut(self.values)?, C::of(self.operands)?, self.slices.length);
        for (at, start) in self.slices.starts.iter().enumerate() {
            let Some(start) = *start else { continue };
            let values = &mut values[start..start + length];
            if self.slices.is_scalar {
                values.fill(operands[0].clone());
            } else {
                values.clone_from_slice(&operands[at * length..(at + 1) * length]);
            }
        }
        Ok(())
    }
}

/// An error where one of some numbers is 0.
pub(crate) fn check_divisors(divisors: &Tensor) -> Result<()> {
    fn has_zero<T: Computed<ComputeType: Arithmetic>>(divisors: &Tensor) -> Result<bool> {
        Ok(divisors.as_slice::<T>()?.iter().any(|divisor| divisor.to_computed() == T::ComputeType::ZERO))
    }
    let has_zero = call_for_numbers!(divisors.dtype(), has_zero(divisors), _ => Ok(false))?;
    ensure!(!has_zero, "updates must not contain 0, by which elements are divided");
    Ok(())
}
