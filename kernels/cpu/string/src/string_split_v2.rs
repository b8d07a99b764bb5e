//! `StringSplit`, `StringSplitV2`: strings split into parts, as a sparse matrix with a row for each string.
//!
//! `input` is a vector, `sep` a scalar. Where `sep` is empty, runs of white space divide and those at the ends are
//! dropped; otherwise each occurrence divides. After `maxsplit` splits (without limit where negative) the rest of a
//! string is one part; 0 leaves strings whole. The outputs are the positions [parts, 2] of the parts, the parts, and
//! the dense shape: the number of strings and the largest number of parts.

use super::strings::{is_space, scalar};
use oplink::prelude::*;
use oplink_ops::string::{StringSplit, StringSplitV2};

/// `StringSplitV2`.
#[kernel(StringSplitV2, device = CPU)]
pub fn string_split_v2_cpu(input: &Tensor, sep: &Tensor, maxsplit: i64) -> Result<(Tensor, Tensor, Tensor)> {
    ensure!(input.rank() == 1, "input must be a vector, its shape is {}", input.shape());
    let separator = scalar(sep, "sep")?;
    let limit = usize::try_from(maxsplit).unwrap_or(usize::MAX);
    split_rows(input, |string| split(string, separator, limit))
}

/// `StringSplit`: at each of the bytes of `delimiter`, behind each byte where there are none.
#[kernel(StringSplit, device = CPU)]
pub fn string_split_cpu(input: &Tensor, delimiter: &Tensor, skip_empty: bool) -> Result<(Tensor, Tensor, Tensor)> {
    ensure!(input.rank() == 1, "input must be a vector, its shape is {}", input.shape());
    let delimiter = scalar(delimiter, "delimiter")?;
    split_rows(input, |string| split_at_bytes(string, delimiter, skip_empty))
}

/// The positions, the parts and the shape of the sparse matrix of what `split` makes of each string.
fn split_rows(input: &Tensor, split: impl for<'a> Fn(&'a [u8]) -> Vec<&'a [u8]>) -> Result<(Tensor, Tensor, Tensor)> {
    let (mut positions, mut all_parts, mut widest) = (Vec::new(), Vec::new(), 0);
    for (row, string) in input.as_slice::<TString>()?.iter().enumerate() {
        let parts = split(string.as_bytes());
        widest = widest.max(parts.len());
        positions.extend((0..parts.len()).flat_map(|column| [row as i64, column as i64]));
        all_parts.extend(parts.into_iter().map(TString::new));
    }
    let indices = Tensor::from_vec([all_parts.len(), 2], positions)?;
    Ok((indices, all_parts.into(), [input.num_elements() as i64, widest as i64].into()))
}

fn split_at_bytes<'a>(string: &'a [u8], delimiter: &[u8], skip_empty: bool) -> Vec<&'a [u8]> {
    match (string, delimiter) {
        ([], _) => Vec::new(),
        (_, []) => string.chunks(1).collect(),
        _ => string.split(|byte| delimiter.contains(byte)).filter(|part| !(skip_empty && part.is_empty())).collect(),
    }
}

fn split<'a>(string: &'a [u8], separator: &[u8], limit: usize) -> Vec<&'a [u8]> {
    match (limit, separator) {
        (0, _) => vec![string],
        (_, []) => split_at_spaces(string, limit),
        _ => split_at(string, separator, limit),
    }
}

fn split_at_spaces(string: &[u8], limit: usize) -> Vec<&[u8]> {
    let end = |bytes: &[u8], is_end: fn(u8) -> bool| bytes.iter().position(|&b| is_end(b)).unwrap_or(bytes.len());
    let skip = |bytes: &'_ [u8]| end(bytes, |byte| !is_space(byte));
    let mut rest = &string[skip(string)..];
    let mut parts = Vec::new();
    while !rest.is_empty() {
        let (part, after) = rest.split_at(end(rest, is_space));
        parts.push(part);
        rest = &after[skip(after)..];
        if parts.len() == limit {
            parts.push(rest);
            break;
        }
    }
    parts
}

fn split_at<'a>(string: &'a [u8], separator: &[u8], limit: usize) -> Vec<&'a [u8]> {
    let mut rest = string;
    let mut parts = Vec::new();
    while parts.len() < limit
        && let Some(at) = rest.windows(separator.len()).position(|window| window == separator)
    {
        parts.push(&rest[..at]);
        rest = &rest[at + separator.len()..];
    }
    parts.push(rest);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_between_bytes_are_those_of_tensorflow() {
        let parts = |string: &'static str, delimiter: &str, skip_empty| {
            split_at_bytes(string.as_bytes(), delimiter.as_bytes(), skip_empty).len()
        };
        assert_eq!((parts("a b  c ", " ", true), parts("a b  c ", " ", false)), (3, 5));
        assert_eq!((parts("", " ", false), parts("a,b;c", ",;", true), parts("abc", "", false)), (0, 3, 3));
    }

    #[test]
    fn parts_are_those_of_tensorflow() {
        let cases: [(&str, &str, usize, &[&str]); 10] = [
            ("a b  c", "", usize::MAX, &["a", "b", "c"]),
            ("  x ", "", usize::MAX, &["x"]),
            ("  x ", "", 1, &["x", ""]),
            (" a  b  c ", "", 2, &["a", "b", "c "]),
            ("  ", "", usize::MAX, &[]),
            ("  ", "", 0, &["  "]),
            ("a b  c", " ", usize::MAX, &["a", "b", "", "c"]),
            ("<><>", "<>", usize::MAX, &["", "", ""]),
            ("a<>b<>c", "<>", 1, &["a", "b<>c"]),
            ("", "<>", 1, &[""]),
        ];
        for (string, separator, limit, expected) in cases {
            let expected: Vec<&[u8]> = expected.iter().map(|part| part.as_bytes()).collect();
            assert_eq!(
                split(string.as_bytes(), separator.as_bytes(), limit),
                expected,
                "{string:?} {separator:?} {limit}"
            );
        }
    }
}
