//! The elements that a matrix in panels is made of, and the order in which they are read: whole rows, some at a time,
//! by all threads. Elements that are still in a file pass through a buffer that stays in cache, and take no other
//! memory.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use oplink::{Element, KernelEnv, Result, Tensor, parallel};

use crate::scratch::Scratch;

/// Elements that are read at a time: few enough that they are in cache when they are written again.
const BLOCK: usize = if cfg!(test) { 1 << 6 } else { 1 << 16 };

/// Elements in row-major order.
#[derive(Debug, Clone, Copy)]
pub enum Source<'a, T> {
    /// In memory.
    Memory(&'a [T]),
    /// Still to be read, and needed once.
    Unread(&'a Tensor),
}

/// Parts of what panels hold, which one block of rows fills.
pub(crate) type Parts<'m, T> = Vec<&'m mut [T]>;

impl<'a, T: Element> Source<'a, T> {
    /// The elements of a constant.
    ///
    /// # Errors
    /// The constant has another dtype, or no memory that can be read.
    pub fn of(constant: &'a Tensor) -> Result<Self> {
        let is_unread = constant.dtype() == T::DTYPE && constant.is_unread();
        if is_unread { Ok(Self::Unread(constant)) } else { constant.as_slice().map(Self::Memory) }
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        match self {
            Self::Memory(elements) => elements.len(),
            Self::Unread(constant) => constant.num_elements(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Elements `range`, in `scratch` where they were not in memory.
    fn read<'s>(&'s self, range: Range<usize>, scratch: &'s mut [T]) -> Result<&'s [T]> {
        match self {
            Self::Memory(elements) => Ok(&elements[range]),
            Self::Unread(constant) => {
                let scratch = &mut scratch[..range.len()];
                constant.read_part(range.start, scratch)?;
                Ok(scratch)
            }
        }
    }
}

/// Matrices of the same extents, in row-major order one after the other.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Matrices<'a, T> {
    pub(crate) source: Source<'a, T>,
    pub(crate) count: usize,
    pub(crate) columns: usize,
}

impl<T: Element + Copy + Send + Sync> Matrices<'_, T> {
    /// Rows of each matrix.
    pub(crate) fn rows(&self) -> usize {
        self.source.len() / (self.count * self.columns).max(1)
    }

    /// Fills `panels`, each of which consists of `panel` elements (the last one of fewer) in `lists` lists of a line
    /// for each row of a matrix. `fill` gets the same rows of all matrices, the number of these rows, and what they
    /// fill: their lines of each list of each panel.
    ///
    /// # Errors
    /// The elements cannot be read; there is no memory for the buffers.
    pub(crate) fn fill_panels(
        &self,
        env: &dyn KernelEnv,
        panels: &mut [T],
        (panel, lists): (usize, usize),
        fill: &(dyn Fn(&[&[T]], usize, &mut Parts<'_, T>) + Sync),
    ) -> Result<()> {
        let rows = self.rows();
        if rows == 0 || panels.is_empty() {
            return Ok(());
        }
        let block = (BLOCK / (self.count * self.columns)).clamp(1, rows);
        let parts = cut(panels, (panel, lists), (rows, block));
        let parts: Vec<_> = parts.into_iter().map(Some).map(Mutex::new).collect();
        let failure = Mutex::new(None);
        let buffer = if matches!(self.source, Source::Memory(_)) { 0 } else { self.count * block * self.columns };
        Scratch::with(env, buffer, |scratch| {
            env.parallel_for(parts.len(), 1, &|range| {
                for index in range {
                    parallel::poll(env);
                    let taken = parts[index].lock().unwrap_or_else(PoisonError::into_inner).take();
                    let Some(mut parts) = taken else { continue };
                    let lines = index * block..rows.min((index + 1) * block);
                    let filled: Result<()> = scratch.lend(|scratch| {
                        let read = self.read(lines.clone(), scratch)?;
                        fill(&read, lines.len(), &mut parts);
                        Ok(())
                    });
                    if let Err(error) = filled {
                        failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                    }
                }
            });
            Ok(())
        })?;
        failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }

    /// The same rows of each matrix.
    fn read<'s>(&'s self, rows: Range<usize>, scratch: &'s mut [T]) -> Result<Vec<&'s [T]>> {
        let (matrix, length) = (self.rows() * self.columns, rows.len() * self.columns);
        let start = rows.start * self.columns;
        let mut buffers = scratch.chunks_mut(length);
        let read = |at: usize| self.source.read(at..at + length, buffers.next().unwrap_or_default());
        (0..self.count).map(|index| index * matrix + start).map(read).collect()
    }
}

/// For each block of rows what it fills: its lines of each list of each panel.
fn cut<T>(panels: &mut [T], (panel, lists): (usize, usize), (rows, block): (usize, usize)) -> Vec<Parts<'_, T>> {
    let mut blocks: Vec<Parts<'_, T>> = (0..rows.div_ceil(block)).map(|_| Vec::new()).collect();
    for panel in panels.chunks_mut(panel) {
        let list = panel.len() / lists;
        for list in panel.chunks_mut(list) {
            let lines = list.len() / rows * block;
            for (parts, lines) in blocks.iter_mut().zip(list.chunks_mut(lines)) {
                parts.push(lines);
            }
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::direct::{PackedFilter, TransformedFilter};
    use crate::packed::PackedMatrix;
    use oplink::DType;
    use oplink::tensor::StoredElements;
    use oplink_cpu_support::testing::Threads;
    use std::sync::Arc;

    /// Floats as a file has them, up to a byte that cannot be read.
    struct Stored(Vec<f32>, usize);

    impl StoredElements for Stored {
        fn read_at(&self, bytes: &mut [u8], offset: usize) -> Result<()> {
            oplink::ensure!(offset + bytes.len() <= self.1, "byte {} is lost", self.1);
            let all: Vec<u8> = self.0.iter().flat_map(|value| value.to_ne_bytes()).collect();
            bytes.copy_from_slice(&all[offset..][..bytes.len()]);
            Ok(())
        }
    }

    fn values(count: usize) -> Vec<f32> {
        (0..count).map(|i| (i * 37 % 101) as f32 - 50.0).collect()
    }

    fn stored(values: &[f32], readable: usize) -> Tensor {
        let source = Arc::new(Stored(values.to_vec(), readable));
        Tensor::stored(DType::Float, [values.len()], source).unwrap()
    }

    /// What is made of a source with so many columns.
    type Pack = fn(&Threads, Source<'_, f32>, usize) -> Result<Tensor>;

    /// The memory of each kind of panels.
    const PACKS: [Pack; 3] = [
        |env, source, columns| PackedFilter::lasting(env, source, columns).map(|packed| packed.memory),
        |env, source, columns| TransformedFilter::lasting(env, source, columns).map(|packed| packed.memory),
        |env, source, columns| PackedMatrix::of_rows(env, source, columns).map(|packed| packed.panels),
    ];

    #[test]
    fn panels_are_the_same_from_memory_and_from_a_file_with_any_number_of_threads() {
        for (rows, columns) in [(9, 1), (18, 16), (27, 33), (9 * 7, 100), (9 * 50, 70), (0, 3)] {
            let values = values(rows * columns);
            let once = PackedFilter::new(&Threads(1), &values, columns).unwrap().memory;
            for (index, pack) in PACKS.iter().enumerate() {
                let whole = pack(&Threads(1), Source::Memory(&values), columns).unwrap();
                let expected = whole.as_slice::<f32>().unwrap();
                assert!(index > 0 || expected == once.as_slice::<f32>().unwrap(), "{rows}x{columns}");
                for threads in [1, 3] {
                    let constant = stored(&values, values.len() * 4);
                    let got = pack(&Threads(threads), Source::of(&constant).unwrap(), columns).unwrap();
                    assert!(
                        got.as_slice::<f32>().unwrap() == expected,
                        "{index}: {rows}x{columns} with {threads} threads"
                    );
                    assert!(constant.is_unread());
                }
            }
        }
    }

    #[test]
    fn what_cannot_be_read_is_an_error() {
        let constant = stored(&values(90 * 40), 9000);
        for pack in PACKS {
            let error = pack(&Threads(2), Source::of(&constant).unwrap(), 40).unwrap_err();
            assert!(error.to_string().contains("byte 9000 is lost"), "{error}");
        }
    }
}
