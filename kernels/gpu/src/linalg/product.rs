//! Batches of matrix products with any strides: by the device's library where it has one that takes them, otherwise by
//! a program.

use oplink::device::{DeviceContext, MatMulSpec, MatrixLayout};
use oplink::prelude::*;
use smallvec::SmallVec;

use super::programs::{Batch, low_product_of_floats, product_of_doubles, product_of_floats};

/// Elements that 32-bit positions reach.
const MOST_ELEMENTS: usize = 4_000_000_000;
/// Blocks that every device takes in one direction.
const MOST_BLOCKS: usize = 65_535;
/// Dimensions of a batch that a program takes.
const BATCH_RANK: usize = 4;

/// One dimension of a batch: products, and elements from one to the next in `a`, `b` and the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BatchDim {
    pub(super) extent: usize,
    pub(super) strides: [usize; 3],
}

/// Products `y[i, j] = sum over t of a[i, t] * b[t, j]`, for each position of the batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Product {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) terms: usize,
    /// Elements of `a` from a row to the next, and from a term to the next.
    pub(super) a: [usize; 2],
    /// Elements of `b` from a term to the next, and from a column to the next.
    pub(super) b: [usize; 2],
    /// Elements of the output from a row to the next; columns are neighbours.
    pub(super) y_row: usize,
    /// The batch, outermost dimension first.
    pub(super) batch: SmallVec<[BatchDim; 4]>,
}

impl Product {
    /// Enqueues the products.
    ///
    /// # Errors
    /// There are more elements or batch dimensions than a GPU takes, memory runs out, or the device refuses the work.
    pub(super) fn run(mut self, device: &dyn DeviceContext, a: &Tensor, b: &Tensor, y: &Tensor) -> Result<()> {
        if y.num_elements() == 0 {
            return Ok(());
        }
        self.join();
        if let Some(result) = self.by_library(device, a, b, y) {
            return result;
        }
        let largest = [a, b, y].into_iter().map(Tensor::num_elements).max().unwrap_or(0);
        ensure!(largest <= MOST_ELEMENTS, "a GPU multiplies matrices of at most {MOST_ELEMENTS} elements");
        ensure!(
            self.batch.len() <= BATCH_RANK,
            "a GPU multiplies matrices along {BATCH_RANK} separate batch dimensions at most, here are {}",
            self.batch.len()
        );
        if self.terms > 0 {
            return self.by_program(device, a, b, y);
        }
        let nothing = device.allocate(y.dtype(), [1].into())?;
        self.by_program(device, &nothing, &nothing, y)
    }

    /// Joins batch dimensions that lie as one, and one that only lengthens `a`.
    fn join(&mut self) {
        let mut joined: SmallVec<[BatchDim; 4]> = SmallVec::new();
        for &dim in self.batch.iter().rev().filter(|dim| dim.extent != 1) {
            match joined.last_mut() {
                Some(inner) if (0..3).all(|side| dim.strides[side] == inner.strides[side] * inner.extent) => {
                    inner.extent *= dim.extent;
                }
                _ => joined.push(dim),
            }
        }
        joined.reverse();
        self.batch = joined;
        if let Some(&BatchDim { extent, strides: [a, b, y] }) = self.batch.last()
            && b == 0
            && (a, y) == (self.rows * self.a[0], self.rows * self.y_row)
        {
            self.rows *= extent;
            self.batch.pop();
        }
    }

    /// By the library, one call for each position of all batch dimensions but the last.
    fn by_library(&self, device: &dyn DeviceContext, a: &Tensor, b: &Tensor, y: &Tensor) -> Option<Result<()>> {
        let [a_layout, b_layout] =
            [layout(self.a, [self.rows, self.terms])?, layout(self.b, [self.terms, self.columns])?];
        let y_layout =
            MatrixLayout { transposed: false, offset: 0, row_stride: self.y_row.max(self.columns), batch_stride: 0 };
        let (inner, outer) = match self.batch.split_last() {
            Some((inner, outer)) => (*inner, outer),
            None => (BatchDim { extent: 1, strides: [0, 0, self.rows * y_layout.row_stride] }, &[][..]),
        };
        for offsets in offsets(outer) {
            let at = |side: usize, layout: MatrixLayout| MatrixLayout {
                offset: offsets[side],
                batch_stride: inner.strides[side],
                ..layout
            };
            let spec = MatMulSpec {
                dtype: y.dtype(),
                batches: inner.extent,
                rows: self.rows,
                columns: self.columns,
                depth: self.terms,
                a: at(0, a_layout),
                b: at(1, b_layout),
                out: at(2, y_layout),
            };
            match device.matmul(&spec, a, b, y)? {
                Ok(()) => {}
                Err(error) => return Some(Err(error)),
            }
        }
        Some(Ok(()))
    }

