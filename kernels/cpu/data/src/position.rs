//! Positions of iterators, as values that others can be brought to.

use oplink::prelude::*;
use oplink::resource::VariantObject;

use crate::dataset::{Element, Elements, Run};

/// A position, written by the iterators of a pipeline one after the other, each its own part.
#[derive(Clone, Debug, Default)]
pub struct PositionWriter(Vec<Value>);

/// A position that was written.
#[derive(Clone, Debug)]
pub struct Position(Vec<Value>);

#[derive(Clone, Debug)]
enum Value {
    Number(i64),
    Tensors(Element),
}

/// Reads a position in the order in which it was written.
#[derive(Debug)]
pub struct PositionReader<'a>(std::slice::Iter<'a, Value>);

impl PositionWriter {
    /// Writes a number.
    pub fn put(&mut self, number: i64) {
        self.0.push(Value::Number(number));
    }

    /// Writes a flag.
    pub fn put_flag(&mut self, flag: bool) {
        self.put(flag.into());
    }

    /// Writes tensors.
    pub fn put_tensors(&mut self, tensors: &[Tensor]) {
        self.0.push(Value::Tensors(tensors.to_vec()));
    }

    /// Writes elements, and how many.
    pub fn put_elements<'e>(&mut self, elements: impl ExactSizeIterator<Item = &'e Element>) {
        self.put(elements.len() as i64);
        elements.for_each(|element| self.put_tensors(element));
    }

    /// Writes whether there are elements, and their position.
    ///
    /// # Errors
    /// The position cannot be written.
    pub fn put_optional(&mut self, run: &Run<'_>, elements: Option<&mut Elements>) -> Result<()> {
        self.put_flag(elements.is_some());
        elements.map_or(Ok(()), |elements| elements.save(run, self))
    }

    /// What was written.
    pub fn finish(self) -> Position {
        Position(self.0)
    }
}

impl Position {
    /// Starts to read.
    pub fn read(&self) -> PositionReader<'_> {
        PositionReader(self.0.iter())
    }
}

impl VariantObject for Position {
    fn type_name(&self) -> &'static str {
        "tensorflow::Iterator"
    }
}

impl PositionReader<'_> {
    /// The next number.
    ///
    /// # Errors
    /// There is none.
    pub fn number(&mut self) -> Result<i64> {
        match self.0.next() {
            Some(Value::Number(number)) => Ok(*number),
            _ => Err(other_pipeline()),
        }
    }

    /// The next number, which is not negative.
    ///
    /// # Errors
    /// There is none.
    pub fn count(&mut self) -> Result<u64> {
        u64::try_from(self.number()?).map_err(|_| other_pipeline())
    }

    /// The next flag.
    ///
    /// # Errors
    /// There is none.
    pub fn flag(&mut self) -> Result<bool> {
        Ok(self.number()? != 0)
    }

    /// The next tensors.
    ///
    /// # Errors
    /// There are none.
    pub fn tensors(&mut self) -> Result<Element> {
        match self.0.next() {
            Some(Value::Tensors(tensors)) => Ok(tensors.clone()),
            _ => Err(other_pipeline()),
        }
    }

    /// The next elements.
    ///
    /// # Errors
    /// There are none.
    pub fn elements<C: FromIterator<Element>>(&mut self) -> Result<C> {
        let count = self.count()?;
        (0..count).map(|_| self.tensors()).collect()
    }

    /// Whether all was read.
    pub fn is_at_end(&self) -> bool {
        self.0.as_slice().is_empty()
    }
}

#[cold]
pub(crate) fn other_pipeline() -> Error {
    Error::invalid_argument("the position is that of an iterator over another dataset; restore it where it was saved")
}
