//! Numbers that a program writes beside a value: they take its dtype.

use oplink_api::element::{Complex, bf16, f16};
use oplink_api::{DType, Element, Error, Result, Tensor, bail};

/// The numbers of a literal.
enum Numbers {
    Integers(Vec<i128>),
    Floats(Vec<f64>),
}

/// The literal in another dtype; as it is, where either dtype is none of numbers: then it is for the op to say.
///
/// # Errors
/// A number is none of the dtype.
pub(super) fn in_dtype(literal: Tensor, dtype: DType) -> Result<Tensor> {
    if literal.dtype() == dtype {
        return Ok(literal);
    }
    match numbers(&literal)? {
        Some(numbers) => converted(&literal, &numbers, dtype),
        None => Ok(literal),
    }
}

fn numbers(literal: &Tensor) -> Result<Option<Numbers>> {
    fn list<T: Element, N>(literal: &Tensor, number: impl Fn(T) -> N) -> Result<Vec<N>> {
        Ok(literal.as_slice::<T>()?.iter().cloned().map(number).collect())
    }
    Ok(Some(match literal.dtype() {
        DType::Float => Numbers::Floats(list(literal, |x: f32| f64::from(x))?),
        DType::Double => Numbers::Floats(list(literal, |x: f64| x)?),
        DType::Int8 => Numbers::Integers(list(literal, |x: i8| x.into())?),
        DType::Int16 => Numbers::Integers(list(literal, |x: i16| x.into())?),
        DType::Int32 => Numbers::Integers(list(literal, |x: i32| x.into())?),
        DType::Int64 => Numbers::Integers(list(literal, |x: i64| x.into())?),
        DType::UInt8 => Numbers::Integers(list(literal, |x: u8| x.into())?),
        DType::UInt16 => Numbers::Integers(list(literal, |x: u16| x.into())?),
        DType::UInt32 => Numbers::Integers(list(literal, |x: u32| x.into())?),
        DType::UInt64 => Numbers::Integers(list(literal, |x: u64| x.into())?),
        _ => return Ok(None),
    }))
}

fn converted(literal: &Tensor, numbers: &Numbers, dtype: DType) -> Result<Tensor> {
    match dtype {
        DType::Float => floats(literal, numbers, |x| x as f32),
        DType::Double => floats(literal, numbers, |x| x),
        DType::Half => floats(literal, numbers, f16::from_f64),
        DType::BFloat16 => floats(literal, numbers, bf16::from_f64),
        DType::Complex64 => floats(literal, numbers, |x| Complex::new(x as f32, 0.0)),
        DType::Complex128 => floats(literal, numbers, |x| Complex::new(x, 0.0)),
        DType::Int8 => integers::<i8>(literal, numbers),
        DType::Int16 => integers::<i16>(literal, numbers),
        DType::Int32 => integers::<i32>(literal, numbers),
        DType::Int64 => integers::<i64>(literal, numbers),
        DType::UInt8 => integers::<u8>(literal, numbers),
        DType::UInt16 => integers::<u16>(literal, numbers),
        DType::UInt32 => integers::<u32>(literal, numbers),
        DType::UInt64 => integers::<u64>(literal, numbers),
        _ => Ok(literal.clone()),
    }
}

fn floats<T: Element>(literal: &Tensor, numbers: &Numbers, convert: impl Fn(f64) -> T) -> Result<Tensor> {
    let values = match numbers {
        Numbers::Floats(values) => values.iter().map(|&x| convert(x)).collect(),
        Numbers::Integers(values) => values.iter().map(|&x| convert(x as f64)).collect(),
    };
    Tensor::from_vec(literal.shape().clone(), values)
}

fn integers<T: Element + TryFrom<i128>>(literal: &Tensor, numbers: &Numbers) -> Result<Tensor> {
    let Numbers::Integers(values) = numbers else {
        bail!(
            "a {} literal stands beside a value of {}: write an integer, or cast the value",
            literal.dtype(),
            T::DTYPE
        );
    };
    let number = |&x: &i128| {
        T::try_from(x).map_err(|_| Error::invalid_argument(format!("the literal {x} is no number of {}", T::DTYPE)))
    };
    Tensor::from_vec(literal.shape().clone(), values.iter().map(number).collect::<Result<_>>()?)
}
