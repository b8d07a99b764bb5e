//! `DecodeRaw` and `DecodePaddedRaw`: the bytes of strings as elements of a dtype.
//!
//! All strings have one length, a multiple of the element's size; the output has the input's shape and one more axis
//! with the elements of a string. Bytes are little-endian, or big-endian without the attr `little_endian` (each part of
//! a complex number by itself). Bools are true for any byte but 0. `DecodePaddedRaw` takes the first `fixed_length`
//! bytes of each string, zeros where it is shorter.

use oplink::prelude::*;
use oplink_ops::string::{DecodePaddedRaw, DecodeRaw};

/// Zeros that are written between two looks at the step.
const BLOCK: usize = 1 << 20;

/// `DecodeRaw` of every dtype.
#[kernel(DecodeRaw, device = CPU, out_type = any)]
pub fn decode_raw_cpu(bytes: &Tensor, little_endian: bool, mut output: OutputSlot<'_>) -> Result<()> {
    let (input, dtype) = (bytes, output.dtype());
    let strings = input.as_slice::<TString>()?;
    let length = strings.first().map_or(0, |first| first.as_bytes().len());
    if let Some(other) = strings.iter().find(|string| string.as_bytes().len() != length) {
        let other = other.as_bytes().len();
        bail!("all strings must have one length, the first has {length} bytes and another {other}");
    }
    let size = dtype.size().unwrap_or(1);
    ensure!(length.is_multiple_of(size), "the length {length} is not a multiple of {size}, the size of {dtype}");
    let mut shape = input.shape().clone();
    shape.push(length / size);
    let out = output.allocate(shape)?;
    let bytes = strings.iter().flat_map(|string| string.as_bytes().iter().copied());
    if dtype == DType::Bool {
        out.as_mut_slice::<bool>()?.iter_mut().zip(bytes).for_each(|(out, byte)| *out = byte != 0);
    } else {
        let out = out.as_mut_bytes()?;
        if length > 0 {
            let rows = out.chunks_exact_mut(length).zip(strings);
            rows.for_each(|(row, string)| row.copy_from_slice(string.as_bytes()));
        }
        if !little_endian {
            let part = if matches!(dtype, DType::Complex64 | DType::Complex128) { size / 2 } else { size };
            out.chunks_exact_mut(part).for_each(<[u8]>::reverse);
        }
    }
    Ok(())
}

/// `DecodePaddedRaw` of every dtype.
#[kernel(DecodePaddedRaw, device = CPU, out_type = any)]
pub fn decode_padded_raw_cpu(
    input_bytes: &Tensor,
    fixed_length: &Tensor,
    little_endian: bool,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    ensure!(fixed_length.rank() == 0, "fixed_length must be a scalar, its shape is {}", fixed_length.shape());
    let (length, size) = (fixed_length.to_scalar::<i32>()?, output.dtype().size().unwrap_or(1));
    let length = usize::try_from(length).ok().filter(|&length| length > 0 && length.is_multiple_of(size));
    let Some(length) = length else { bail!("fixed_length must be a multiple of {size} above 0") };
    let mut shape = input_bytes.shape().clone();
    shape.push(length / size);
    let out = output.allocate(shape)?.as_mut_bytes()?;
    for (row, string) in out.chunks_exact_mut(length).zip(input_bytes.as_slice::<TString>()?) {
        let bytes = string.as_bytes();
        let (given, missing) = row.split_at_mut(bytes.len().min(length));
        given.copy_from_slice(&bytes[..given.len()]);
        for part in missing.chunks_mut(BLOCK) {
            env.poll();
            part.fill(0);
        }
    }
    if !little_endian {
        env.watch(out.chunks_exact_mut(size)).for_each(<[u8]>::reverse);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check_with, run};

    #[test]
    fn bytes_become_numbers() {
        let bytes = || Tensor::from([TString::new([1, 0, 2, 0]), TString::new([3, 0, 4, 1])]);
        let expected = Tensor::from_vec([2, 2], vec![1i16, 2, 3, 260]).unwrap();
        check_with("DecodeRaw", &[("out_type", DType::Int16.into())], [bytes()], expected);
        let attrs = [("out_type", DType::Int16.into()), ("little_endian", false.into())];
        check_with("DecodeRaw", &attrs, [bytes()], Tensor::from_vec([2, 2], vec![256i16, 512, 768, 1025]).unwrap());
        let expected = Tensor::from([true, false, true]);
        check_with("DecodeRaw", &[("out_type", DType::Bool.into())], [TString::new([2, 0, 1]).into()], expected);
    }

    #[test]
    fn strings_are_filled_up() {
        let inputs = |length: i32| vec![Tensor::from(["abc", "x"].map(TString::from)), length.into()];
        let attrs = [("out_type", DType::UInt16.into())];
        let out = run("DecodePaddedRaw", &attrs, inputs(4)).unwrap().remove(0);
        assert_eq!(out.as_slice::<u16>().unwrap(), [0x6261, 0x63, 0x78, 0]);
        let attrs = [("out_type", DType::UInt16.into()), ("little_endian", false.into())];
        let out = run("DecodePaddedRaw", &attrs, inputs(2)).unwrap().remove(0);
        assert_eq!(out.as_slice::<u16>().unwrap(), [0x6162, 0x7800]);
        for length in [0, 3, -2] {
            assert!(run("DecodePaddedRaw", &attrs, inputs(length)).is_err());
        }
    }

    #[test]
    fn lengths_that_do_not_fit_are_errors() {
        for strings in [["abc", "abc"], ["ab", "abcd"]] {
            let inputs = vec![strings.map(TString::from).into()];
            assert!(run("DecodeRaw", &[("out_type", DType::Int16.into())], inputs).is_err());
        }
    }
}
