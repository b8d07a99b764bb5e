//! `ImmutableConst`: a tensor whose bytes a file holds.

use std::fs::{self, File};
use std::io::{self, Read};

use oplink::prelude::*;
use oplink_bundle::file_error;
use oplink_ops::io::ImmutableConst;

use super::paths::path;

/// Bytes that are read between two looks at the step.
const BLOCK: usize = 1 << 20;

/// `ImmutableConst` of every dtype with a fixed size.
#[kernel(ImmutableConst, device = CPU, dtype = any)]
pub fn immutable_const_cpu(
    shape: &PartialShape,
    memory_region_name: &[u8],
    mut tensor: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let dtype = tensor.dtype();
    if dtype == DType::String {
        return Err(Error::unimplemented("ImmutableConst cannot make strings"));
    }
    ensure!(dtype.size().is_some(), "ImmutableConst cannot make a tensor of {dtype}");
    let Some(shape) = shape.to_shape() else { bail!("the attr shape must be fully known, it is {shape}") };
    let path = path(memory_region_name)?;
    let failed = |error: io::Error| file_error("read", &path, &error);
    // Before it is opened, which waits where it is a pipe.
    let metadata = fs::metadata(&path).map_err(failed)?;
    ensure!(metadata.is_file(), "{} is no file", path.display());
    let bytes = dtype.size().and_then(|size| shape.checked_num_elements()?.checked_mul(size));
    let length = metadata.len();
    ensure!(
        length > 0 && bytes.is_some_and(|bytes| bytes as u64 <= length),
        "the file {} of {length} bytes is too short for a tensor of {dtype} {shape}",
        path.display()
    );
    let mut file = File::open(&path).map_err(failed)?;
    if dtype == DType::Bool {
        let mut block = [0; 4096];
        for values in tensor.allocate(shape)?.as_mut_slice::<bool>()?.chunks_mut(block.len()) {
            env.poll();
            let block = &mut block[..values.len()];
            file.read_exact(block).map_err(failed)?;
            values.iter_mut().zip(block).for_each(|(value, byte)| *value = *byte != 0);
        }
        return Ok(());
    }
    for part in tensor.allocate(shape)?.as_mut_bytes()?.chunks_mut(BLOCK) {
        env.poll();
        file.read_exact(part).map_err(failed)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    fn read(name: &str, bytes: &[u8], dtype: DType, shape: &[i64]) -> Result<Tensor> {
        let path = std::env::temp_dir().join(format!("oplink-immutable-const-{}-{name}", std::process::id()));
        fs::write(&path, bytes).unwrap();
        let attrs = [
            ("dtype", dtype.into()),
            ("shape", AttrValue::Shape(PartialShape::from_i64(Some(shape))?)),
            ("memory_region_name", AttrValue::String(path.to_string_lossy().as_bytes().to_vec())),
        ];
        let out = run("ImmutableConst", &attrs, vec![]);
        fs::remove_file(&path).unwrap();
        Ok(out?.remove(0))
    }

    #[test]
    fn elements_are_the_bytes() {
        let floats: Vec<u8> = [1f32, -2.5, 3.0].iter().flat_map(|value| value.to_le_bytes()).collect();
        assert_eq!(read("floats", &floats, DType::Float, &[3]).unwrap().as_slice::<f32>().unwrap(), [1.0, -2.5, 3.0]);
        let two = read("longer", &floats, DType::Float, &[2, 1]).unwrap();
        assert_eq!((two.shape().dims(), two.as_slice::<f32>().unwrap()), (&[2, 1][..], &[1.0, -2.5][..]));
        let bools = read("bools", &[0, 1, 2], DType::Bool, &[3]).unwrap();
        assert_eq!(bools.as_slice::<bool>().unwrap(), [false, true, true]);
        assert_eq!(read("none", &[1], DType::Int64, &[0]).unwrap().shape().dims(), [0]);
    }

    #[test]
    fn what_a_file_cannot_hold_is_refused() {
        assert!(read("short", &[0; 11], DType::Float, &[3]).unwrap_err().message().contains("too short"));
        assert!(read("empty", &[], DType::Float, &[0]).is_err());
        assert!(read("unknown", &[0; 8], DType::Float, &[-1]).is_err());
        assert!(read("huge", &[0; 8], DType::Float, &[1 << 40, 1 << 40]).is_err());
        assert_eq!(read("strings", &[0; 8], DType::String, &[1]).unwrap_err().code(), Code::Unimplemented);
        assert!(read("resource", &[0; 8], DType::Resource, &[1]).is_err());
        let attrs = [
            ("dtype", DType::Float.into()),
            ("shape", AttrValue::Shape(PartialShape::scalar())),
            ("memory_region_name", "/nowhere/at/all".into()),
        ];
        assert_eq!(run("ImmutableConst", &attrs, vec![]).unwrap_err().code(), Code::NotFound);
    }
}
