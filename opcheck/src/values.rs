//! Elements of tensors, by dtype.

use fastrand::Rng;
use oplink_api::element::{bf16, f16};
use oplink_api::{DType, Number, Result, Shape, TString, Tensor};

/// What the elements of a drawn tensor are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Values {
    /// Multiples of 1/64 between -2 and 2 without 0, which every floating dtype has, none twice as long as there are
    /// others; whole numbers between -3 and 3.
    Signed,
    /// The same between 0 and 1; whole numbers between 1 and 4.
    Positive,
    /// Whole numbers from 0 on, below a bound.
    Below(u32),
    /// As `Below`, in ascending order.
    Ascending(u32),
}

/// Calls a macro with each numeric dtype and its element type.
macro_rules! by_number {
    ($dtype:expr, $ty:ident => $body:expr, _ => $other:expr) => {
        match $dtype {
            DType::Half => {
                type $ty = f16;
                $body
            }
            DType::BFloat16 => {
                type $ty = bf16;
                $body
            }
            DType::Float => {
                type $ty = f32;
                $body
            }
            DType::Double => {
                type $ty = f64;
                $body
            }
            DType::Int8 => {
                type $ty = i8;
                $body
            }
            DType::Int16 => {
                type $ty = i16;
                $body
            }
            DType::Int32 => {
                type $ty = i32;
                $body
            }
            DType::Int64 => {
                type $ty = i64;
                $body
            }
            DType::UInt8 => {
                type $ty = u8;
                $body
            }
            DType::UInt16 => {
                type $ty = u16;
                $body
            }
            DType::UInt32 => {
                type $ty = u32;
                $body
            }
            DType::UInt64 => {
                type $ty = u64;
                $body
            }
            DType::Complex64 => {
                type $ty = oplink_api::prelude::Complex<f32>;
                $body
            }
            DType::Complex128 => {
                type $ty = oplink_api::prelude::Complex<f64>;
                $body
            }
            _ => $other,
        }
    };
}

/// Whether the elements are whole numbers.
pub(crate) fn is_integer(dtype: DType) -> bool {
    is_unsigned(dtype) || matches!(dtype, DType::Int8 | DType::Int16 | DType::Int32 | DType::Int64)
}

fn is_unsigned(dtype: DType) -> bool {
    matches!(dtype, DType::UInt8 | DType::UInt16 | DType::UInt32 | DType::UInt64)
}

/// Whether the elements are real floating-point numbers.
pub(crate) fn is_float(dtype: DType) -> bool {
    epsilon(dtype).is_some()
}

/// A drawn tensor; `None` for a dtype of which none is drawn.
pub(crate) fn drawn(dtype: DType, shape: &Shape, values: Values, random: &mut Rng) -> Option<Tensor> {
    let count = shape.num_elements();
    match dtype {
        DType::Bool => Tensor::from_vec(shape.clone(), (0..count).map(|_| random.bool()).collect()).ok(),
        DType::String => {
            let words = ["", "a", "ab", "\u{e9}", "3.5", "x y"];
            let word = |_| TString::from(words[random.usize(0..words.len())]);
            Tensor::from_vec(shape.clone(), (0..count).map(word).collect()).ok()
        }
        _ => {
            let mut numbers = match (values, is_integer(dtype)) {
                (Values::Signed, false) => distinct(-128, 128, count, random),
                (Values::Positive, false) => distinct(1, 63, count, random),
                _ => (0..count).map(|_| whole(values, dtype, random)).collect(),
            };
            if matches!(values, Values::Ascending(_)) {
                numbers.sort_by(f64::total_cmp);
            }
            from_doubles(dtype, shape, &numbers)
        }
    }
}

/// So many of the numbers from `least` to `most` 64ths in any order, over and over.
fn distinct(least: i32, most: i32, count: usize, random: &mut Rng) -> Vec<f64> {
    let mut all: Vec<f64> =
        (least..=most).filter(|&number| number != 0).map(|number| f64::from(number) / 64.0).collect();
    random.shuffle(&mut all);
    all.into_iter().cycle().take(count).collect()
}

