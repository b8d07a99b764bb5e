//! `Tensor`: a dtype, a shape and reference-counted memory.
//!
//! Cloning shares memory. Mutable access needs the only reference; `make_unique` copies otherwise. A slice along the
//! first axis shares memory with its parent. Memory is row-major and, where the runtime allocated it, 64-byte aligned.
//! A tensor may lie in a device's memory: then every access to its elements by the host is an error of the kind
//! [`DeviceMemory`](crate::ErrorKind::DeviceMemory). Or its elements may be stored elsewhere, such as in a file: they
//! are read when somebody first asks for them.

mod access;
mod buffer;
mod convert;
mod device;
mod fmt;
mod foreign;
mod nested;
mod shared;
mod stored;
pub(crate) mod values;

use std::sync::Arc;

use buffer::Buffer;
pub use buffer::{ALIGNMENT, Allocator};
pub use foreign::{ForeignHandle, ForeignOwner};
pub use nested::NestedElement;
pub(crate) use nested::from_nested;
use shared::SharedBuffer;
pub use stored::StoredElements;

use crate::{DType, Element, Error, Result, Shape, bail, ensure, memory};

/// An n-dimensional array of one dtype.
#[derive(Clone)]
pub struct Tensor {
    buffer: SharedBuffer,
    shape: Shape,
    offset: usize,
    count: usize,
    dtype: DType,
}

/// Bytes of one element in memory; an error for `Invalid`.
pub(crate) fn element_size(dtype: DType) -> Result<usize> {
    match dtype {
        DType::String => Ok(size_of::<crate::TString>()),
        DType::Resource => Ok(size_of::<crate::ResourceHandle>()),
        DType::Variant => Ok(size_of::<crate::resource::Variant>()),
        _ => dtype.size().ok_or_else(|| Error::invalid_argument(format!("a tensor cannot have dtype {dtype}"))),
    }
}

impl Tensor {
    /// A tensor of default elements (zero, false, empty).
    ///
    /// # Errors
    /// No tensor has the dtype, the shape has too many elements, or memory runs out.
    pub fn zeros(dtype: DType, shape: impl Into<Shape>) -> Result<Self> {
        Self::allocate(dtype, shape.into(), None)
    }

    /// A tensor whose elements hold arbitrary values of plain dtypes, defaults otherwise, in memory of `allocator`
    /// (the system's where `None`).
    ///
    /// # Errors
    /// No tensor has the dtype, the shape has too many elements, or memory runs out.
    pub fn allocate(dtype: DType, shape: Shape, allocator: Option<&Arc<dyn Allocator>>) -> Result<Self> {
        let count = shape
            .checked_num_elements()
            .ok_or_else(|| Error::resource_exhausted(format!("shape {shape} has too many elements")))?;
        let buffer = Buffer::allocate(dtype, count, element_size(dtype)?, allocator)?;
        Ok(Self { buffer, shape, offset: 0, count, dtype })
    }

    /// A tensor without elements, the cheapest placeholder.
    #[inline]
    pub fn empty() -> Self {
        Self { buffer: SharedBuffer::EMPTY, shape: Shape::vector(0), offset: 0, count: 0, dtype: DType::Float }
    }

    /// Stands where a tensor of this shape was moved out: without elements and of dtype `Invalid`, so that nothing
    /// reads it.
    #[inline]
    pub(crate) fn moved_out(shape: Shape) -> Self {
        Self { buffer: SharedBuffer::EMPTY, shape, offset: 0, count: 0, dtype: DType::Invalid }
    }

    /// Moves the tensor out; what stays has its shape.
    #[inline]
    pub(crate) fn move_out(&mut self) -> Self {
        let stays = Self::moved_out(self.shape.clone());
        std::mem::replace(self, stays)
    }

    /// A scalar.
    pub fn scalar<T: Element>(value: T) -> Self {
        Self::full(Shape::scalar(), value)
    }

    /// A tensor with every element `value`.
    ///
    /// # Panics
    /// Where the shape exceeds memory; kernels give `ResourceExhausted` then.
    pub fn full<T: Element>(shape: impl Into<Shape>, value: T) -> Self {
        let shape = shape.into();
        let mut tensor = Self::allocate(T::DTYPE, shape, None).unwrap_or_else(|e| memory::out_of_memory(&e));
        if let Ok(slice) = tensor.as_mut_slice::<T>() {
            slice.fill(value);
        }
        tensor
    }

