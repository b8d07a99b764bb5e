//! Files of records (TFRecord) that are `tf.train.Example`s.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::File;
use std::path::{Path, PathBuf};

use oplink_api::call::{Arg, Call};
use oplink_api::{AttrValue, DType, Error, Op, PartialShape, Result, Shape, TString, Tensor, ensure};
use oplink_bundle::file_error;
use oplink_ops::ParseExampleV2;

use super::Batch;
use super::batching::{Batching, Rows, batched};
use super::record_spans::{Span, read, spans};
use crate::run::run;
use crate::value::Value;

/// A feature of an example.
#[derive(Clone, Debug)]
struct Feature {
    name: String,
    dtype: DType,
    shape: Shape,
}

/// Examples in TensorFlow's record files: `x` and `y` are a feature each, of one dtype and shape in all examples.
///
/// The files are gone through once, for where records lie; records are read when a batch is loaded, and parsed by the
/// op `ParseExampleV2`. A feature of strings is given as such:
/// encoded images become pixels by [`Dataset::map`](super::Dataset::map) and [`decode_image`](super::decode_image).
///
/// ```ignore
/// let data = TfRecords::open(["train-0.tfrecord", "train-1.tfrecord"])?
///     .x("pixels", DType::Float, [28, 28, 1])?
///     .y("label", DType::Int64, [])?
///     .batch_size(64)
///     .shuffle(1);
/// ```
#[derive(Clone, Debug)]
pub struct TfRecords {
    files: Vec<PathBuf>,
    /// The file of each record, its number there, and where it lies.
    records: Vec<(u32, u32, Span)>,
    x: Option<Feature>,
    y: Option<Feature>,
    batching: Batching,
}

batched!(TfRecords);

impl TfRecords {
    /// The records of files, in their order. Which features are inputs and targets is still to be told.
    ///
    /// # Errors
    /// A file cannot be read, is compressed, or is damaged where it tells the lengths of its records.
    pub fn open(files: impl IntoIterator<Item = impl AsRef<Path>>) -> Result<Self> {
        let files: Vec<PathBuf> = files.into_iter().map(|file| file.as_ref().to_owned()).collect();
        let mut records = Vec::new();
        for (file, path) in (0u32..).zip(&files) {
            records.extend((0u32..).zip(spans(path)?).map(|(number, span)| (file, number, span)));
        }
        Ok(Self { files, records, x: None, y: None, batching: Batching::default() })
    }

    /// Sets the feature that is the input: its name, dtype (f32, int64 or strings) and shape in an example.
    ///
    /// # Errors
    /// Features have no such dtype.
    pub fn x(self, name: &str, dtype: DType, shape: impl Into<Shape>) -> Result<Self> {
        Ok(Self { x: Some(feature(name, dtype, shape.into())?), ..self })
    }

    /// Sets the feature that is true of the input.
    ///
    /// # Errors
    /// As [`TfRecords::x`].
    pub fn y(self, name: &str, dtype: DType, shape: impl Into<Shape>) -> Result<Self> {
        Ok(Self { y: Some(feature(name, dtype, shape.into())?), ..self })
    }

    /// The number of examples.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    fn batch(&self, rows: &Rows<'_>) -> Result<Batch> {
        let (Some(x), Some(y)) = (&self.x, &self.y) else {
            let message = "records are read without `TfRecords::x` or `TfRecords::y`: tell which features of an example \
                           are its input and what is true of it";
            return Err(Error::invalid_argument(message));
        };
        let (numbers, mut serialized, mut files) = (rows.numbers(), Vec::new(), HashMap::new());
        for &at in &numbers {
            let (file, number, span) = self.records[at];
            let path = &self.files[file as usize];
            let opened = match files.entry(file) {
                Entry::Occupied(opened) => opened.into_mut(),
                Entry::Vacant(vacant) => {
                    vacant.insert(File::open(path).map_err(|error| file_error("read", path, &error))?)
                }
            };
            serialized.push(TString::new(&read(opened, path, number as usize, span)?));
        }
        let [x, y] =
            parse(&serialized, [x, y]).map_err(|error| self.first_wrong(&numbers, &serialized, [x, y], error))?;
        Ok(Batch { x, y })
    }

    /// The error of the first record that cannot be parsed, with where it is; `error` is that of all together.
    fn first_wrong(&self, numbers: &[usize], serialized: &[TString], features: [&Feature; 2], error: Error) -> Error {
        let mut parsed = numbers.iter().zip(serialized.chunks(1)).map(|(&at, one)| (at, parse(one, features)));
        match parsed.find_map(|(at, parsed)| Some((at, parsed.err()?))) {
            None => error,
            Some((at, error)) => {
                let (file, number, _) = self.records[at];
                error.context(format!("record {number} of {}", self.files[file as usize].display()))
            }
        }
    }
}

fn feature(name: &str, dtype: DType, shape: Shape) -> Result<Feature> {
    let is_one = matches!(dtype, DType::Float | DType::Int64 | DType::String);
    ensure!(is_one, "the feature `{name}` cannot be of {dtype}: examples have float, int64 and strings");
    Ok(Feature { name: name.to_owned(), dtype, shape })
}

/// The features of serialized examples, each of which must have them.
fn parse(serialized: &[TString], features: [&Feature; 2]) -> Result<[Tensor; 2]> {
    let texts = |texts: Vec<TString>| Ok::<_, Error>(Arg::One(Tensor::from_vec([texts.len()], texts)?.into()));
    // Where input and target are one feature, it is asked for once.
    let is_one = features[0].name == features[1].name;
    let asked = if is_one { &features[..1] } else { &features[..] };
    let keys = asked.iter().map(|feature| TString::from(&*feature.name)).collect();
    let none = |feature: &&Feature| Ok(Value::new(Tensor::zeros(feature.dtype, [0])?));
    let defaults = asked.iter().map(none).collect::<Result<Vec<_>>>()?;
    let inputs = [
        texts(serialized.to_vec())?,
        texts(Vec::new())?,
        texts(Vec::new())?,
        texts(keys)?,
        texts(Vec::new())?,
        Arg::List(defaults),
    ];
    let shapes = asked.iter().map(|feature| PartialShape::from(&feature.shape)).collect();
    let attrs = vec![
        ("num_sparse", 0i64.into()),
        ("sparse_types", AttrValue::Types(Vec::new())),
        ("ragged_value_types", AttrValue::Types(Vec::new())),
        ("ragged_split_types", AttrValue::Types(Vec::new())),
        ("dense_shapes", AttrValue::Shapes(shapes)),
    ];
    let call = Call { op: ParseExampleV2::NAME, name: None, device: None, inputs: inputs.into_iter().collect(), attrs };
    let parsed = run(call)?.values.iter().map(Value::tensor).collect::<Result<Vec<_>>>()?;
    match parsed.as_slice() {
        [both] => Ok([both.clone(), both.clone()]),
        [x, y] => Ok([x.clone(), y.clone()]),
        _ => Err(Error::internal("examples were not parsed into the features that were asked for")),
    }
}
