//! The cases of `keras.txt`.

use oplink::nn::Value;
use oplink::prelude::*;

/// A tensor of a case, with what it is.
pub(super) struct Entry {
    label: String,
    pub(super) value: Tensor,
}

/// A case: its name and tensors.
pub(super) struct Case {
    pub(super) name: String,
    entries: Vec<Entry>,
}

impl Case {
    /// The tensors of a label, in order.
    pub(super) fn all(&self, label: &str) -> Vec<&Tensor> {
        self.entries.iter().filter(|entry| entry.label == label).map(|entry| &entry.value).collect()
    }

    pub(super) fn get(&self, label: &str) -> Result<Value> {
        let first = self.all(label).first().copied();
        first.map(Value::from).ok_or_else(|| Error::not_found(format!("the case {} has no `{label}`", self.name)))
    }

    /// Holds a value against a tensor: the largest difference, as a share of the tensor's largest magnitude.
    pub(super) fn check(&self, what: &str, got: &Value, expected: &Tensor) -> Result<f32> {
        self.check_within(1e-5, what, got, expected)
    }

    /// The same with another bound than that of f32.
    pub(super) fn check_within(&self, bound: f32, what: &str, got: &Value, expected: &Tensor) -> Result<f32> {
        ensure!(
            got.shape()? == *expected.shape(),
            "{}: {what} has the shape {}, not {}",
            self.name,
            got.shape()?,
            expected.shape()
        );
        let (got, expected) = (got.to_vec::<f32>()?, expected.as_slice::<f32>()?);
        let scale = expected.iter().fold(1.0f32, |scale, x| scale.max(x.abs()));
        let worst = got
            .iter()
            .zip(expected)
            .map(|(g, e)| (g - e).abs() / scale)
            .fold(0.0, |worst: f32, x| if x.is_nan() { f32::NAN } else { worst.max(x) });
        ensure!(worst <= bound, "{}: {what} is off by {worst:e}: {got:?}, not {expected:?}", self.name);
        Ok(worst)
    }
}

/// The cases of a kind.
pub(super) fn cases(kind: &str) -> Result<Vec<Case>> {
    let mut cases: Vec<(String, Case)> = Vec::new();
    for line in include_str!("../../oracle/keras.txt").lines().filter(|line| !line.starts_with('#')) {
        if let Some(case) = line.strip_prefix("case ") {
            let Some((kind, name)) = case.split_once(' ') else { bail!("no case: {line}") };
            cases.push((kind.to_owned(), Case { name: name.to_owned(), entries: Vec::new() }));
        } else if let Some((_, case)) = cases.last_mut() {
            case.entries.push(entry(line)?);
        }
    }
    Ok(cases.into_iter().filter(|(of, _)| of == kind).map(|(_, case)| case).collect())
}

/// `label dtype[extents]: values`
fn entry(line: &str) -> Result<Entry> {
    let wrong = || Error::invalid_argument(format!("no tensor: {line}"));
    let (head, values) = line.split_once(':').ok_or_else(wrong)?;
    let (label, of) = head.split_once(' ').ok_or_else(wrong)?;
    let (dtype, extents) = of.strip_suffix(']').and_then(|of| of.split_once('[')).ok_or_else(wrong)?;
    let extents =
        extents.split(',').filter(|extent| !extent.is_empty()).map(|extent| extent.parse().map_err(|_| wrong()));
    let shape = Shape::new(&extents.collect::<Result<Vec<usize>>>()?);
    let numbers = values.split_whitespace().map(|number| number.parse::<f64>().map_err(|_| wrong()));
    let numbers = numbers.collect::<Result<Vec<f64>>>()?;
    let value = match dtype {
        "float32" => Tensor::from_vec(shape, numbers.into_iter().map(|x| x as f32).collect())?,
        "int32" => Tensor::from_vec(shape, numbers.into_iter().map(|x| x as i32).collect())?,
        _ => return Err(wrong()),
    };
    Ok(Entry { label: label.to_owned(), value })
}
