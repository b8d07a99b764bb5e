//! Files of `safetensors` that Python's package wrote, by `tests/oracle/make_safetensors.py`, and those written here.

use oplink::nn::{Module, Variable, weights};
use oplink::prelude::*;
use oplink::{Tensor, Value};

use super::Folder;

/// What `safetensors` 0.8 of Python writes of the variables below.
const PYTHONS: &[u8] = include_bytes!("../../oracle/python.safetensors");

#[derive(Module)]
struct Layer {
    kernel: Variable,
    bias: Variable,
}

#[derive(Module)]
struct Head {
    kernel: Variable,
    scale: Variable,
}

#[derive(Module)]
struct Counts {
    seen: Variable,
    mask: Variable,
    bytes: Variable,
    none: Variable,
}

#[derive(Module)]
struct Model {
    body: Layer,
    head: Head,
    counts: Counts,
}

/// `-0.75, -0.5, …`
fn ramp(shape: &[usize], dtype: DType) -> Result<Variable> {
    let count = shape.iter().product::<usize>() as i32;
    let values = (Value::range(0i32, count, 1)?.cast(DType::Float)?.reshape(shape)? - 3.0) / 4.0;
    Variable::untrained("ramp", values.cast(dtype)?)
}

fn model() -> Result<Model> {
    let untrained = |value: Tensor| Variable::untrained("variable", value);
    Ok(Model {
        body: Layer { kernel: ramp(&[2, 3], DType::Float)?, bias: ramp(&[3], DType::Half)? },
        head: Head { kernel: ramp(&[3, 1], DType::BFloat16)?, scale: untrained(Tensor::scalar(1.5f64))? },
        counts: Counts {
            seen: untrained(Tensor::from_slice(&[1i64, -2, 3]))?,
            mask: untrained(Tensor::from_slice(&[true, false, true]))?,
            bytes: untrained(Tensor::from_slice(&[0u8, 1, 2, 3, 4]))?,
            none: untrained(Tensor::zeros(DType::Int32, [0, 4])?)?,
        },
    })
}

fn bytes(model: &Model) -> Result<Vec<(String, Vec<u8>)>> {
    let one = |(name, variable): (String, Variable)| Ok((name, variable.tensor()?.as_bytes()?.to_vec()));
    model.variables().into_iter().map(one).collect()
}

#[test]
fn what_python_wrote_is_read() -> Result<()> {
    let (folder, read) = (Folder::new("of-python"), model()?);
    let expected = bytes(&read)?;
    for (_, variable) in read.variables() {
        variable.assign(Tensor::zeros(variable.dtype(), variable.shape().clone())?)?;
    }
    assert_ne!(bytes(&read)?, expected);
    let path = folder.0.join("python.safetensors");
    std::fs::write(&path, PYTHONS)?;
    weights::load(&read, &path)?;
    assert_eq!(bytes(&read)?, expected);
    Ok(())
}

#[test]
fn what_is_written_is_what_python_writes() -> Result<()> {
    let folder = Folder::new("for-python");
    let path = folder.0.join("oplink.safetensors");
    weights::save(&model()?, &path)?;
    let written = std::fs::read(&path)?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(written == PYTHONS, "{}\nand not\n{}", text(&written), text(PYTHONS));
    Ok(())
}
