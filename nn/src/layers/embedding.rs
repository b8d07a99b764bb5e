//! Rows of a table by their number.

use oplink_api::{Error, Result};
use oplink_ops::ResourceGather;

use super::{Layer, Mode, initialized};
use crate::initializers::Initializer;
use crate::module::module;
use crate::precision::in_compute_dtype;
use crate::run::call_with;
use crate::tape;
use crate::value::Value;
use crate::variable::Variable;

/// A row of a table for each number.
#[derive(Debug)]
pub struct Embedding {
    /// `[rows, features]`.
    pub embeddings: Variable,
}

module!(Embedding { embeddings });

impl Embedding {
    /// A table of so many rows, drawn from -0.05..0.05.
    ///
    /// # Errors
    /// Memory runs out; a function is being traced.
    pub fn new(rows: usize, features: usize) -> Result<Self> {
        let initializer = Initializer::Uniform { low: -0.05, high: 0.05 };
        Ok(Self { embeddings: initialized("embeddings", &[rows, features], initializer)? })
    }
}

impl Layer for Embedding {
    fn forward(&self, x: &Value, _: Mode) -> Result<Value> {
        let dtype = x.dtype()?;
        if !dtype.is_integer() {
            return Err(Error::invalid_argument(format!(
                "an embedding takes numbers of rows as integers, not {dtype}"
            )));
        }
        tape::watch_on_all(self.embeddings.handle());
        let inputs = [self.embeddings.handle().clone(), x.clone()];
        in_compute_dtype(&call_with::<ResourceGather>(inputs, vec![("dtype", self.embeddings.dtype().into())])?)
    }
}
