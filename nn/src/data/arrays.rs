//! Data that is in memory.

use oplink_api::{DType, Error, Result, Shape, Tensor, ensure};

use super::Batch;
use super::batching::{Batching, Rows, batched};

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
    batching: Batching,
}

batched!(Arrays);

impl Arrays {
    /// The examples in batches of 32, in the order of the arrays.
    ///
    /// # Errors
    /// The arrays have no rows or not the same number; their elements are texts or handles.
    pub fn new(x: impl Into<Tensor>, y: impl Into<Tensor>) -> Result<Self> {
        let (x, y) = (x.into().to_host()?, y.into().to_host()?);
        let (num_rows, targets) = (rows(&x, "x")?, rows(&y, "y")?);
        ensure!(num_rows == targets, "`x` has {num_rows} rows and `y` {targets}: each example is a row of both");
        Ok(Self { x, y, num_rows, batching: Batching::default() })
    }

    /// The number of examples.
    pub fn len(&self) -> usize {
        self.num_rows
    }

    fn batch(&self, rows: &Rows<'_>) -> Result<Batch> {
        Ok(match rows {
            Rows::Range(range) => {
                let (start, end) = (range.start, range.end);
                Batch { x: self.x.slice(start, end)?, y: self.y.slice(start, end)? }
            }
            Rows::These(order) => Batch { x: gather(&self.x, order)?, y: gather(&self.y, order)? },
        })
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
