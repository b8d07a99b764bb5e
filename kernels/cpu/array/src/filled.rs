//! Tensors with one value everywhere: `Fill`, `ZerosLike` and `OnesLike`.
//!
//! `Fill`: `dims` is a vector (or a scalar, then the only extent) of extents >= 0, `value` a scalar. Every dtype.
//! `ZerosLike` (zero, false, the empty string) and `OnesLike` (one, true) have the shape and dtype of the input, and its
//! memory where nobody else needs that. The zero of a variant is what its type defines; variants are scalars.

use oplink::prelude::*;
use oplink::{Variant, int_values};
use oplink_cpu_support::movement::{CopyBackend, Host, one};
use oplink_ops::array::{Fill, OnesLike, ZerosLike};

/// `Fill` of every dtype.
#[kernel(Fill, device = CPU, T = any, index_type = any, host_memory = [dims])]
pub fn fill_cpu(dims: &Tensor, value: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    fill_by::<Host>(dims, value, output, env)
}

/// `Fill` in the memory of `B`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn fill_by<B: CopyBackend>(dims: &Tensor, value: &Tensor, mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    ensure!(dims.rank() <= 1, "dims must be a vector, it has shape {}", dims.shape());
    ensure!(value.num_elements() == 1, "value must be a scalar, it has shape {}", value.shape());
    B::fill(env, output.allocate(Shape::from_i64(&int_values(dims)?)?)?, Some(value))
}

/// `ZerosLike` of numbers, bool and strings.
#[kernel(ZerosLike, device = CPU, T = [numbers, bool, TString])]
pub fn zeros_like_cpu(x: Input<'_>, y: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    zeros_like_by::<Host>(x, y, env)
}

/// `ZerosLike` in the memory of `B`.
///
/// # Errors
/// Memory runs out.
pub fn zeros_like_by<B: CopyBackend>(x: Input<'_>, y: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    fill_like::<B>(x, y, env, None)
}

/// `ZerosLike` of variants, which are scalars.
#[kernel(ZerosLike, device = CPU, T = [Variant])]
pub fn zeros_like_variant_cpu(x: &Tensor, mut y: OutputSlot<'_>) -> Result<()> {
    let [variant] = x.as_slice::<Variant>()? else {
        bail!("only a scalar of variant has a zero, this tensor has shape {}", x.shape())
    };
    y.set_scalar(variant.object().map_or(Ok(Variant::default()), oplink::VariantObject::zeros_like)?);
    Ok(())
}

/// `OnesLike` of numbers and bool.
#[kernel(OnesLike, device = CPU, T = [numbers, bool])]
pub fn ones_like_cpu(x: Input<'_>, y: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    ones_like_by::<Host>(x, y, env)
}

/// `OnesLike` in the memory of `B`.
///
/// # Errors
/// Memory runs out.
pub fn ones_like_by<B: CopyBackend>(x: Input<'_>, y: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let one = one(x.dtype())?;
    fill_like::<B>(x, y, env, Some(&one))
}

fn fill_like<B: CopyBackend>(x: Input<'_>, mut y: OutputSlot<'_>, env: Env<'_>, value: Option<&Tensor>) -> Result<()> {
    let shape = x.shape().clone();
    B::fill(env, y.forward(x, &shape)?.0, value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run_one;

    #[test]
    fn fills() {
        let out = run_one("Fill", vec![Tensor::from([2, 1]), Tensor::from("x")]).unwrap();
        assert_eq!(
            (out.shape().dims(), out.as_slice::<TString>().unwrap()),
            (&[2, 1][..], &["x".into(), "x".into()][..])
        );
        assert!(run_one("Fill", vec![Tensor::from([-1]), Tensor::scalar(1)]).is_err());
        assert!(run_one("Fill", vec![Tensor::from([1]), Tensor::from([1, 2])]).is_err());
    }

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
