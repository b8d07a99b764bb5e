//! `InitializeTableFromTextFileV2` and `InitializeTableFromTextFile`: give a table with fixed entries those in a file,
//! one a line.
//!
//! The attrs `key_index` and `value_index` choose what of a line to take: a column between `delimiter`s, from 0; -1 the
//! number of the line, an int64, to which `offset` is added; -2 the whole line, a string. Of a longer file the first
//! `vocab_size` lines count, where it is not -1. Lines end with `\n` or `\r\n`, the last one need not. A file that is
//! shorter, an empty one, empty lines among those that count, and columns that are no numbers are errors.

use std::sync::Arc;

use super::resource::LookupTable;
use crate::reader::source::{Compression, Source};
use oplink::memory::try_reserve;
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
    env: Env<'_>,
) -> Result<()> {
    ensure!(filename.rank() == 0, "filename must be a scalar, it has shape {}", filename.shape());
    let file = filename.to_scalar::<TString>()?;
    let columns = Columns { key_index, value_index, vocab_size, delimiter, offset };
    let (keys, values) =
        columns.read(&table_handle, &file, env).map_err(|error| error.context(format!("file {file:?}")))?;
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
    fn read(&self, table: &LookupTable, file: &TString, env: Env<'_>) -> Result<(Tensor, Tensor)> {
        let [delimiter] = *self.delimiter else { bail!("delimiter must be one character") };
        let lines = self.lines(file, env)?;
        let column = |attr: &str, index: i64, dtype: DType| {
            column(&lines, index, dtype, delimiter, self.offset)
                .map_err(|error| error.context(format!("attr `{attr}` {index}")))
        };
        let declared = table.declaration();
        let keys = column("key_index", self.key_index, declared.key_dtype)?;
        Ok((keys, column("value_index", self.value_index, declared.value_dtype)?))
    }

    /// The lines that count.
    fn lines(&self, file: &TString, env: Env<'_>) -> Result<Vec<Vec<u8>>> {
        let wanted = usize::try_from(self.vocab_size).ok();
        let (mut source, mut lines) = (Source::open(file, Compression::None)?, Vec::new());
        while wanted.is_none_or(|wanted| lines.len() < wanted) {
            env.poll();
            let Some(line) = source.line()? else { break };
            ensure!(!line.is_empty(), "line {} is empty", lines.len());
            try_reserve(&mut lines, 1)?;
            lines.push(line);
        }
        match wanted {
            Some(wanted) if lines.len() < wanted => {
                bail!("the file has {} lines, vocab_size asks for {wanted}", lines.len())
            }
            _ if lines.is_empty() => Err(Error::out_of_range("no lines of the file count")),
            _ => Ok(lines),
        }
    }
}

/// One part of each line as a vector of `dtype`.
fn column(lines: &[Vec<u8>], index: i64, dtype: DType, delimiter: u8, offset: i64) -> Result<Tensor> {
    let Ok(index) = usize::try_from(index) else {
        return match (index, dtype) {
            (-1, DType::Int64) => Ok((offset..).take(lines.len()).collect::<Vec<_>>().into()),
            (-2, DType::String) => Ok(lines.iter().map(TString::new).collect::<Vec<_>>().into()),
            (-1, other) => bail!("numbers of lines are int64, the table has {other} there"),
            (_, other) => bail!("whole lines are strings, the table has {other} there"),
        };
    };
    let part = |(at, line): (usize, &Vec<u8>)| {
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

#[cfg(test)]
mod tests {
    use oplink::prelude::*;
    use oplink_cpu_support::testing::run;

    /// The entries of a table of words and their lines after it is given those of a file.
    fn entries(name: &str, text: &str, vocab_size: i64) -> Result<Vec<(String, i64)>> {
        let file = std::env::temp_dir().join(format!("oplink-text-file-{}-{name}", std::process::id()));
        std::fs::write(&file, text).unwrap();
        let dtypes = [("key_dtype", DType::String.into()), ("value_dtype", DType::Int64.into())];
        let table = run("AnonymousHashTable", &dtypes, Vec::new())?.remove(0);
        let attrs = [
            ("key_index", (-2i64).into()),
            ("value_index", (-1i64).into()),
            ("vocab_size", vocab_size.into()),
            ("delimiter", "\t".into()),
        ];
        let inputs = vec![table.clone(), file.to_str().unwrap().into()];
        let initialized = run("InitializeTableFromTextFileV2", &attrs, inputs);
        std::fs::remove_file(&file).unwrap();
        initialized?;
        let dtypes = [("Tkeys", DType::String.into()), ("Tvalues", DType::Int64.into())];
        let out = run("LookupTableExportV2", &dtypes, vec![table])?;
        let keys = out[0].as_slice::<TString>()?.iter();
        let keys = keys.map(|key| String::from_utf8_lossy(key.as_bytes()).into_owned());
        let mut entries: Vec<_> = keys.zip(out[1].as_slice::<i64>()?.iter().copied()).collect();
        entries.sort_by_key(|&(_, line)| line);
        Ok(entries)
    }

    #[test]
    fn lines_are_those_of_tensorflow() {
        let lines = |text: &str, count: i64| -> Vec<String> {
            let name = text.bytes().map(|byte| byte.to_string()).collect::<String>() + &count.to_string();
            entries(&name, text, count).unwrap().into_iter().map(|(line, _)| line).collect()
        };
        for text in ["a\nb\n", "a\nb", "a\r\nb\r\n", "a\r\nb", "a\nb\r", "a\nb\n\r"] {
            assert_eq!(lines(text, -1), ["a", "b"], "{text:?}");
            assert_eq!(lines(text, 2), ["a", "b"], "{text:?}");
            assert_eq!(lines(text, 1), ["a"], "{text:?}");
        }
        assert_eq!(lines("a\rb\n", -1), ["a\rb"]);
        assert_eq!(lines("a\r\r\nb", -1), ["a\r", "b"]);
        assert_eq!(lines("a \n b\n", -1), ["a ", " b"]);
        // What is behind the lines that count is not looked at.
        assert_eq!(lines("a\n\nb\n", 1), ["a"]);
    }

    #[test]
    fn errors_are_those_of_tensorflow() {
        let code = |text: &str, count: i64| entries("errors", text, count).unwrap_err().code();
        for text in ["a\n\nb\n", "a\n\nb\n\n", "\na\nb", "\n", "\n\n", "\r\n", "a\n\r\nb"] {
            assert_eq!(code(text, -1), Code::InvalidArgument, "{text:?}");
            assert_eq!(code(text, 2), Code::InvalidArgument, "{text:?}");
        }
        for (text, count) in [("a\nb\n", 3), ("a\r\nb", 3), ("a\nb\n\r", 3), ("", 1)] {
            assert_eq!(code(text, count), Code::InvalidArgument, "{text:?}");
        }
        assert_eq!(code("", -1), Code::OutOfRange);
        assert_eq!(code("a\na\n", -1), Code::FailedPrecondition);
    }
}