    fn by_program(&self, device: &dyn DeviceContext, a: &Tensor, b: &Tensor, y: &Tensor) -> Result<()> {
        let dtype = y.dtype();
        let is_low = self.rows <= 16 && dtype != DType::Double;
        let batches: usize = self.batch.iter().map(|dim| dim.extent).product();
        let tiles = self.rows.div_ceil(if is_low { 16 } else { 64 }) * self.columns.div_ceil(64) * batches;
        let grid = [tiles.min(MOST_BLOCKS) as u32, 1, 1];
        let [rows, columns, terms, y_row] = [self.rows, self.columns, self.terms, self.y_row].map(|value| value as u32);
        let [[a_row, a_term], [b_term, b_column]] = [self.a, self.b].map(|strides| strides.map(|stride| stride as u32));
        let dim = |index: usize| {
            self.batch.iter().rev().nth(index).copied().unwrap_or(BatchDim { extent: 1, strides: [0; 3] })
        };
        let extents = [0, 1, 2].map(|index| dim(index).extent as u32);
        let [a_strides, b_strides, y_strides] =
            [0, 1, 2].map(|side| [0, 1, 2, 3].map(|index| dim(index).strides[side] as u32));
        let batch = Batch { extents, a: a_strides, b: b_strides, y: y_strides };
        let batches = batches as u32;
        macro_rules! launch {
            ($program:ident, $($dtype:ident)?) => {
                $program { a, b, y, rows, columns, terms, a_row, a_term, b_term, b_column, y_row, batches, batch }
                    .launch(device, $($dtype,)? grid)
            };
        }
        match dtype {
            DType::Double => launch!(product_of_doubles,),
            _ if is_low => launch!(low_product_of_floats, dtype),
            _ => launch!(product_of_floats, dtype),
        }
    }
}

/// The layout of a factor with these strides and extents, for a library; `None` where neither rows nor columns are
/// neighbours.
fn layout(strides: [usize; 2], extents: [usize; 2]) -> Option<MatrixLayout> {
    let fits = |near: usize, far: usize| {
        (strides[near] == 1 || extents[near] <= 1) && (strides[far] >= extents[near] || extents[far] <= 1)
    };
    let transposed = match (fits(1, 0), fits(0, 1)) {
        (true, _) => false,
        (false, true) => true,
        _ => return None,
    };
    let (near, far) = if transposed { (0, 1) } else { (1, 0) };
    Some(MatrixLayout { transposed, offset: 0, row_stride: strides[far].max(extents[near]), batch_stride: 0 })
}

/// Where the matrices of `a`, `b` and the output start at each position of batch dimensions.
fn offsets(dims: &[BatchDim]) -> Vec<[usize; 3]> {
    let mut all = vec![[0; 3]];
    for dim in dims {
        let at = |start: [usize; 3], i: usize| std::array::from_fn(|side| start[side] + i * dim.strides[side]);
        all = all.into_iter().flat_map(|start| (0..dim.extent).map(move |i| at(start, i))).collect();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn product(batch: &[(usize, [usize; 3])]) -> Product {
        let batch = batch.iter().map(|&(extent, strides)| BatchDim { extent, strides }).collect();
        Product { rows: 2, columns: 5, terms: 3, a: [3, 1], b: [5, 1], y_row: 5, batch }
    }

    #[test]
    fn batches_join() {
        let mut dense = product(&[(4, [42, 105, 70]), (1, [0, 0, 0]), (7, [6, 15, 10])]);
        dense.join();
        assert_eq!(dense, product(&[(28, [6, 15, 10])]));
        let mut rows = product(&[(4, [42, 0, 70]), (7, [6, 0, 10])]);
        rows.join();
        assert_eq!(rows, Product { rows: 56, ..product(&[]) });
        let mut broadcast = product(&[(4, [0, 105, 70]), (7, [6, 15, 10])]);
        let before = broadcast.clone();
        broadcast.join();
        assert_eq!(broadcast, before);
        assert_eq!(offsets(&broadcast.batch[..1]), [[0, 0, 0], [0, 105, 70], [0, 210, 140], [0, 315, 210]]);
    }

    #[test]
    fn layouts_of_libraries() {
        let dense = |transposed, row_stride| Some(MatrixLayout { transposed, offset: 0, row_stride, batch_stride: 0 });
        assert_eq!(layout([3, 1], [2, 3]), dense(false, 3));
        assert_eq!(layout([1, 2], [2, 3]), dense(true, 2));
        assert_eq!(layout([0, 1], [1, 3]), dense(false, 3));
        assert_eq!(layout([6, 2], [2, 3]), None);
        assert_eq!(layout([2, 1], [2, 3]), None);
    }
}
