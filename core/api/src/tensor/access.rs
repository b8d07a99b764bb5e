//! Typed access to a tensor's elements: slices and `ndarray` views.
#![allow(unsafe_code, reason = "room: tensor memory")]

use std::ptr::NonNull;

use ndarray::{ArrayView, ArrayViewMut, Dimension, IxDyn};

use super::buffer::Access;
use super::{Buffer, Tensor, element_size};
use crate::device::DeviceMemory;
use crate::{DType, Element, Error, Result, bail, ensure};

impl Tensor {
    #[cold]
    fn wrong_dtype(&self, wanted: DType) -> Error {
        Error::invalid_argument(format!("the tensor holds {}, not {wanted}", self.dtype))
    }

    /// The first element; an error where the host cannot read it.
    #[inline]
    fn data_ptr<T: Element>(&self) -> Result<*mut T> {
        debug_assert!(self.offset <= self.buffer.len());
        self.start().map(|start| start.as_ptr().cast())
    }

    /// The first byte of the elements; an error where the host cannot read them.
    #[inline]
    pub(super) fn start(&self) -> Result<NonNull<u8>> {
        match self.buffer.host_ptr() {
            // SAFETY: offset lies within the buffer (kept by slice and allocate).
            Some(start) => Ok(unsafe { start.add(self.offset) }),
            None => Err(self.not_on_host()),
        }
    }

    /// The elements in row-major order.
    ///
    /// # Errors
    /// The tensor has another dtype, or it lies in a device's memory.
    #[inline]
    pub fn as_slice<T: Element>(&self) -> Result<&[T]> {
        if self.dtype != T::DTYPE {
            return Err(self.wrong_dtype(T::DTYPE));
        }
        // SAFETY: the dtype matches T, count elements from the offset are valid for the buffer's life, nobody
        // writes them while `self` shares the buffer; alignment is that of the allocator or checked on wrapping.
        Ok(unsafe { std::slice::from_raw_parts(self.data_ptr()?, self.count) })
    }

    /// The elements, writable; an error where the memory is shared.
    ///
    /// # Errors
    /// The tensor has another dtype, its memory is shared, or it lies in a device's memory.
    #[inline]
    pub fn as_mut_slice<T: Element>(&mut self) -> Result<&mut [T]> {
        if self.dtype != T::DTYPE {
            return Err(self.wrong_dtype(T::DTYPE));
        }
        let start = self.writable_start()?.cast();
        // SAFETY: as in as_slice; writable_start showed that this is the only reference, and it is borrowed mutably.
        Ok(unsafe { std::slice::from_raw_parts_mut(start.as_ptr(), self.count) })
    }

    /// The value of a tensor with exactly one element.
    ///
    /// # Errors
    /// The tensor has another dtype or number of elements, or it lies in a device's memory.
    #[inline]
    pub fn to_scalar<T: Element>(&self) -> Result<T> {
        match self.as_slice::<T>()? {
            [value] => Ok(value.clone()),
            _ => bail!("expected one element, the tensor has shape {}", self.shape),
        }
    }

