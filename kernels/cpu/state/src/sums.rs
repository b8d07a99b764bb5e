//! Sums and zeros of the tensors in a variant.

use oplink::prelude::*;
use oplink::resource::Variant;

use crate::combination::Combination;

/// The sum of two tensors of one dtype and shape: of numbers, or of variants that can be added.
pub(super) fn add(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    add_to(a.clone(), b)
}

/// As [`add`], in the memory of `a` where nobody else holds that.
pub(super) fn add_to(a: Tensor, b: &Tensor) -> Result<Tensor> {
    let dtype = a.dtype();
    ensure!(dtype == b.dtype(), "a tensor of {dtype} cannot be added to one of {}", b.dtype());
    ensure!(a.shape() == b.shape(), "tensors of shapes {} and {} cannot be added", a.shape(), b.shape());
    if dtype == DType::Variant {
        return Ok(Tensor::scalar(add_variants(scalar(&a)?, scalar(b)?)?));
    }
    let mut sum = a.make_unique()?;
    Combination::Add.of_tensors(&mut sum, b)?;
    Ok(sum)
}

/// Zeros in the shape of a tensor: of numbers, bool, or variants that have a zero.
pub(super) fn zeros_like(tensor: &Tensor) -> Result<Tensor> {
    match tensor.dtype() {
        DType::Variant => match scalar(tensor)?.object() {
            Some(object) => Ok(Tensor::scalar(object.zeros_like()?)),
            None => Ok(tensor.clone()),
        },
        dtype @ (DType::String | DType::Resource) => bail!("tensors of {dtype} have no zero"),
        dtype => Tensor::zeros(dtype, tensor.shape().clone()),
    }
}

fn add_variants(a: &Variant, b: &Variant) -> Result<Variant> {
    match a.object() {
        Some(object) => object.add(b),
        None => Ok(b.clone()),
    }
}

fn scalar(tensor: &Tensor) -> Result<&Variant> {
    match tensor.as_slice::<Variant>()? {
        [variant] if tensor.rank() == 0 => Ok(variant),
        _ => bail!("a tensor of variants must be a scalar here, it has shape {}", tensor.shape()),
    }
}

/// The error of a sum of variants of two types.
#[cold]
pub(super) fn types_differ(type_name: &str, other: &Variant) -> Error {
    let message = format!("a variant of type {type_name} cannot be added to one of type {}", other.type_name());
    Error::new(Code::Internal, ErrorKind::InvalidArgument, message)
}
