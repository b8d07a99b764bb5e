//! Shape functions of ops that make tensors from a few numbers.

use crate::element::{Float, bf16, f16};
use crate::shape::Dim;
use crate::shape_inference::shape_error;
use crate::{DType, Element, PartialShape, Result, ShapeContext, Tensor, bail};

/// `Fill`: the shape that input 0 holds; input 1 is a scalar.
///
/// # Errors
/// Input 0 is no shape, or input 1 no scalar.
pub fn fill(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(0, 1)?;
    c.with_rank(1, 0)?;
    if let Some(dims) = c.constant_ints(0)?
        && let Some(dim) = dims.iter().find(|&&dim| dim < 0)
    {
        return Err(shape_error(format!("dims must be >= 0, they are {dims:?} with {dim}")));
    }
    let shape = c.make_shape_from_tensor(0)?;
    c.set_output(0, shape);
    Ok(())
}

/// `Range`: a vector of `ceil((limit - start) / delta)` elements, from three scalars.
///
/// # Errors
/// An input is no scalar, or [`range_count`] fails.
pub fn range(c: &mut ShapeContext<'_>) -> Result<()> {
    (0..3).try_for_each(|index| c.with_rank(index, 0).map(drop))?;
    let count = match (c.input_tensor(0), c.input_tensor(1), c.input_tensor(2)) {
        (Some(start), Some(limit), Some(delta)) => Some(range_count(start, limit, delta)?),
        _ => None,
    };
    c.set_output(0, PartialShape::new(&[count]));
    Ok(())
}

/// `LinSpace`: a vector of as many elements as the scalar input 2 says.
///
/// # Errors
/// An input is no scalar, or the number of elements is below 1.
pub fn lin_space(c: &mut ShapeContext<'_>) -> Result<()> {
    (0..3).try_for_each(|index| c.with_rank(index, 0).map(drop))?;
    let count: Dim = match c.constant_int(2)? {
        Some(count) if count <= 0 => return Err(shape_error(format!("num must be > 0, it is {count}"))),
        count => count.map(|count| count as usize),
    };
    c.set_output(0, PartialShape::new(&[count]));
    Ok(())
}

/// The number of elements of a range of scalars of one dtype, `ceil(|(limit - start) / delta|)` in the arithmetic of
/// that dtype.
///
/// # Errors
/// `delta` is 0 or leads away from `limit`; the count exceeds the address space; the dtype is no real number.
pub fn range_count(start: &Tensor, limit: &Tensor, delta: &Tensor) -> Result<usize> {
    match start.dtype() {
        DType::Float => float_count::<f32>(start, limit, delta),
        DType::Double => float_count::<f64>(start, limit, delta),
        DType::Half => float_count::<f16>(start, limit, delta),
        DType::BFloat16 => float_count::<bf16>(start, limit, delta),
        DType::Int8 => int_count::<i8>(start, limit, delta),
        DType::Int16 => int_count::<i16>(start, limit, delta),
        DType::Int32 => int_count::<i32>(start, limit, delta),
        DType::Int64 => int_count::<i64>(start, limit, delta),
        DType::UInt8 => int_count::<u8>(start, limit, delta),
        DType::UInt16 => int_count::<u16>(start, limit, delta),
        DType::UInt32 => int_count::<u32>(start, limit, delta),
        DType::UInt64 => int_count::<u64>(start, limit, delta),
        other => bail!("no range of {other}"),
    }
}

fn int_count<T: Element + Into<i128>>(start: &Tensor, limit: &Tensor, delta: &Tensor) -> Result<usize> {
    let read = |tensor: &Tensor| tensor.to_scalar::<T>().map(Into::into);
    let (start, limit, delta): (i128, i128, i128) = (read(start)?, read(limit)?, read(delta)?);
    check_direction(&start, &limit, &delta, &0)?;
    let count = ((limit - start).abs() + delta.abs() - 1) / delta.abs();
    fits(usize::try_from(count).ok())
}

fn float_count<T: Float>(start: &Tensor, limit: &Tensor, delta: &Tensor) -> Result<usize> {
    let (start, limit, delta) = (start.to_scalar::<T>()?, limit.to_scalar::<T>()?, delta.to_scalar::<T>()?);
    check_direction(&start, &limit, &delta, &T::zero())?;
    let count = ((limit - start) / delta).abs().ceil().to_f64().unwrap_or(f64::INFINITY);
    fits((count < isize::MAX as f64).then_some(count as usize))
}

fn check_direction<T: PartialOrd>(start: &T, limit: &T, delta: &T, zero: &T) -> Result<()> {
    let (forward, backward) = (delta > zero, delta < zero);
    match (forward, backward) {
        (true, _) if start <= limit => Ok(()),
        (_, true) if start >= limit => Ok(()),
        (true, _) => Err(shape_error("range needs start <= limit when delta > 0")),
        (_, true) => Err(shape_error("range needs start >= limit when delta < 0")),
        _ => Err(shape_error("range needs delta != 0")),
    }
}

fn fits(count: Option<usize>) -> Result<usize> {
    count.filter(|&n| isize::try_from(n).is_ok()).ok_or_else(|| shape_error("the range has too many elements"))
}
