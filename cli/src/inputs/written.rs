//! Values written out on the command line: `2.5`, `[[1, 2], [3, 4]]`, `true`, `red`, `["red", "green"]`.

use std::iter::Peekable;
use std::str::{Chars, FromStr};

use oplink::element::{bf16, f16};
use oplink::{DType, Error, Result, TString, Tensor, bail, ensure};

/// Lists inside lists.
const MAX_DEPTH: usize = 32;

/// The tensor of a value: a scalar, or lists of equal lengths inside one another.
pub(super) fn parse(text: &str, dtype: DType) -> Result<Tensor> {
    let text = text.trim();
    if dtype == DType::String && !text.starts_with(['[', '"']) {
        return Ok(Tensor::scalar(TString::from(text)));
    }
    let mut reader = Reader { chars: text.chars().peekable(), shape: Vec::new(), values: Vec::new() };
    let read = reader.value(0).and_then(|()| reader.end());
    let tensor = read.and_then(|()| tensor(dtype, reader.shape, &reader.values));
    tensor.map_err(|error| {
        let form = match dtype {
            DType::String => r#"a text, or a list such as ["red","green"]"#,
            DType::Bool => "true or false, or a list of them",
            _ => "a number, or a list such as [[1,2],[3,4]]",
        };
        let message = format!("`{text}` is no value of {dtype} ({error}): give a .npy or a .png file, {form}");
        Error::invalid_argument(message)
    })
}

struct Reader<'t> {
    chars: Peekable<Chars<'t>>,
    /// Lengths of the lists, the outermost first, as the first of each depth has them.
    shape: Vec<usize>,
    values: Vec<String>,
}

impl Reader<'_> {
    fn value(&mut self, depth: usize) -> Result<()> {
        self.skip_spaces();
        if self.chars.next_if_eq(&'[').is_some() {
            return self.list(depth);
        }
        ensure!(depth == self.shape.len(), "a value stands where a list is expected");
        let value = if self.chars.next_if_eq(&'"').is_some() { self.quoted()? } else { self.word()? };
        self.values.push(value);
        Ok(())
    }

    fn list(&mut self, depth: usize) -> Result<()> {
        ensure!(depth < MAX_DEPTH, "lists are nested too deep");
        let is_first = self.shape.len() == depth;
        if is_first {
            ensure!(self.values.is_empty(), "a list stands where a value is expected");
            self.shape.push(0);
        }
        let mut length = 0;
        self.skip_spaces();
        if self.chars.next_if_eq(&']').is_none() {
            loop {
                self.value(depth + 1)?;
                length += 1;
                self.skip_spaces();
                match self.chars.next() {
                    Some(',') => {}
                    Some(']') => break,
                    _ => bail!("a list has no end"),
                }
            }
        }
        if is_first {
            self.shape[depth] = length;
        }
        let same = self.shape[depth] == length;
        ensure!(same, "lists beside each other have {} and {length} elements", self.shape[depth]);
        Ok(())
    }

    fn quoted(&mut self) -> Result<String> {
        let mut text = String::new();
        loop {
            match self.chars.next() {
                Some('"') => return Ok(text),
                Some('\\') => match self.chars.next() {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some(other) => text.push(other),
                    None => bail!("a text has no end"),
                },
                Some(other) => text.push(other),
                None => bail!("a text has no end"),
            }
        }
    }

    fn word(&mut self) -> Result<String> {
        let mut text = String::new();
        while let Some(next) = self.chars.next_if(|c| !",[]\"".contains(*c)) {
            text.push(next);
        }
        let text = text.trim();
        ensure!(!text.is_empty(), "a value is missing");
        Ok(text.to_owned())
    }

    fn skip_spaces(&mut self) {
        while self.chars.next_if(|c| c.is_whitespace()).is_some() {}
    }

    fn end(&mut self) -> Result<()> {
        self.skip_spaces();
        let rest = self.chars.next();
        ensure!(rest.is_none(), "something follows the value");
        Ok(())
    }
}

fn tensor(dtype: DType, shape: Vec<usize>, values: &[String]) -> Result<Tensor> {
    macro_rules! numbers {
        ($ty:ty) => {
            Tensor::from_vec(shape, values.iter().map(|value| number::<$ty>(value)).collect::<Result<Vec<$ty>>>()?)
        };
    }
    match dtype {
        DType::Float => numbers!(f32),
        DType::Double => numbers!(f64),
        DType::Half => numbers!(f16),
        DType::BFloat16 => numbers!(bf16),
        DType::Int8 => numbers!(i8),
        DType::Int16 => numbers!(i16),
        DType::Int32 => numbers!(i32),
        DType::Int64 => numbers!(i64),
        DType::UInt8 => numbers!(u8),
        DType::UInt16 => numbers!(u16),
        DType::UInt32 => numbers!(u32),
        DType::UInt64 => numbers!(u64),
        DType::Bool => numbers!(bool),
        DType::String => Tensor::from_vec(shape, values.iter().map(|value| TString::from(value.as_str())).collect()),
        _ => bail!("values of this dtype cannot be written out"),
    }
}

fn number<T: FromStr>(text: &str) -> Result<T> {
    text.parse().or_else(|_| bail!("`{text}` is none"))
}
