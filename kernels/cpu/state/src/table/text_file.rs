//! `InitializeTableFromTextFileV2` and `InitializeTableFromTextFile`: give a table with fixed entries those in a file,
//! one a line.
//!
//! The attrs `key_index` and `value_index` choose what of a line to take: a column between `delimiter`s, from 0; -1 the
//! number of the line, an int64, to which `offset` is added; -2 the whole line, a string. Of a longer file the first
//! `vocab_size` lines count, where it is not -1. A file that is shorter, an empty one, and columns that are no numbers
//! are errors.

use std::sync::Arc;

use super::resource::LookupTable;
use oplink::prelude::*;
use oplink_ops::state::{InitializeTableFromTextFile, InitializeTableFromTextFileV2};

/// `InitializeTableFromTextFileV2` and `InitializeTableFromTextFile` of every dtype that keys and values have.
#[kernel(InitializeTableFromTextFileV2, device = CPU)]
#[kernel(InitializeTableFromTextFile, device = CPU)]
pub fn initialize_table_from_text_file_cpu(
    table_handle: Arc<LookupTable>,
    filename: &Tensor,
    key_index: i64,
    value_index: i64,
    vocab_size: i64,
    delimiter: &[u8],
    offset: i64,
) -> Result<()> {
    ensure!(filename.rank() == 0, "filename must be a scalar, it has shape {}", filename.shape());
    let file = String::from_utf8_lossy(filename.to_scalar::<TString>()?.as_bytes()).into_owned();
    let columns = Columns { key_index, value_index, vocab_size, delimiter, offset };
    let (keys, values) = columns.read(&table_handle, &file).map_err(|error| error.context(format!("file `{file}`")))?;
    table_handle.initialize(&keys, &values)
}

/// What of a file to take.
struct Columns<'a> {
    key_index: i64,
    value_index: i64,
    vocab_size: i64,
    delimiter: &'a [u8],
    offset: i64,
}

impl Columns<'_> {
    /// The keys and the values of the lines.
    fn read(&self, table: &LookupTable, file: &str) -> Result<(Tensor, Tensor)> {
        let [delimiter] = *self.delimiter else { bail!("delimiter must be one character") };
        let text = std::fs::read(file).map_err(|error| unreadable(&error))?;
        let text = text.strip_suffix(b"\n").unwrap_or(&text);
        let mut lines: Vec<&[u8]> =
            if text.is_empty() { Vec::new() } else { text.split(|&byte| byte == b'\n').collect() };
        if let Ok(wanted) = usize::try_from(self.vocab_size) {
            ensure!(lines.len() >= wanted, "the file has {} lines, {wanted} are asked for", lines.len());
            lines.truncate(wanted);
        }
        if lines.is_empty() {
            return Err(Error::out_of_range("the file has no lines"));
        }
        let column = |attr: &str, index: i64, dtype: DType| {
            column(&lines, index, dtype, delimiter, self.offset)
                .map_err(|error| error.context(format!("attr `{attr}` {index}")))
        };
        let declared = table.declaration();
        let keys = column("key_index", self.key_index, declared.key_dtype)?;
        Ok((keys, column("value_index", self.value_index, declared.value_dtype)?))
    }
}

#[cold]
fn unreadable(error: &std::io::Error) -> Error {
    let code = match error.kind() {
        std::io::ErrorKind::NotFound => Code::NotFound,
        std::io::ErrorKind::PermissionDenied => Code::PermissionDenied,
        _ => Code::Unknown,
    };
    Error::new(code, ErrorKind::Resource, format!("cannot be read: {error}"))
}

/// One part of each line as a vector of `dtype`.
fn column(lines: &[&[u8]], index: i64, dtype: DType, delimiter: u8, offset: i64) -> Result<Tensor> {
    let Ok(index) = usize::try_from(index) else {
        return match (index, dtype) {
            (-1, DType::Int64) => Ok((offset..).take(lines.len()).collect::<Vec<_>>().into()),
            (-2, DType::String) => Ok(lines.iter().map(TString::new).collect::<Vec<_>>().into()),
            (-1, other) => bail!("numbers of lines are int64, the table has {other} there"),
            (_, other) => bail!("whole lines are strings, the table has {other} there"),
        };
    };
    let part = |(at, line): (usize, &&'_ [u8])| {
        let part = line.split(|&byte| byte == delimiter).nth(index).map(<[u8]>::to_vec);
        part.ok_or_else(|| Error::invalid_argument(format!("line {at} has no column {index}")))
    };
    let parts = lines.iter().enumerate().map(part).collect::<Result<Vec<_>>>()?;
    match dtype {
        DType::String => Ok(parts.into_iter().map(TString::new).collect::<Vec<_>>().into()),
        DType::Int32 => numbers::<i32>(&parts),
        DType::Int64 => numbers::<i64>(&parts),
        DType::Float => numbers::<f32>(&parts),
        DType::Double => numbers::<f64>(&parts),
        other => bail!("a file tells integers, floats and strings, the table has {other} there"),
    }
}

fn numbers<T: Element + std::str::FromStr>(parts: &[Vec<u8>]) -> Result<Tensor> {
    let number = |(at, part): (usize, &Vec<u8>)| {
        let number = std::str::from_utf8(part).ok().and_then(|text| text.trim().parse::<T>().ok());
        number.ok_or_else(|| {
            let text = String::from_utf8_lossy(part);
            Error::invalid_argument(format!("`{text}` in line {at} is no {}", T::DTYPE))
        })
    };
    Ok(parts.iter().enumerate().map(number).collect::<Result<Vec<_>>>()?.into())
}
