//! Datasets of inputs: numbers of a range, tensors, the rows of tensors, lists of tensors.

use oplink::prelude::*;
use oplink_ops::data::{ListDataset, RangeDataset, TensorDataset, TensorSliceDataset};

use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Run};
use crate::position::{PositionReader, PositionWriter};

/// A dataset whose elements are known by their positions.
pub(crate) trait Indexed: Send + Sync + 'static {
    /// How many elements there are.
    fn len(&self) -> u64;

    /// The element at a position.
    fn at(&self, position: u64) -> Result<Element>;
}

/// A dataset by positions.
struct ByPosition<T>(std::sync::Arc<T>);

struct Counter<T> {
    of: std::sync::Arc<T>,
    next: u64,
}

impl<T: Indexed> Dataset for ByPosition<T> {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        Vec::new()
    }

    fn cardinality(&self) -> Cardinality {
        Cardinality::Known(self.0.len())
    }

    fn is_indexed(&self) -> bool {
        true
    }

    fn at(&self, _: &Run<'_>, position: u64) -> Result<Option<Element>> {
        if position < self.0.len() { self.0.at(position).map(Some) } else { Ok(None) }
    }

    fn iterate(&self, _: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        Ok(Box::new(Counter { of: self.0.clone(), next: 0 }))
    }
}

impl<T: Indexed> DatasetIterator for Counter<T> {
    fn next(&mut self, _: &Run<'_>) -> Result<Option<Element>> {
        if self.next >= self.of.len() {
            return Ok(None);
        }
        self.next += 1;
        self.of.at(self.next - 1).map(Some)
    }

    fn save(&mut self, _: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        to.put(self.next as i64);
        Ok(())
    }

    fn restore(&mut self, _: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        self.next = from.count()?;
        Ok(())
    }
}

/// The variant of a dataset by positions.
pub(crate) fn indexed(
    env: &Env<'_>,
    dtypes: &[DType],
    shapes: &[PartialShape],
    dataset: impl Indexed,
) -> Result<DatasetHandle> {
    let dataset = ByPosition(std::sync::Arc::new(dataset));
    DatasetHandle::new(env, dtypes, shapes, dataset)
}

struct Range {
    start: i64,
    step: i64,
    count: u64,
    dtype: DType,
}

impl Indexed for Range {
    fn len(&self) -> u64 {
        self.count
    }

    fn at(&self, position: u64) -> Result<Element> {
        // Within the range, so the sum cannot be out of 64 bits.
        let number = i128::from(self.start) + i128::from(position) * i128::from(self.step);
        Ok(vec![number_of(self.dtype, number as i64)?])
    }
}

/// A number as a scalar of a dtype.
pub(crate) fn number_of(dtype: DType, number: i64) -> Result<Tensor> {
    Ok(match dtype {
        DType::Int64 => Tensor::scalar(number),
        DType::Int32 => Tensor::scalar(number as i32),
        DType::Int16 => Tensor::scalar(number as i16),
        DType::Int8 => Tensor::scalar(number as i8),
        DType::UInt64 => Tensor::scalar(number as u64),
        DType::UInt32 => Tensor::scalar(number as u32),
        DType::UInt16 => Tensor::scalar(number as u16),
        DType::UInt8 => Tensor::scalar(number as u8),
        DType::Float => Tensor::scalar(number as f32),
        DType::Double => Tensor::scalar(number as f64),
        DType::Half => Tensor::scalar(f16::from_f64(number as f64)),
        DType::BFloat16 => Tensor::scalar(bf16::from_f64(number as f64)),
        other => bail!("a range has numbers, its dtype cannot be {other}"),
    })
}

/// `RangeDataset`.
#[kernel(RangeDataset, device = CPU)]
pub fn range_dataset_cpu(
    start: i64,
    stop: i64,
    step: i64,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    ensure!(step != 0, "step must not be 0: the range would have no end");
    let &[dtype] = output_types else { bail!("a range has one component, output_types has {}", output_types.len()) };
    number_of(dtype, 0)?;
    let (length, step_length) = (i128::from(stop) - i128::from(start), i128::from(step));
    let count = if length.signum() == step_length.signum() { (length.abs() - 1) / step_length.abs() + 1 } else { 0 };
    indexed(&env, output_types, output_shapes, Range { start, step, count: count as u64, dtype })
}