    /// A view of dynamic or fixed rank.
    ///
    /// # Errors
    /// The tensor has another dtype or rank, or it lies in a device's memory.
    #[inline]
    pub fn view<T: Element, D: Dimension>(&self) -> Result<ArrayView<'_, T, D>> {
        let dim = self.dimension::<D>()?;
        let slice = self.as_slice::<T>()?;
        // SAFETY: the slice holds product(dim) elements in row-major order.
        Ok(unsafe { ArrayView::from_shape_ptr(dim, slice.as_ptr()) })
    }

    /// A writable view; an error where the memory is shared.
    ///
    /// # Errors
    /// The tensor has another dtype or rank, its memory is shared, or it lies in a device's memory.
    #[inline]
    pub fn view_mut<T: Element, D: Dimension>(&mut self) -> Result<ArrayViewMut<'_, T, D>> {
        let dim = self.dimension::<D>()?;
        let slice = self.as_mut_slice::<T>()?;
        // SAFETY: the slice holds product(dim) elements in row-major order and is borrowed mutably.
        Ok(unsafe { ArrayViewMut::from_shape_ptr(dim, slice.as_mut_ptr()) })
    }

    #[inline]
    fn dimension<D: Dimension>(&self) -> Result<D> {
        if let Some(rank) = D::NDIM {
            ensure!(rank == self.rank(), "expected rank {rank}, the tensor has shape {}", self.shape);
            let mut dim = D::zeros(rank);
            dim.slice_mut().copy_from_slice(&self.shape);
            return Ok(dim);
        }
        D::from_dimension(&IxDyn(&self.shape)).ok_or_else(|| Error::internal("dynamic rank refused a shape"))
    }

    /// The bytes of a tensor of a dtype with a fixed size; an error for strings, resources and variants.
    ///
    /// # Errors
    /// The elements are strings, resources or variants, or the tensor lies in a device's memory.
    pub fn as_bytes(&self) -> Result<&[u8]> {
        ensure!(self.dtype.size().is_some(), "a tensor of {} has no plain bytes", self.dtype);
        // SAFETY: the elements are initialised plain data.
        Ok(unsafe { std::slice::from_raw_parts(self.data_ptr::<u8>()?, self.num_bytes()) })
    }

    /// The bytes of a tensor of a dtype of which all bytes are values (a fixed size, not bool), writable; an error
    /// where the memory is shared.
    ///
    /// # Errors
    /// The dtype is another one, the memory is shared, or it lies in a device's memory.
    pub fn as_mut_bytes(&mut self) -> Result<&mut [u8]> {
        ensure!(
            self.dtype.size().is_some() && self.dtype != DType::Bool,
            "a tensor of {} has no plain bytes",
            self.dtype
        );
        let (start, bytes) = (self.writable_start()?, self.num_bytes());
        // SAFETY: the elements are initialised plain data, any bytes are values of the dtype; writable_start showed
        // that this is the only reference, and it is borrowed mutably.
        Ok(unsafe { std::slice::from_raw_parts_mut(start.as_ptr(), bytes) })
    }

    /// A tensor from the little-endian bytes of its elements.
    ///
    /// # Errors
    /// The dtype has no fixed size, the number of bytes is not that of the elements, a bool is neither 0 nor 1, or
    /// memory runs out.
    pub fn from_bytes(dtype: DType, shape: impl Into<crate::Shape>, bytes: &[u8]) -> Result<Self> {
        let tensor = Self::zeros(dtype, shape)?;
        ensure!(dtype.size().is_some(), "a tensor of {dtype} has no plain bytes");
        ensure!(
            bytes.len() == tensor.num_bytes(),
            "{} bytes given for a tensor of {dtype} {}, which has {}",
            bytes.len(),
            tensor.shape,
            tensor.num_bytes()
        );
        ensure!(dtype != DType::Bool || bytes.iter().all(|&b| b <= 1), "bytes of a bool tensor must be 0 or 1");
        tensor.buffer.ask_for_pages();
        // SAFETY: the buffer is fresh, has this many bytes, and any bytes are values of the dtype (bool checked).
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), tensor.data_ptr::<u8>()?, bytes.len()) }
        Ok(tensor)
    }

    /// The same values in memory of its own, copied only where shared.
    ///
    /// # Errors
    /// As [`deep_copy`](Self::deep_copy), where the memory is shared.
    pub fn make_unique(self) -> Result<Self> {
        if self.is_unique() { Ok(self) } else { self.deep_copy() }
    }

    /// A copy in fresh host memory.
    ///
    /// # Errors
    /// Memory runs out, or the tensor lies in a device's memory: that is copied by the device's context.
    pub fn deep_copy(&self) -> Result<Self> {
        let mut out = Self::zeros(self.dtype, self.shape.clone())?;
        match self.dtype {
            DType::String => out.as_mut_slice::<crate::TString>()?.clone_from_slice(self.as_slice()?),
            DType::Resource => out.as_mut_slice::<crate::ResourceHandle>()?.clone_from_slice(self.as_slice()?),
            DType::Variant => out.as_mut_slice::<crate::resource::Variant>()?.clone_from_slice(self.as_slice()?),
            _ => {
                let bytes = self.as_bytes()?;
                // SAFETY: out is fresh memory of the same size.
                unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), out.data_ptr::<u8>()?, bytes.len()) }
            }
        }
        Ok(out)
    }

    /// Takes over a vector without copying; its memory is aligned to `T`, not to 64 bytes.
    pub(crate) fn adopt_vec<T: Element>(shape: crate::Shape, mut values: Vec<T>) -> Result<Self> {
        let count = values.len();
        ensure!(shape.checked_num_elements() == Some(count), "{count} values do not fill a tensor of shape {shape}");
        let len = count * element_size(T::DTYPE)?;
        // SAFETY: a vector's pointer is not null.
        let ptr = unsafe { NonNull::new_unchecked(values.as_mut_ptr().cast::<u8>()) };
        // SAFETY: the vector owns the elements, does not move them, and destroys them when dropped.
        let buffer = unsafe { Buffer::foreign(ptr, len, Box::new(values).into(), Access::Unique) };
        Ok(Self { buffer, shape, offset: 0, count, dtype: T::DTYPE })
    }

    /// Whether this is the only reference to memory that may be written.
    #[inline]
    fn is_writable(&mut self) -> bool {
        self.buffer.is_only() && self.buffer.is_writable()
    }

    /// The first byte of the elements; an error where the memory is shared or the host cannot write it.
    #[inline]
    pub(super) fn writable_start(&mut self) -> Result<NonNull<u8>> {
        if !self.is_writable() {
            bail!("the tensor's memory is shared and cannot be written; call make_unique first");
        }
        self.start()
    }

    /// The address of the first element, for alignment tests and foreign interfaces. In a device's memory it is the
    /// block's handle plus the offset, which is an address only where the platform's handles are.
    #[inline]
    pub fn as_ptr(&self) -> *const u8 {
        match self.buffer.host_ptr() {
            Some(start) => start.as_ptr().wrapping_add(self.offset),
            None => self.device_ptr(),
        }
    }

    #[cold]
    fn device_ptr(&self) -> *const u8 {
        let address = |memory: DeviceMemory<'_>| memory.block.handle().cast::<u8>().wrapping_add(memory.offset);
        self.device_memory().map_or(std::ptr::null(), |memory| address(memory).cast_const())
    }
}
