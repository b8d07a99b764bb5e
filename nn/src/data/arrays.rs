//! Data that is in memory.

use oplink_api::{DType, Error, Result, Shape, Tensor, ensure};

use super::{Batch, Batches, Dataset, Random};

/// Arrays of examples: row `i` of `y` is what is true of row `i` of `x`.
///
/// ```ignore
/// let data = Arrays::new(images, labels)?.batch_size(64).shuffle(1);
/// ```
#[derive(Clone, Debug)]
pub struct Arrays {
    x: Tensor,
    y: Tensor,
    num_rows: usize,
    batch_size: usize,
    seed: Option<u64>,
    drop_remainder: bool,
}

impl Arrays {
    /// The examples in batches of 32, in the order of the arrays.
    ///
    /// # Errors
    /// The arrays have no rows or not the same number; their elements are texts or handles.
    pub fn new(x: impl Into<Tensor>, y: impl Into<Tensor>) -> Result<Self> {
        let (x, y) = (x.into().to_host()?, y.into().to_host()?);
        let (num_rows, targets) = (rows(&x, "x")?, rows(&y, "y")?);
        ensure!(num_rows == targets, "`x` has {num_rows} rows and `y` {targets}: each example is a row of both");
        Ok(Self { x, y, num_rows, batch_size: 32, seed: None, drop_remainder: false })
    }

    /// Sets the rows of a batch, at least 1. The last batch of an epoch may be smaller.
    #[must_use]
    pub fn batch_size(self, batch_size: usize) -> Self {
        Self { batch_size: batch_size.max(1), ..self }
    }

    /// Another order in each epoch, which follows from the seed.
    #[must_use]
    pub fn shuffle(self, seed: u64) -> Self {
        Self { seed: Some(seed), ..self }
    }

    /// Leaves out a last batch that is smaller than the others.
    #[must_use]
    pub fn drop_remainder(self) -> Self {
        Self { drop_remainder: true, ..self }
    }

    /// The number of examples.
    pub fn len(&self) -> usize {
        self.num_rows
    }

    /// Whether there is no example.
    pub fn is_empty(&self) -> bool {
        self.num_rows == 0
    }

    fn batch(&self, order: Option<&[u32]>, at: usize) -> Result<Batch> {
        let (start, end) = (at * self.batch_size, ((at + 1) * self.batch_size).min(self.num_rows));
        match order {
            Some(order) => {
                Ok(Batch { x: gather(&self.x, &order[start..end])?, y: gather(&self.y, &order[start..end])? })
            }
            None => Ok(Batch { x: self.x.slice(start, end)?, y: self.y.slice(start, end)? }),
        }
    }
}

fn rows(tensor: &Tensor, name: &str) -> Result<usize> {
    let is_plain = !matches!(tensor.dtype(), DType::String | DType::Resource | DType::Variant);
    ensure!(is_plain, "`{name}` is of {}: examples are numbers", tensor.dtype());
    let rows = tensor.shape().dims().first();
    rows.copied()
        .ok_or_else(|| Error::invalid_argument(format!("`{name}` is a scalar: its first axis is that of examples")))
}

/// The rows of these numbers, in this order.
fn gather(tensor: &Tensor, order: &[u32]) -> Result<Tensor> {
    let (dims, bytes) = (tensor.shape().dims(), tensor.as_bytes()?);
    let row = bytes.len() / dims[0].max(1);
    let mut extents = dims.to_vec();
    extents[0] = order.len();
    let mut gathered = Tensor::zeros(tensor.dtype(), Shape::from(extents))?;
    if row > 0 {
        let to = gathered.as_mut_bytes()?.chunks_exact_mut(row);
        to.zip(order).for_each(|(to, &at)| to.copy_from_slice(&bytes[at as usize * row..][..row]));
    }
    Ok(gathered)
}

impl Dataset for Arrays {
    fn num_batches(&self) -> Option<usize> {
        let whole = self.num_rows / self.batch_size;
        let has_rest = !self.drop_remainder && !self.num_rows.is_multiple_of(self.batch_size);
        Some(whole + usize::from(has_rest))
    }

    fn batches(&self, epoch: u64, first: usize) -> Result<Batches<'_>> {
        let count = u32::try_from(self.num_rows).map_err(|_| {
            Error::invalid_argument(format!("{} examples are too many for arrays in memory", self.num_rows))
        })?;
        let order = self.seed.map(|seed| {
            let mut order: Vec<u32> = (0..count).collect();
            Random::of_part(seed, epoch).shuffle(&mut order);
            order
        });
        let numbers = first..self.num_batches().unwrap_or(0);
        Ok(Box::new(numbers.map(move |at| self.batch(order.as_deref(), at))))
    }
}