    /// A rank-1 tensor of these values.
    pub fn from_slice<T: Element>(values: &[T]) -> Self {
        let mut tensor =
            Self::allocate(T::DTYPE, Shape::new(&[values.len()]), None).unwrap_or_else(|e| memory::out_of_memory(&e));
        if let Ok(slice) = tensor.as_mut_slice::<T>() {
            slice.clone_from_slice(values);
        }
        tensor
    }

    /// A tensor of this shape with these values in row-major order.
    ///
    /// # Errors
    /// The values do not fill the shape.
    pub fn from_vec<T: Element>(shape: impl Into<Shape>, values: Vec<T>) -> Result<Self> {
        let shape = shape.into();
        let expected = shape.checked_num_elements();
        ensure!(expected == Some(values.len()), "{} values do not fill a tensor of shape {shape}", values.len());
        Self::from_slice(&values).with_shape(shape)
    }

    /// The element type.
    #[inline]
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// The shape.
    #[inline]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The number of dimensions.
    #[inline]
    pub fn rank(&self) -> usize {
        self.shape.rank()
    }

    /// The number of elements.
    #[inline]
    pub fn num_elements(&self) -> usize {
        self.count
    }

    /// Bytes that the elements occupy (for strings: their 24-byte heads).
    pub fn num_bytes(&self) -> usize {
        element_size(self.dtype).map_or(0, |size| size * self.count)
    }

    /// The same elements under another shape of the same count; shares memory.
    ///
    /// # Errors
    /// The shape has another number of elements.
    pub fn with_shape(mut self, shape: impl Into<Shape>) -> Result<Self> {
        let shape = shape.into();
        ensure!(
            shape.checked_num_elements() == Some(self.count),
            "a tensor of shape {} ({} elements) cannot take the shape {shape}",
            self.shape,
            self.count
        );
        self.shape = shape;
        Ok(self)
    }

    /// The same bytes as another plain dtype of the same element size; shares memory.
    ///
    /// # Errors
    /// The sizes of the elements differ, or one of the dtypes is not plain, or bool.
    pub fn bitcast(self, dtype: DType) -> Result<Self> {
        let shape = self.shape.clone();
        self.reinterpret(dtype, shape)
    }

    /// The same bytes as another plain dtype and shape of the same length; shares memory.
    ///
    /// # Errors
    /// The lengths differ, or one of the dtypes is not plain, or bool.
    pub fn reinterpret(mut self, dtype: DType, shape: impl Into<Shape>) -> Result<Self> {
        let shape = shape.into();
        let plain = |d: DType| d.size().is_some() && d != DType::Bool;
        let count = shape.checked_num_elements().filter(|count| {
            let bytes = dtype.size().and_then(|size| size.checked_mul(*count));
            plain(self.dtype) && plain(dtype) && bytes == Some(self.num_bytes())
        });
        let Some(count) = count else {
            bail!(
                "a tensor of {} and shape {} cannot be reinterpreted as {dtype} of shape {shape}: \
                 sizes differ or values are not plain",
                self.dtype,
                self.shape
            );
        };
        let address = self.device_memory().map_or_else(|| self.as_ptr().addr(), |memory| memory.offset);
        if !address.is_multiple_of(element_size(dtype)?) {
            self = self.deep_copy()?;
        }
        (self.dtype, self.shape, self.count) = (dtype, shape, count);
        Ok(self)
    }

    /// Rows `start..end` along the first axis; shares memory.
    ///
    /// # Errors
    /// The tensor is a scalar, or has no such rows.
    pub fn slice(&self, start: usize, end: usize) -> Result<Self> {
        let Some((&rows, rest)) = self.shape.dims().split_first() else { bail!("a scalar has no first axis to slice") };
        ensure!(start <= end && end <= rows, "rows {start}..{end} are outside 0..{rows} of shape {}", self.shape);
        let row = rest.iter().product::<usize>();
        let mut out = self.clone();
        out.shape.dims_mut()[0] = end - start;
        out.count = (end - start) * row;
        out.offset += start * row * element_size(self.dtype)?;
        Ok(out)
    }

    /// Whether this is the only reference to the memory, so that it may be written.
    #[inline]
    pub fn is_unique(&self) -> bool {
        self.buffer.is_only() && self.buffer.is_writable()
    }

    /// Whether this is the only reference to the memory, though that may be memory which nobody writes.
    #[inline]
    pub fn is_only_reference(&self) -> bool {
        self.buffer.is_only()
    }

    /// Whether the memory was allocated for tensors, rather than adopted from a program that made it.
    pub fn owns_memory(&self) -> bool {
        !self.buffer.is_foreign()
    }

    /// Whether both share one block of memory.
    pub fn shares_memory_with(&self, other: &Self) -> bool {
        self.buffer.is(&other.buffer)
    }
}
