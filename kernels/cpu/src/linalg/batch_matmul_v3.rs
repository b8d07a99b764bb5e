//! `BatchMatMulV3`: products of the matrices in the last two axes, of two dtypes.
//!
//! As `BatchMatMulV2`, where `x`, `y` and the output have dtypes of their own: one for all, or 8-bit integers multiplied to
//! int32, or bfloat16 times 8-bit integers. Products with bfloat16 are summed in f32.

use oplink::prelude::*;

use super::batches::{multiply, multiply_converted};
use crate::numeric::gemm::Gemm;
use crate::support::elementwise::Lanes;

/// Multiplies the matrices in the last two axes of `x` and `y`; the other axes broadcast.
#[op("BatchMatMulV3",
     input = "x: Ta",
     input = "y: Tb",
     output = "output: Tout",
     attr = "Ta: {bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, complex128}",
     attr = "Tb: {bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, complex128}",
     attr = "Tout: {bfloat16, half, float, double, int16, int32, int64, complex64, complex128}",
     attr = "adj_x: bool = false",
     attr = "adj_y: bool = false",
     attr = "grad_x: bool = false",
     attr = "grad_y: bool = false",
     shape = shape_fns::batch_matmul)]
pub struct BatchMatMulV3;

fn of_one_dtype<T: Lanes<Lane: Gemm>>(context: &mut KernelContext<'_>) -> Result<()> {
    let mut output = output(context)?;
    let adjoint = [context.attr("adj_x")?, context.attr("adj_y")?];
    multiply::<T>(context.env(), [context.input(0), context.input(1)], adjoint, &mut output)?;
    context.set_output(0, output);
    Ok(())
}

/// A tensor for the output, as the shape function has it.
fn output(context: &KernelContext<'_>) -> Result<Tensor> {
    let shapes = context.infer_output_shapes()?;
    let shape: Option<Shape> = shapes[0].dims().and_then(|dims| dims.iter().copied().collect());
    let Some(shape) = shape else { bail!("the shape of the product is not known") };
    context.allocate_output(0, shape)
}

macro_rules! of_one_dtype {
    ($($name:ident: $ty:ty, $text:literal;)*) => {$(
        #[doc = concat!("`BatchMatMulV3` of ", $text, ".")]
        #[kernel(BatchMatMulV3, device = CPU, Ta = [$ty], Tb = [$ty], Tout = [$ty])]
        pub fn $name(context: &mut KernelContext<'_>) -> Result<()> {
            of_one_dtype::<$ty>(context)
        }
    )*};
}

of_one_dtype! {
    batch_matmul_bf16: bf16, "bfloat16";
    batch_matmul_f32: f32, "single precision";
    batch_matmul_f64: f64, "double precision";
    batch_matmul_i16: i16, "int16";
    batch_matmul_i32: i32, "int32";
    batch_matmul_i64: i64, "int64";
    batch_matmul_c64: Complex<f32>, "complex64";
    batch_matmul_c128: Complex<f64>, "complex128";
}

/// `BatchMatMulV3` of 8-bit integers.
#[kernel(BatchMatMulV3, device = CPU, Ta = [i8, u8], Tb = [i8, u8], Tout = [i32])]
pub fn batch_matmul_integers<Ta: Element + Copy + Into<i32>, Tb: Element + Copy + Into<i32>>(
    context: &mut KernelContext<'_>,
) -> Result<()> {
    let x: Vec<i32> = context.input(0).as_slice::<Ta>()?.iter().map(|&x| x.into()).collect();
    let y: Vec<i32> = context.input(1).as_slice::<Tb>()?.iter().map(|&y| y.into()).collect();
    converted::<i32>(context, x, y)
}

/// `BatchMatMulV3` of bfloat16 and 8-bit integers.
#[kernel(BatchMatMulV3, device = CPU, Ta = [bf16], Tb = [i8, u8], Tout = [bf16])]
pub fn batch_matmul_bf16_integers<Tb: Element + Copy + Into<f32>>(context: &mut KernelContext<'_>) -> Result<()> {
    let x: Vec<f32> = context.input(0).as_slice::<bf16>()?.iter().map(|x| x.to_f32()).collect();
    let y: Vec<f32> = context.input(1).as_slice::<Tb>()?.iter().map(|&y| y.into()).collect();
    converted::<bf16>(context, x, y)
}

/// `BatchMatMulV3` of 8-bit integers and bfloat16.
#[kernel(BatchMatMulV3, device = CPU, Ta = [i8, u8], Tb = [bf16], Tout = [bf16])]
pub fn batch_matmul_integers_bf16<Ta: Element + Copy + Into<f32>>(context: &mut KernelContext<'_>) -> Result<()> {
    let x: Vec<f32> = context.input(0).as_slice::<Ta>()?.iter().map(|&x| x.into()).collect();
    let y: Vec<f32> = context.input(1).as_slice::<bf16>()?.iter().map(|y| y.to_f32()).collect();
    converted::<bf16>(context, x, y)
}

fn converted<T: Lanes<Lane: Gemm>>(context: &mut KernelContext<'_>, x: Vec<T::Lane>, y: Vec<T::Lane>) -> Result<()> {
    let mut output = output(context)?;
    let adjoint = [context.attr("adj_x")?, context.attr("adj_y")?];
    let shapes = [context.input(0).shape(), context.input(1).shape()];
    multiply_converted::<T>(context.env(), [x.into(), y.into()], shapes, adjoint, &mut output)?;
    context.set_output(0, output);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run;

    #[test]
    fn dtypes_may_differ() {
        let x = Tensor::from_vec([1, 2], vec![100i8, -100]).unwrap();
        let y = Tensor::from_vec([2, 1, 2], vec![200u8, 1, 3, 4]).unwrap();
        let attrs = [("Tout", DType::Int32.into()), ("adj_y", true.into())];
        let out = run("BatchMatMulV3", &attrs, vec![x.clone(), y]).unwrap();
        assert_eq!((out[0].shape().dims(), out[0].as_slice::<i32>().unwrap()), (&[2, 1, 1][..], &[19_900, -100][..]));
        let y = Tensor::from_vec([2, 1], vec![bf16::from_f32(0.5), bf16::from_f32(0.25)]).unwrap();
        let out = run("BatchMatMulV3", &[("Tout", DType::BFloat16.into())], vec![x, y]).unwrap();
        assert_eq!(out[0].as_slice::<bf16>().unwrap(), [bf16::from_f32(25.0)]);
    }
}
