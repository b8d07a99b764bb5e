//! `DecodeCSV`: records of comma-separated values as a tensor for each column.
//!
//! A field in quotes may hold delimiters, line ends and doubled quotes; with `use_quote_delim` off, quotes are ordinary
//! bytes. An empty field, and one that is `na_value`, takes its default; where that has none, it is an error.
//! `select_cols` names the columns that are read, in rising order. Numbers are read as `StringToNumber` does.

use oplink::prelude::*;
use oplink_ops::string::DecodeCSV;

use super::string_to_number::{float, integer};
use super::strings::{shown, trimmed};

/// `DecodeCSV`.
#[kernel(DecodeCSV, device = CPU)]
#[allow(clippy::too_many_arguments, reason = "the op's inputs and attrs by name")]
pub fn decode_csv_cpu(
    records: &Tensor,
    record_defaults: &[Tensor],
    field_delim: &[u8],
    use_quote_delim: bool,
    na_value: &[u8],
    select_cols: &[i64],
    mut output: OutputList<'_>,
    env: Env<'_>,
) -> Result<()> {
    let &[delimiter] = field_delim else { bail!("field_delim must be one byte, it is {}", shown(field_delim)) };
    let columns = record_defaults.len();
    let rises = select_cols.windows(2).all(|pair| pair[0] < pair[1]) && select_cols.first().is_none_or(|&c| c >= 0);
    ensure!(rises, "select_cols must be >= 0 and rise, it is {select_cols:?}");
    let fits = select_cols.is_empty() || select_cols.len() == columns;
    ensure!(fits, "select_cols has {} columns for {columns} outputs", select_cols.len());
    for (at, default) in record_defaults.iter().enumerate() {
        let own = default.num_elements();
        ensure!(own < 2, "record_defaults[{at}] must have one element at most, it has {own}");
    }
    let format = Format { delimiter, quotes: use_quote_delim, selected: select_cols };
    for mut slot in output.iter_mut() {
        slot.allocate(records.shape().clone())?;
    }
    for (number, record) in env.watch(records.as_slice::<TString>()?.iter().enumerate()) {
        let fields = format.fields(record.as_bytes())?;
        ensure!(fields.len() == columns, "record {number} has {} fields, {columns} are expected", fields.len());
        for (column, (field, default)) in fields.iter().zip(record_defaults).enumerate() {
            let given = (!field.is_empty() && field != na_value).then_some(field.as_slice());
            let missing = given.is_none() && default.num_elements() == 0;
            ensure!(!missing, "field {column} of record {number} is required but missing");
            let Some(mut slot) = output.get(column) else { continue };
            let Some(out) = slot.get_mut() else { continue };
            put(out, number, given, default)
                .map_err(|error| error.context(format!("reading field {column} of record {number}")))?;
        }
    }
    Ok(())
}

/// Writes a field, or its default, to an element of an output.
fn put(out: &mut Tensor, at: usize, field: Option<&[u8]>, default: &Tensor) -> Result<()> {
    fn write<T: Element>(
        out: &mut Tensor,
        at: usize,
        field: Option<&[u8]>,
        default: &Tensor,
        parse: impl Fn(&[u8]) -> Option<T>,
    ) -> Result<()> {
        let value = match field {
            None => default.as_slice::<T>()?[0].clone(),
            Some(field) => {
                parse(field).ok_or_else(|| Error::invalid_argument(format!("{} is no {}", shown(field), T::DTYPE)))?
            }
        };
        out.as_mut_slice::<T>()?[at] = value;
        Ok(())
    }
    fn text(field: &[u8]) -> Option<&str> {
        std::str::from_utf8(trimmed(field)).ok()
    }
    match out.dtype() {
        DType::Float => write(out, at, field, default, |field| text(field).and_then(float::<f32>)),
        DType::Double => write(out, at, field, default, |field| text(field).and_then(float::<f64>)),
        DType::Int32 => write(out, at, field, default, |field| text(field).and_then(integer::<i32>)),
        DType::Int64 => write(out, at, field, default, |field| text(field).and_then(integer::<i64>)),
        _ => write(out, at, field, default, |field| Some(TString::new(field))),
    }
}

/// How records are written.
struct Format<'a> {
    delimiter: u8,
    quotes: bool,
    /// The columns that are read; all where empty.
    selected: &'a [i64],
}