fn whole(values: Values, dtype: DType, random: &mut Rng) -> f64 {
    let least = if is_unsigned(dtype) { 0 } else { -3 };
    match values {
        Values::Signed => f64::from(random.i32(least..=3)),
        Values::Positive => f64::from(random.i32(1..=4)),
        Values::Below(bound) | Values::Ascending(bound) => f64::from(random.u32(0..bound.max(1))),
    }
}

/// A tensor of these numbers; `None` where the dtype is no number's.
pub(crate) fn from_doubles(dtype: DType, shape: &Shape, numbers: &[f64]) -> Option<Tensor> {
    by_number!(dtype, T => {
        let elements: Vec<T> = numbers.iter().map(|&number| T::from_float(number)).collect();
        Tensor::from_vec(shape.clone(), elements).ok()
    }, _ => None)
}

/// The elements of a real tensor as doubles; `None` for any other.
pub(crate) fn doubles(tensor: &Tensor) -> Option<Vec<f64>> {
    fn all<T: oplink_api::Element + Copy>(tensor: &Tensor, as_double: impl Fn(T) -> f64) -> Option<Vec<f64>> {
        Some(tensor.as_slice::<T>().ok()?.iter().map(|&element| as_double(element)).collect())
    }
    match tensor.dtype() {
        DType::Half => all(tensor, f16::to_f64),
        DType::BFloat16 => all(tensor, bf16::to_f64),
        DType::Float => all(tensor, <f64 as From<f32>>::from),
        DType::Double => all(tensor, |element: f64| element),
        DType::Int8 => all(tensor, <f64 as From<i8>>::from),
        DType::Int16 => all(tensor, <f64 as From<i16>>::from),
        DType::Int32 => all(tensor, <f64 as From<i32>>::from),
        DType::Int64 => all(tensor, |element: i64| element as f64),
        DType::UInt8 => all(tensor, <f64 as From<u8>>::from),
        DType::UInt16 => all(tensor, <f64 as From<u16>>::from),
        DType::UInt32 => all(tensor, <f64 as From<u32>>::from),
        DType::UInt64 => all(tensor, |element: u64| element as f64),
        DType::Bool => all(tensor, |element: bool| f64::from(u8::from(element))),
        _ => None,
    }
}

/// The same numbers in another dtype; `None` where one of both is no real number.
pub(crate) fn converted(tensor: &Tensor, dtype: DType) -> Option<Tensor> {
    if tensor.dtype() == dtype {
        return Some(tensor.clone());
    }
    from_doubles(dtype, tensor.shape(), &doubles(tensor)?)
}

/// The distance from 1 to the next number of a floating dtype.
pub(crate) fn epsilon(dtype: DType) -> Option<f64> {
    match dtype {
        DType::Half => Some(f64::from(f16::EPSILON)),
        DType::BFloat16 => Some(f64::from(bf16::EPSILON)),
        DType::Float => Some(f64::from(f32::EPSILON)),
        DType::Double => Some(f64::EPSILON),
        _ => None,
    }
}

/// Whether two tensors are the same bit for bit; any NaN is like any other.
pub(crate) fn is_same(a: &Tensor, b: &Tensor) -> Result<bool> {
    if (a.dtype(), a.shape()) != (b.dtype(), b.shape()) {
        return Ok(false);
    }
    if a.dtype() == DType::String {
        return Ok(a.as_slice::<TString>()? == b.as_slice::<TString>()?);
    }
    if a.dtype().size().is_none() {
        return Ok(true);
    }
    if a.as_bytes()? == b.as_bytes()? {
        return Ok(true);
    }
    let is_alike = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
    Ok(match (doubles(a), doubles(b)) {
        (Some(a), Some(b)) => a.iter().zip(&b).all(is_alike),
        _ => false,
    })
}
