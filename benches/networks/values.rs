//! Inputs and expected outputs of a network.

use std::error::Error;
use std::fs::File;

use ndarray::{ArrayD, Axis, IxDyn, OwnedRepr};
use ndarray_npy::{NpzReader, ReadableElement};
use oplink::{Element, Tensor};

/// What is fed, fetched and expected.
pub(crate) struct Values {
    pub(crate) feeds: Vec<String>,
    pub(crate) fetches: Vec<String>,
    /// Whether a run is a step of training.
    pub(crate) trains: bool,
    /// The values to feed, of one run or of several in turn.
    pub(crate) inputs: Vec<Vec<Tensor>>,
    /// What TensorFlow gave: outputs in the order of `fetches`, or the loss of each step.
    expected: Vec<Tensor>,
    /// Whether the inputs are those that TensorFlow was given.
    original: bool,
}

type Archive = NpzReader<File>;

/// The values in an archive, with other extents of the inputs where `extents` names any.
pub(crate) fn read(path: &str, extents: &[(usize, usize)]) -> Result<Values, Box<dyn Error>> {
    let mut archive = NpzReader::new(File::open(path)?)?;
    let names: Vec<String> = archive.names()?.iter().map(|name| name.trim_end_matches(".npy").to_owned()).collect();
    let of = |prefix: &str| -> Vec<String> {
        names.iter().filter_map(|name| name.strip_prefix(prefix).map(str::to_owned)).collect()
    };
    let trains = names.iter().any(|name| name == "loss");
    let (feeds, mut fetches) = (of("in:"), of("out:"));
    let mut expected = Vec::new();
    for fetch in &fetches {
        expected.extend(input(&mut archive, &format!("out:{fetch}"), &[], false)?);
    }
    if trains {
        expected = input(&mut archive, "loss", &[], false)?;
        fetches = vec!["loss:0".to_owned()];
    }
    let mut columns = Vec::new();
    for feed in &feeds {
        columns.push(input(&mut archive, &format!("in:{feed}"), extents, trains)?);
    }
    let runs = columns.iter().map(Vec::len).min().unwrap_or(1);
    let inputs = (0..runs).map(|run| columns.iter().map(|column| column[run].clone()).collect()).collect();
    Ok(Values { feeds, fetches, trains, inputs, expected, original: extents.is_empty() })
}

/// An array of any dtype that networks have; by its first axis where it has one value for each step.
fn input(
    archive: &mut Archive,
    name: &str,
    extents: &[(usize, usize)],
    stepwise: bool,
) -> Result<Vec<Tensor>, Box<dyn Error>> {
    if let Ok(found) = typed::<f32>(archive, name, extents, stepwise) {
        return Ok(found);
    }
    if let Ok(found) = typed::<i32>(archive, name, extents, stepwise) {
        return Ok(found);
    }
    typed::<i64>(archive, name, extents, stepwise)
}

fn typed<T: Element + ReadableElement + Clone>(
    archive: &mut Archive,
    name: &str,
    extents: &[(usize, usize)],
    stepwise: bool,
) -> Result<Vec<Tensor>, Box<dyn Error>> {
    let array: ArrayD<T> = archive.by_name::<OwnedRepr<T>, IxDyn>(name)?;
    let steps: Vec<ArrayD<T>> =
        if stepwise { array.outer_iter().map(|step| step.to_owned()).collect() } else { vec![array] };
    Ok(steps.into_iter().map(|step| Tensor::from_array(resized(step, extents))).collect())
}

/// The array with its values repeated, or cut, along the axes that `extents` names.
fn resized<T: Clone>(array: ArrayD<T>, extents: &[(usize, usize)]) -> ArrayD<T> {
    extents.iter().filter(|(axis, _)| *axis < array.ndim()).fold(array.clone(), |array, &(axis, extent)| {
        let positions: Vec<usize> = (0..extent).map(|position| position % array.len_of(Axis(axis))).collect();
        array.select(Axis(axis), &positions)
    })
}

impl Values {
    /// The largest difference to what TensorFlow gave, relative to the largest magnitude; NaN where the inputs are not
    /// TensorFlow's. `got` has the outputs of a run, or the loss of each step.
    pub(crate) fn error(&self, got: &[Tensor]) -> oplink::Result<f64> {
        if !self.original {
            return Ok(f64::NAN);
        }
        if !self.trains {
            let mut errors = got.iter().zip(&self.expected).map(|(got, expected)| difference(got, expected));
            return errors.try_fold(0.0f64, |worst, error| Ok(worst.max(error?)));
        }
        let losses: Vec<f32> = got.iter().map(|loss| Ok(loss.as_slice::<f32>()?[0])).collect::<oplink::Result<_>>()?;
        difference(&Tensor::from_vec([losses.len()], losses)?, &self.expected[0])
    }
}

/// The largest difference, relative to the largest expected magnitude; infinite where shapes or integers differ.
fn difference(got: &Tensor, expected: &Tensor) -> oplink::Result<f64> {
    if got.dtype() != expected.dtype() || got.shape() != expected.shape() {
        return Ok(f64::INFINITY);
    }
    let (Ok(got_values), Ok(expected_values)) = (got.as_slice::<f32>(), expected.as_slice::<f32>()) else {
        return Ok(if got.as_bytes()? == expected.as_bytes()? { 0.0 } else { f64::INFINITY });
    };
    let largest = expected_values.iter().fold(f64::MIN_POSITIVE, |largest, value| largest.max(f64::from(value.abs())));
    let worst = got_values.iter().zip(expected_values).fold(0.0f64, |worst, (got, expected)| {
        let difference = f64::from((got - expected).abs());
        if difference <= worst { worst } else { difference }
    });
    Ok(worst / largest)
}
