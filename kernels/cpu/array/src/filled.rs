//! Tensors with one value everywhere: `Fill`, `ZerosLike` and `OnesLike`.
//!
//! `Fill`: `dims` is a vector (or a scalar, then the only extent) of extents >= 0, `value` a scalar. Every dtype.
//! `ZerosLike` (zero, false, the empty string) and `OnesLike` (one, true) have the shape and dtype of the input, and
//! its memory where nobody else needs that. The zero of a variant is what its type defines; variants are scalars.

use oplink::prelude::*;
use oplink::resource::Variant;
use oplink_cpu_support::movement::Host;
use oplink_ops::array::{Fill, OnesLike, ZerosLike, copies};

/// `Fill` of every dtype.
#[kernel(Fill, device = CPU, T = any, index_type = any, host_memory = [dims])]
pub fn fill_cpu(dims: &Tensor, value: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    copies::fill::<Host>(dims, value, output, env)
}

/// `ZerosLike` of numbers, bool and strings.
#[kernel(ZerosLike, device = CPU, T = [numbers, bool, TString])]
pub fn zeros_like_cpu(x: Input<'_>, y: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    copies::zeros_like::<Host>(x, y, env)
}

/// `ZerosLike` of variants, which are scalars.
#[kernel(ZerosLike, device = CPU, T = [Variant])]
pub fn zeros_like_variant_cpu(x: &Tensor, mut y: OutputSlot<'_>) -> Result<()> {
    let [variant] = x.as_slice::<Variant>()? else {
        bail!("only a scalar of variant has a zero, this tensor has shape {}", x.shape())
    };
    y.set_scalar(variant.object().map_or(Ok(Variant::default()), oplink::resource::VariantObject::zeros_like)?);
    Ok(())
}

/// `OnesLike` of numbers and bool.
#[kernel(OnesLike, device = CPU, T = [numbers, bool])]
pub fn ones_like_cpu(x: Input<'_>, y: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    copies::ones_like::<Host>(x, y, env)
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
