//! `InitializeTableFromTextFileV2` and `InitializeTableFromTextFile`: give a table with fixed entries those in a file, one a line.
//!
//! The attrs `key_index` and `value_index` say what of a line to take: a column between `delimiter`s, from 0; -1 the number of the
//! line, an int64, to which `offset` is added; -2 the whole line, a string. Of a longer file the first `vocab_size` lines count,
//! where it is not -1. A file that is shorter, an empty one, and columns that are no numbers are errors.

use oplink::prelude::*;

use super::resource::LookupTable;
use super::shapes;

/// Gives a table the entries that the lines of a file tell.
#[op("InitializeTableFromTextFileV2",
     input = "table_handle: resource",
     input = "filename: string",
     attr = "key_index: int >= -2",
     attr = "value_index: int >= -2",
     attr = "vocab_size: int >= -1 = -1",
     attr = "delimiter: string = '\\t'",
     attr = "offset: int = 0",
     stateful,
     shape = shapes::initialize_from_file)]
pub struct InitializeTableFromTextFileV2;

/// Gives the table behind a reference the entries that the lines of a file tell.
#[op("InitializeTableFromTextFile",
     input = "table_handle: Ref(string)",
     input = "filename: string",
     attr = "key_index: int >= -2",
     attr = "value_index: int >= -2",
     attr = "vocab_size: int >= -1 = -1",
     attr = "delimiter: string = '\\t'",
     attr = "offset: int = 0",
     shape = shapes::initialize_reference_from_file)]
pub struct InitializeTableFromTextFile;

/// `InitializeTableFromTextFileV2` and `InitializeTableFromTextFile` of every dtype that keys and values have.
#[kernel(InitializeTableFromTextFileV2, device = CPU)]
#[kernel(InitializeTableFromTextFile, device = CPU)]
pub fn initialize_table_from_text_file_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let table = context.resource::<LookupTable>(0)?;
    let name = context.input(1);
    ensure!(name.rank() == 0, "filename must be a scalar, it has shape {}", name.shape());
    let file = String::from_utf8_lossy(name.to_scalar::<TString>()?.as_bytes()).into_owned();
    let (keys, values) = entries(context, &table, &file).map_err(|error| error.context(format!("file `{file}`")))?;
    table.initialize(&keys, &values)
}

/// The keys and the values of the lines.
fn entries(context: &KernelContext<'_>, table: &LookupTable, file: &str) -> Result<(Tensor, Tensor)> {
    let delimiter: &[u8] = context.attr("delimiter")?;
    let [delimiter] = *delimiter else { bail!("delimiter must be one character") };
    let vocab_size: i64 = context.attr("vocab_size")?;
    let text = std::fs::read(file).map_err(|error| unreadable(&error))?;
    let text = text.strip_suffix(b"\n").unwrap_or(&text);
    let mut lines: Vec<&[u8]> = if text.is_empty() { Vec::new() } else { text.split(|&byte| byte == b'\n').collect() };
    if let Ok(wanted) = usize::try_from(vocab_size) {
        ensure!(lines.len() >= wanted, "the file has {} lines, {wanted} are asked for", lines.len());
        lines.truncate(wanted);
    }
    if lines.is_empty() {
        return Err(Error::out_of_range("the file has no lines"));
    }
    let offset: i64 = context.attr("offset")?;
    let column = |attr: &str, dtype: DType| {
        let index: i64 = context.attr(attr)?;
        read(&lines, index, dtype, delimiter, offset).map_err(|error| error.context(format!("attr `{attr}` {index}")))
    };
    let declared = table.declaration();
    Ok((column("key_index", declared.key_dtype)?, column("value_index", declared.value_dtype)?))
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
fn read(lines: &[&[u8]], index: i64, dtype: DType, delimiter: u8, offset: i64) -> Result<Tensor> {
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
