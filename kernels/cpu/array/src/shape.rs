//! `Shape`, `ShapeN`, `Size` and `Rank`: the extents of tensors, their product and their number; `EnsureShape`: a
//! tensor of the shape that is expected.
//!
//! It is an error when a number does not fit `out_type`. The output of `EnsureShape` shares the input's memory,
//! whatever its dtype; a shape that the attr `shape` does not accept is an error.

use oplink::prelude::*;
use oplink_ops::array::{EnsureShape, Rank, Shape, ShapeN, Size};

/// `Shape` of every dtype.
#[kernel(Shape, device = CPU, T = any, out_type = [i32, i64], host_memory = [output])]
pub fn shape_cpu(input: &Tensor, output: OutputSlot<'_>) -> Result<()> {
    set_extents(input, output)
}

/// `ShapeN` of every dtype.
#[kernel(ShapeN, device = CPU, T = any, out_type = [i32, i64], host_memory = [output])]
pub fn shape_n_cpu(input: &[Tensor], mut output: OutputList<'_>) -> Result<()> {
    input.iter().zip(output.iter_mut()).try_for_each(|(input, output)| set_extents(input, output))
}

/// Sets an output of int32 or int64 to the extents.
fn set_extents(input: &Tensor, mut output: OutputSlot<'_>) -> Result<()> {
    let shape = input.shape();
    if output.dtype() == DType::Int64 {
        output.set(shape.iter().map(|&dim| dim as i64).collect::<Vec<_>>().into());
        return Ok(());
    }
    match shape.iter().map(|&dim| i32::try_from(dim)).collect::<Result<Vec<_>, _>>() {
        Ok(dims) => output.set(dims.into()),
        Err(_) => bail!("the shape {shape} does not fit int32; set out_type to int64"),
    }
    Ok(())
}

/// `Size` of every dtype.
#[kernel(Size, device = CPU, T = any, out_type = [i32, i64], host_memory = [output])]
pub fn size_cpu(input: &Tensor, mut output: OutputSlot<'_>) -> Result<()> {
    let count = input.num_elements();
    if output.dtype() == DType::Int64 {
        output.set_scalar(count as i64);
        return Ok(());
    }
    match i32::try_from(count) {
        Ok(count) => output.set_scalar(count),
        Err(_) => bail!("{count} elements do not fit int32; set out_type to int64"),
    }
    Ok(())
}

/// `Rank` of every dtype.
#[kernel(Rank, device = CPU, T = any, host_memory = [output])]
pub fn rank_cpu(input: &Tensor, mut output: OutputSlot<'_>) {
    output.set_scalar(input.rank() as i32);
}

/// `EnsureShape` of every dtype.
#[kernel(EnsureShape, device = CPU, T = any)]
pub fn ensure_shape_cpu(input: Input<'_>, shape: &PartialShape, mut output: OutputSlot<'_>) -> Result<()> {
    let own = input.shape();
    ensure!(shape.accepts(own), "the input has shape {own}, which is not compatible with the attr shape {shape}");
    output.set(input.take());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{run, run_one};

    #[test]
    fn gives_the_extents() {
        let x = Tensor::zeros(DType::String, [2, 0, 3]).unwrap();
        let out = run("Shape", &[], vec![x.clone()]).unwrap();
        assert_eq!(out[0].as_slice::<i32>().unwrap(), [2, 0, 3]);
        let out = run("Shape", &[("out_type", DType::Int64.into())], vec![x]).unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), [2, 0, 3]);
        let out = run("Shape", &[], vec![Tensor::scalar(1f32)]).unwrap();
        assert_eq!(out[0].shape().dims(), [0]);
    }

    #[test]
    fn refuses_extents_that_do_not_fit() {
        let x = Tensor::zeros(DType::Float, [0, 1 << 31]).unwrap();
        assert!(run("Shape", &[], vec![x]).unwrap_err().message().contains("int64"));
    }

    #[test]
    fn gives_each_inputs_extents() {
        let out = run("ShapeN", &[], vec![Tensor::from([1f32, 2.0]), Tensor::scalar(1f32)]).unwrap();
        assert_eq!((out[0].as_slice::<i32>().unwrap(), out[1].as_slice::<i32>().unwrap()), (&[2][..], &[][..]));
    }

    #[test]
    fn counts_elements() {
        let x = Tensor::zeros(DType::Bool, [2, 3]).unwrap();
        assert_eq!(run_one("Size", vec![x.clone()]).unwrap().to_scalar::<i32>().unwrap(), 6);
        let out = run("Size", &[("out_type", DType::Int64.into())], vec![x]).unwrap();
        assert_eq!(out[0].to_scalar::<i64>().unwrap(), 6);
        assert_eq!(run_one("Size", vec![Tensor::scalar(1f32)]).unwrap().to_scalar::<i32>().unwrap(), 1);
    }

    #[test]
    fn counts_dimensions() {
        let rank = |x: Tensor| run_one("Rank", vec![x]).unwrap().to_scalar::<i32>().unwrap();
        assert_eq!(rank(Tensor::zeros(DType::Variant, [2, 0, 3]).unwrap()), 3);
        assert_eq!(rank(Tensor::scalar(1u8)), 0);
    }

    #[test]
    fn lets_the_wanted_shape_pass() {
        let ensure = |dims: &[Option<usize>]| {
            run("EnsureShape", &[("shape", PartialShape::new(dims).into())], vec![Tensor::from([1, 2])])
        };
        assert!(ensure(&[Some(2)]).is_ok());
        assert!(ensure(&[None]).is_ok());
        assert!(ensure(&[Some(3)]).is_err());
        assert!(ensure(&[None, None]).is_err());
    }
}
