//! `Bitcast`: the same bytes as elements of another dtype.
//!
//! To a smaller dtype, the ratio of the sizes becomes a new last extent; to a larger one, a last extent of that ratio
//! goes (another last extent is an error). Dtypes of one size share memory. Bytes are in the machine's order,
//! little-endian.

use oplink::prelude::*;
use oplink_ops::array::Bitcast;

/// `Bitcast` between all dtypes it allows.
#[kernel(Bitcast, device = CPU, T = any, type = any)]
pub fn bitcast_cpu(input: Input<'_>, mut output: OutputSlot<'_>) -> Result<()> {
    let to = output.dtype();
    let (Some(from_size), Some(to_size)) = (input.dtype().size(), to.size()) else {
        bail!("{} cannot be cast bitwise to {to}", input.dtype())
    };
    if from_size == to_size {
        output.set(input.take().bitcast(to)?);
        return Ok(());
    }
    let shape = cast_shape(&input, to, from_size, to_size)?;
    output.allocate(shape)?.as_mut_bytes()?.copy_from_slice(input.as_bytes()?);
    Ok(())
}

fn cast_shape(input: &Tensor, to: DType, from_size: usize, to_size: usize) -> Result<Shape> {
    let mut shape = input.shape().clone();
    if to_size < from_size {
        shape.push(from_size / to_size);
        return Ok(shape);
    }
    match shape.split_last() {
        Some((&last, rest)) if last == to_size / from_size => Ok(rest.into()),
        _ => bail!("{} {shape} cannot be cast to {to}: its last extent must be {}", input.dtype(), to_size / from_size),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    fn bitcast(input: Tensor, to: DType) -> Result<Tensor> {
        Ok(run("Bitcast", &[("type", to.into())], vec![input])?.remove(0))
    }

    #[test]
    fn keeps_bytes() {
        let x = Tensor::from([1f32, -0.0]);
        let same = bitcast(x.clone(), DType::UInt32).unwrap();
        assert!(same.shares_memory_with(&x));
        assert_eq!(same.as_slice::<u32>().unwrap(), [0x3f80_0000, 0x8000_0000]);
        let bytes = bitcast(x.clone(), DType::UInt8).unwrap();
        assert_eq!(
            (bytes.shape().dims(), bytes.as_slice::<u8>().unwrap()),
            (&[2, 4][..], &[0, 0, 0x80, 0x3f, 0, 0, 0, 0x80][..])
        );
        assert_eq!(bitcast(bytes, DType::Float).unwrap().as_slice::<f32>().unwrap(), x.as_slice::<f32>().unwrap());
        assert_eq!(bitcast(x, DType::Double).unwrap().rank(), 0);
        assert!(bitcast(Tensor::from([1f32]), DType::Double).is_err());
        assert!(bitcast(Tensor::scalar(1f32), DType::Double).is_err());
    }
}
