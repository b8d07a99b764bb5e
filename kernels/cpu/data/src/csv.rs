//! The records of files of comma-separated values.

use std::sync::Arc;

use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_cpu_state::reader::source::{Compression, Source};
use oplink_ops::data::{CSVDataset, CSVDatasetV2, ExperimentalCSVDataset};

use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Run};
use crate::position::{PositionReader, PositionWriter};

/// Files of records, and what their columns are.
struct Csv {
    names: Vec<TString>,
    compression: Compression,
    header: bool,
    delimiter: u8,
    /// Whether a field may stand in quotes.
    quotes: bool,
    missing: Vec<u8>,
    /// Which columns are components, in order; all where empty.
    selected: Vec<usize>,
    excluded: Vec<usize>,
    /// The dtype of each component, and the value where its field is empty.
    components: Vec<(DType, Option<Tensor>)>,
}

struct Records(Arc<Csv>);

struct CsvIterator {
    csv: Arc<Csv>,
    file: usize,
    given: u64,
    open: Option<Source>,
}

impl Dataset for Records {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        Vec::new()
    }

    fn cardinality(&self) -> Cardinality {
        if self.0.names.is_empty() { Cardinality::Known(0) } else { Cardinality::Unknown }
    }

    fn iterate(&self, _: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        Ok(Box::new(CsvIterator { csv: self.0.clone(), file: 0, given: 0, open: None }))
    }
}

impl Csv {
    fn open(&self, file: usize) -> Result<Source> {
        let mut source = Source::open(&self.names[file], self.compression)?;
        if self.header {
            source.line()?;
        }
        Ok(source)
    }

    /// The fields of the next record; `None` at the end. A quoted field may go over several lines.
    fn fields(&self, source: &mut Source) -> Result<Option<Vec<Vec<u8>>>> {
        let Some(mut line) = source.line()? else { return Ok(None) };
        let (mut fields, mut at) = (Vec::new(), 0);
        loop {
            let mut field = Vec::new();
            if self.quotes && line.get(at) == Some(&b'"') {
                at += 1;
                loop {
                    match (line.get(at), line.get(at + 1)) {
                        (Some(b'"'), Some(b'"')) => {
                            field.push(b'"');
                            at += 2;
                        }
                        (Some(b'"'), _) => {
                            at += 1;
                            break;
                        }
                        (Some(&byte), _) => {
                            field.push(byte);
                            at += 1;
                        }
                        (None, _) => {
                            let Some(next) = source.line()? else {
                                bail!("a quoted field does not end before the file does")
                            };
                            field.push(b'\n');
                            (line, at) = (next, 0);
                        }
                    }
                }
                let ends = line.get(at).is_none_or(|&byte| byte == self.delimiter);
                ensure!(
                    ends,
                    "a quote inside a quoted field must be written twice, and only a delimiter may follow the last"
                );
            } else {
                let rest = &line[at..];
                let length = rest.iter().position(|&byte| byte == self.delimiter).unwrap_or(rest.len());
                field.extend_from_slice(&rest[..length]);
                let quoted = self.quotes && field.contains(&b'"');
                ensure!(!quoted, "a field with a quote must stand in quotes, with each quote in it written twice");
                at += length;
            }
            fields.push(field);
            if at >= line.len() {
                return Ok(Some(fields));
            }
            at += 1;
        }
    }

    fn element(&self, fields: &[Vec<u8>]) -> Result<Element> {
        let chosen: Vec<&Vec<u8>> = match &self.selected[..] {
            [] => (fields.iter().enumerate())
                .filter(|(column, _)| !self.excluded.contains(column))
                .map(|(_, field)| field)
                .collect(),
            selected => selected.iter().filter_map(|&column| fields.get(column)).collect(),
        };
        let (has, wanted) = (chosen.len(), self.components.len());
        ensure!(has == wanted, "the record has {has} of the chosen columns, {wanted} are expected");
        let value = |(column, (field, (dtype, default))): (usize, (&Vec<u8>, &(DType, Option<Tensor>)))| {
            if field.is_empty() || *field == self.missing {
                let missing = || Error::invalid_argument(format!("field {column} is required but missing"));
                return default.clone().ok_or_else(missing);
            }
            parse(field, *dtype).ok_or_else(|| {
                let text = String::from_utf8_lossy(field);
                Error::invalid_argument(format!("field {column} is not a valid {dtype}: {text}"))
            })
        };
        chosen.into_iter().zip(&self.components).enumerate().map(value).collect()
    }
}

/// A field as a scalar.
fn parse(field: &[u8], dtype: DType) -> Option<Tensor> {
    let text = || std::str::from_utf8(field).ok().map(str::trim_ascii);
    Some(match dtype {
        DType::Int32 => Tensor::scalar(text()?.parse::<i32>().ok()?),
        DType::Int64 => Tensor::scalar(text()?.parse::<i64>().ok()?),
        DType::Float => Tensor::scalar(text()?.parse::<f32>().ok()?),
        DType::Double => Tensor::scalar(text()?.parse::<f64>().ok()?),
        DType::String => Tensor::scalar(TString::new(field)),
        _ => return None,
    })
}