impl Format<'_> {
    /// The selected fields of a record.
    fn fields(&self, record: &[u8]) -> Result<Vec<Vec<u8>>> {
        let (mut fields, mut at, mut number) = (Vec::new(), 0, 0);
        while at < record.len() {
            if matches!(record[at], b'\n' | b'\r') {
                at += 1;
                continue;
            }
            let (field, next) =
                if self.quotes && record[at] == b'"' { self.quoted(record, at + 1)? } else { self.plain(record, at)? };
            at = next;
            if self.is_selected(fields.len(), number) {
                fields.push(field);
                if fields.len() == self.selected.len() {
                    return Ok(fields);
                }
            }
            number += 1;
        }
        if record.last() == Some(&self.delimiter) && self.is_selected(fields.len(), number) {
            fields.push(Vec::new());
        }
        Ok(fields)
    }

    fn is_selected(&self, found: usize, number: i64) -> bool {
        self.selected.is_empty() || self.selected.get(found) == Some(&number)
    }

    /// A field up to the delimiter, and where the next one starts.
    fn plain(&self, record: &[u8], start: usize) -> Result<(Vec<u8>, usize)> {
        let rest = &record[start..];
        let field = &rest[..rest.iter().position(|&byte| byte == self.delimiter).unwrap_or(rest.len())];
        let is_bad = |&byte: &u8| (self.quotes && byte == b'"') || matches!(byte, b'\n' | b'\r');
        ensure!(!field.iter().any(is_bad), "the field {} has a quote or a line end, it must be quoted", shown(field));
        Ok((field.to_vec(), start + field.len() + 1))
    }

    /// A field after its opening quote, and where the next one starts.
    fn quoted(&self, record: &[u8], start: usize) -> Result<(Vec<u8>, usize)> {
        let (mut field, mut at) = (Vec::new(), start);
        let is_end = |at: usize| record[at] == b'"' && record.get(at + 1).is_none_or(|&next| next == self.delimiter);
        while at + 1 < record.len() && !is_end(at) {
            let byte = record[at];
            ensure!(
                byte != b'"' || record[at + 1] == b'"',
                "a quote within a field must be doubled: {}",
                shown(record)
            );
            field.push(byte);
            at += if byte == b'"' { 2 } else { 1 };
        }
        let ends = at < record.len() && is_end(at);
        ensure!(ends, "a quoted field must end with a quote before the delimiter: {}", shown(record));
        Ok((field, at + 2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    fn decode(record: &str, attrs: &[(&str, AttrValue)]) -> Result<Vec<Tensor>> {
        let defaults = [Tensor::from([7]), Tensor::from_slice::<f32>(&[]), Tensor::from([TString::from("x")])];
        run("DecodeCSV", attrs, [vec![Tensor::from([TString::from(record)])], defaults.to_vec()].concat())
    }

    #[test]
    fn columns() {
        let out = decode(" 12 ,1.5,\"a,\"\"b\"\"\"", &[]).unwrap();
        assert_eq!(out[0].as_slice::<i32>().unwrap(), [12]);
        assert_eq!(out[1].as_slice::<f32>().unwrap(), [1.5]);
        assert_eq!(out[2].as_slice::<TString>().unwrap()[0].as_bytes(), b"a,\"b\"");
        let out = decode(",2,", &[]).unwrap();
        assert_eq!(out[0].as_slice::<i32>().unwrap(), [7]);
        assert_eq!(out[2].as_slice::<TString>().unwrap()[0].as_bytes(), b"x");
        let selected = [("select_cols", AttrValue::Ints(vec![1, 2, 4]))];
        assert_eq!(decode("a,1,2,b,c", &selected).unwrap()[2].as_slice::<TString>().unwrap()[0].as_bytes(), b"c");
    }

    #[test]
    fn wrong_records_are_errors() {
        for record in ["1,2", "1,,a", "a,2,b", "1,2,a\"b", "1,2,\"a", "1,2,\"a\"b", "1,2,\"", "99999999999,2,b"] {
            assert!(decode(record, &[]).is_err(), "{record}");
        }
        assert!(decode("1,2,3", &[("field_delim", "".into())]).is_err());
        assert!(decode("1,2,3", &[("select_cols", AttrValue::Ints(vec![2, 1, 3]))]).is_err());
    }
}
