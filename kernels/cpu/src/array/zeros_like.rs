//! `ZerosLike` and `OnesLike`: zero (false, the empty string) or one (true) in the shape and dtype of the input.
//!
//! The zero of a variant is what its type defines; variants are scalars.
//! The output takes the input's memory where nobody else needs it.

use oplink::Variant;
use oplink::prelude::*;

use crate::support::movement::{Host, Mover, one};

/// Zeros in the shape of `x`.
#[op("ZerosLike",
     no_gradient, input = "x: T", output = "y: T", attr = "T: type", shape = shape_fns::unchanged)]
pub struct ZerosLike;

/// Ones in the shape of `x`.
#[op("OnesLike",
     no_gradient,
     input = "x: T",
     output = "y: T",
     attr = "T: {bfloat16, half, float, double, int8, uint8, int16, uint16, int32, uint32, int64, uint64, complex64, complex128, bool}",
     shape = shape_fns::unchanged)]
pub struct OnesLike;

/// `ZerosLike` of numbers, bool and strings.
#[kernel(ZerosLike, device = CPU, T = [numbers, bool, TString])]
pub fn zeros_like_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    zeros_like_by::<Host>(context)
}

/// `ZerosLike` in the memory of `M`.
///
/// # Errors
/// Memory runs out.
pub fn zeros_like_by<M: Mover>(context: &mut KernelContext<'_>) -> Result<()> {
    fill_like::<M>(context, None)
}

/// `ZerosLike` of variants, which are scalars.
#[kernel(ZerosLike, device = CPU, T = [Variant])]
pub fn zeros_like_variant_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let input = context.input(0);
    let [variant] = input.as_slice::<Variant>()? else {
        bail!("only a scalar of variant has a zero, this tensor has shape {}", input.shape())
    };
    let zero = variant.object().map_or(Ok(Variant::default()), oplink::VariantObject::zeros_like)?;
    context.set_output(0, Tensor::scalar(zero));
    Ok(())
}

/// `OnesLike` of numbers and bool.
#[kernel(OnesLike, device = CPU, T = [numbers, bool])]
pub fn ones_like_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    ones_like_by::<Host>(context)
}

/// `OnesLike` in the memory of `M`.
///
/// # Errors
/// Memory runs out.
pub fn ones_like_by<M: Mover>(context: &mut KernelContext<'_>) -> Result<()> {
    let one = one(context.input(0).dtype())?;
    fill_like::<M>(context, Some(&one))
}

fn fill_like<M: Mover>(context: &mut KernelContext<'_>, value: Option<&Tensor>) -> Result<()> {
    let shape = context.input(0).shape().clone();
    let (_, mut out) = context.forward_or_allocate(&[0], 0, &shape)?;
    M::fill(context, &mut out, value)?;
    context.set_output(0, out);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run_one;

    #[test]
    fn fill_the_inputs_shape() {
        let out = run_one("ZerosLike", vec![Tensor::from([1f32, f32::NAN])]).unwrap();
        assert_eq!(out.as_slice::<f32>().unwrap(), [0.0, 0.0]);
        let out = run_one("ZerosLike", vec![Tensor::from("text")]).unwrap();
        assert_eq!(out.to_scalar::<TString>().unwrap(), "".into());
        let out = run_one("OnesLike", vec![Tensor::from([false, true])]).unwrap();
        assert_eq!(out.as_slice::<bool>().unwrap(), [true, true]);
        let out = run_one("OnesLike", vec![Tensor::from([f16::ZERO])]).unwrap();
        assert_eq!(out.as_slice::<f16>().unwrap(), [f16::ONE]);
    }

    #[test]
    fn a_shared_input_stays() {
        let x = Tensor::from([1i64, 2]);
        run_one("ZerosLike", vec![x.clone()]).unwrap();
        assert_eq!(x.as_slice::<i64>().unwrap(), [1, 2]);
    }
}