impl DatasetIterator for CsvIterator {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        while self.file < self.csv.names.len() {
            run.check()?;
            let source = match &mut self.open {
                Some(source) => source,
                none => match self.csv.open(self.file) {
                    Ok(source) => none.insert(source),
                    Err(error) => {
                        self.file += 1;
                        return Err(error);
                    }
                },
            };
            if let Some(fields) = self.csv.fields(source)? {
                self.given += 1;
                let element = self.csv.element(&fields);
                let context = || format!("record {} of file {}", self.given, source.path().display());
                return element.map(Some).map_err(|error| error.context(context()));
            }
            (self.open, self.given) = (None, 0);
            self.file += 1;
        }
        Ok(None)
    }

    fn save(&mut self, _: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        to.put(self.file as i64);
        to.put(self.given as i64);
        Ok(())
    }

    fn restore(&mut self, _: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        self.file = usize::try_from(from.count()?).unwrap_or(usize::MAX);
        let given = from.count()?;
        if given > 0 && self.file < self.csv.names.len() {
            let mut source = self.csv.open(self.file)?;
            while self.given < given && self.csv.fields(&mut source)?.is_some() {
                self.given += 1;
            }
            self.open = Some(source);
        }
        Ok(())
    }
}

/// What the inputs of these ops say, but for the columns that are left out.
struct Declared<'a> {
    filenames: &'a Tensor,
    compression_type: &'a str,
    buffer_size: i64,
    header: bool,
    field_delim: &'a str,
    use_quote_delim: bool,
    na_value: TString,
    select_cols: &'a Tensor,
    record_defaults: &'a [Tensor],
}

impl Declared<'_> {
    fn make(self, env: &Env<'_>, excluded: &[i64], types: &[DType], shapes: &[PartialShape]) -> Result<DatasetHandle> {
        let (filenames, buffer_size) = (self.filenames, self.buffer_size);
        ensure!(filenames.rank() <= 1, "filenames must be a scalar or a vector, it has shape {}", filenames.shape());
        ensure!(buffer_size > 0, "buffer_size must be greater than 0, it is {buffer_size}");
        let &[delimiter] = self.field_delim.as_bytes() else {
            bail!("field_delim must be one character, it is `{}`", self.field_delim)
        };
        let selected = columns("select_cols", &int_values(self.select_cols)?)?;
        let excluded = columns("exclude_cols", excluded)?;
        let one = selected.is_empty() || excluded.is_empty();
        ensure!(one, "either select_cols or exclude_cols may be given, not both");
        let (wanted, given) = (types.len(), self.record_defaults.len());
        ensure!(wanted == given, "there are {given} record_defaults for {wanted} output_types");
        let components = types.iter().zip(self.record_defaults).map(|(&dtype, default)| {
            let (count, shape) = (default.num_elements(), default.shape());
            ensure!(default.rank() <= 1 && count <= 1, "a default must have at most one value, it has shape {shape}");
            let value = (count == 1).then(|| default.clone().with_shape(Shape::scalar())).transpose()?;
            Ok((dtype, value))
        });
        let components = components.collect::<Result<_>>()?;
        let csv = Csv {
            names: filenames.as_slice::<TString>()?.to_vec(),
            compression: Compression::new(self.compression_type)?,
            header: self.header,
            delimiter,
            quotes: self.use_quote_delim,
            missing: self.na_value.as_bytes().to_vec(),
            selected,
            excluded,
            components,
        };
        DatasetHandle::new(env, types, shapes, Records(Arc::new(csv)))
    }
}

/// Numbers of columns, which ascend.
fn columns(name: &str, columns: &[i64]) -> Result<Vec<usize>> {
    let ascend = columns.windows(2).all(|pair| pair[0] < pair[1]) && columns.iter().all(|&column| column >= 0);
    ensure!(ascend, "{name} must not be negative and must ascend, it is {columns:?}");
    Ok(columns.iter().map(|&column| usize::try_from(column).unwrap_or(usize::MAX)).collect())
}

/// `CSVDataset`.
#[kernel(CSVDataset, device = CPU)]
#[kernel(ExperimentalCSVDataset, device = CPU)]
pub fn csv_dataset_cpu(
    filenames: &Tensor,
    compression_type: &str,
    buffer_size: i64,
    header: bool,
    field_delim: &str,
    use_quote_delim: bool,
    na_value: TString,
    select_cols: &Tensor,
    record_defaults: &[Tensor],
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let declared = Declared {
        filenames,
        compression_type,
        buffer_size,
        header,
        field_delim,
        use_quote_delim,
        na_value,
        select_cols,
        record_defaults,
    };
    declared.make(&env, &[], output_types, output_shapes)
}

/// `CSVDatasetV2`.
#[kernel(CSVDatasetV2, device = CPU)]
pub fn csv_dataset_v2_cpu(
    filenames: &Tensor,
    compression_type: &str,
    buffer_size: i64,
    header: bool,
    field_delim: &str,
    use_quote_delim: bool,
    na_value: TString,
    select_cols: &Tensor,
    record_defaults: &[Tensor],
    exclude_cols: &Tensor,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let declared = Declared {
        filenames,
        compression_type,
        buffer_size,
        header,
        field_delim,
        use_quote_delim,
        na_value,
        select_cols,
        record_defaults,
    };
    declared.make(&env, &int_values(exclude_cols)?, output_types, output_shapes)
}