struct Once(Element);

impl Indexed for Once {
    fn len(&self) -> u64 {
        1
    }

    fn at(&self, _: u64) -> Result<Element> {
        Ok(self.0.clone())
    }
}

/// `TensorDataset`.
#[kernel(TensorDataset, device = CPU)]
pub fn tensor_dataset_cpu(
    components: &[Tensor],
    toutput_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    check_shapes(components.iter().map(|tensor| &tensor.shape()[..]), output_shapes)?;
    indexed(&env, toutput_types, output_shapes, Once(components.to_vec()))
}

fn check_shapes<'a>(shapes: impl ExactSizeIterator<Item = &'a [usize]>, declared: &[PartialShape]) -> Result<()> {
    let (given, wanted) = (shapes.len(), declared.len());
    ensure!(given == wanted, "there are {given} components, output_shapes has {wanted} shapes");
    for (at, (shape, wanted)) in shapes.zip(declared).enumerate() {
        ensure!(wanted.accepts(shape), "component {at} has shape {shape:?}, output_shapes says {wanted}");
    }
    Ok(())
}

struct Slices {
    components: Vec<Tensor>,
    count: usize,
}

impl Indexed for Slices {
    fn len(&self) -> u64 {
        self.count as u64
    }

    fn at(&self, position: u64) -> Result<Element> {
        self.components.iter().map(|tensor| row(tensor, position as usize)).collect()
    }
}

/// A row of a tensor, which shares its memory.
pub(crate) fn row(tensor: &Tensor, at: usize) -> Result<Tensor> {
    let shape = Shape::new(tensor.shape().get(1..).unwrap_or_default());
    tensor.slice(at, at + 1)?.with_shape(shape)
}

/// The extent of the first axis, which all tensors must have in common.
pub(crate) fn common_rows(components: &[Tensor]) -> Result<usize> {
    let mut count = None;
    for (at, tensor) in components.iter().enumerate() {
        let Some(&rows) = tensor.shape().first() else { bail!("component {at} is a scalar, which has no rows") };
        let first = *count.get_or_insert(rows);
        ensure!(
            rows == first,
            "component {at} has {rows} rows, component 0 has {first}: all must have the same number"
        );
    }
    count.ok_or_else(|| Error::invalid_argument("there are no components"))
}

/// `TensorSliceDataset`: the rows share the memory of the components.
#[kernel(TensorSliceDataset, device = CPU)]
pub fn tensor_slice_dataset_cpu(
    components: &[Tensor],
    toutput_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let count = common_rows(components)?;
    check_shapes(components.iter().map(|tensor| &tensor.shape()[1..]), output_shapes)?;
    indexed(&env, toutput_types, output_shapes, Slices { components: components.to_vec(), count })
}

struct List {
    tensors: Vec<Tensor>,
    components: usize,
}

impl Indexed for List {
    fn len(&self) -> u64 {
        (self.tensors.len() / self.components) as u64
    }

    fn at(&self, position: u64) -> Result<Element> {
        let first = position as usize * self.components;
        Ok(self.tensors[first..first + self.components].to_vec())
    }
}

/// `ListDataset`.
#[kernel(ListDataset, device = CPU)]
pub fn list_dataset_cpu(
    tensors: &[Tensor],
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let (count, components) = (tensors.len(), output_types.len());
    ensure!(count.is_multiple_of(components), "{count} tensors cannot be divided into elements of {components}");
    for (at, tensor) in tensors.iter().enumerate() {
        let wanted = output_types[at % components];
        ensure!(tensor.dtype() == wanted, "tensor {at} is {}, output_types says {wanted}", tensor.dtype());
    }
    indexed(&env, output_types, output_shapes, List { tensors: tensors.to_vec(), components })
}
