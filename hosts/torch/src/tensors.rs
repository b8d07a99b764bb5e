//! Tensors of PyTorch, seen as tensors of ours without copying, and the memory of outputs.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_void;
use std::ptr::{self, NonNull};
use std::sync::{Mutex, MutexGuard, PoisonError};

use oplink_abi::torch::{AtenTensorOpaque, DEVICE_TYPE_CPU, LAYOUT_STRIDED};
use oplink_api::{DType, Error, Result, Shape, Tensor, bail};
use oplink_hosts_common::{OutputAddress, OutputMemory, borrowed, output};
use smallvec::SmallVec;

use crate::functions::{Torch, check};
use crate::{dtypes, parallel};

/// A handle of the kernel's own.
pub(crate) struct Handle {
    torch: &'static Torch,
    raw: NonNull<AtenTensorOpaque>,
}

// SAFETY: a handle counts references to a tensor, which any thread may drop.
unsafe impl Send for Handle {}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: the handle is the kernel's, freed once.
        unsafe { (self.torch.aoti_torch_delete_tensor_object)(self.raw.as_ptr()) };
    }
}

impl Handle {
    #[cfg(feature = "gpu")]
    pub(crate) fn torch(&self) -> &'static Torch {
        self.torch
    }

    /// # Safety
    /// The handle is null or the kernel's to free.
    pub(crate) unsafe fn new(torch: &'static Torch, raw: *mut AtenTensorOpaque) -> Result<Self> {
        let raw = NonNull::new(raw).ok_or_else(|| Error::internal("PyTorch gave no tensor"))?;
        Ok(Self { torch, raw })
    }

    /// Gives the handle away.
    pub(crate) fn into_raw(self) -> *mut AtenTensorOpaque {
        let raw = self.raw.as_ptr();
        std::mem::forget(self);
        raw
    }

    /// What a function writes of the tensor.
    #[inline]
    pub(crate) fn read<T>(
        &self,
        get: unsafe extern "C" fn(*mut AtenTensorOpaque, *mut T) -> i32,
        fill: T,
        what: &str,
    ) -> Result<T> {
        let mut value = fill;
        // SAFETY: the handle is alive, the place is written to.
        check(unsafe { get(self.raw.as_ptr(), &raw mut value) }, what)?;
        Ok(value)
    }

    #[cfg(feature = "gpu")]
    pub(crate) fn raw(&self) -> *mut AtenTensorOpaque {
        self.raw.as_ptr()
    }

    /// The type of the device that the elements are on.
    #[inline]
    pub(crate) fn device_type(&self) -> Result<i32> {
        self.read(self.torch.aoti_torch_get_device_type, 0, "a device")
    }

    /// As [`layout`](Self::layout), for a kernel of the CPU.
    ///
    /// # Errors
    /// The tensor is on another device than the CPU, or has no strides.
    #[inline]
    pub(crate) fn host_layout(&self) -> Result<Layout<'_>> {
        if self.device_type()? != DEVICE_TYPE_CPU {
            bail!("the kernel works in host memory, the tensor is on another device: move it by `.cpu()`");
        }
        self.layout()
    }

    /// What libtorch tells of the tensor, on whatever device.
    ///
    /// # Errors
    /// The tensor has no strides.
    #[inline]
    pub(crate) fn layout(&self) -> Result<Layout<'_>> {
        let torch = self.torch;
        if self.read(torch.aoti_torch_get_layout, 0, "a layout")? != LAYOUT_STRIDED {
            bail!("the kernel takes tensors with strides, not sparse ones: make it dense by `.to_dense()`");
        }
        let dtype = self.read(torch.aoti_torch_get_dtype, 0, "a dtype")?;
        let rank = usize::try_from(self.read(torch.aoti_torch_get_dim, 0, "a rank")?).unwrap_or(0);
        let sizes = self.read(torch.aoti_torch_get_sizes, ptr::null_mut(), "sizes")?;
        let strides = self.read(torch.aoti_torch_get_strides, ptr::null_mut(), "strides")?;
        let data = self.read(torch.aoti_torch_get_data_ptr, ptr::null_mut::<c_void>(), "elements")?.cast::<u8>();
        // SAFETY: the tensor has as many sizes and strides as its rank, borrowed from the tensor.
        let (sizes, strides) = unsafe { (array(sizes, rank), array(strides, rank)) };
        Ok(Layout { dtype, sizes, strides, data })
    }
}

/// Where the elements of a tensor are.
pub(crate) struct Layout<'a> {
    /// libtorch's number.
    pub(crate) dtype: i32,
    pub(crate) sizes: &'a [i64],
    strides: &'a [i64],
    /// The address of the first element, on the tensor's device.
    data: *mut u8,
}

impl Layout<'_> {
    /// The elements, where they lie in row-major order; else null.
    #[inline]
    pub(crate) fn row_major(&self) -> *mut u8 {
        if self.is_row_major() { self.data } else { ptr::null_mut() }
    }

    #[inline]
    fn is_row_major(&self) -> bool {
        let mut expected = 1i64;
        let fits = |(&size, &stride): (&i64, &i64)| {
            let fits = size == 1 || stride == expected;
            expected = expected.wrapping_mul(size);
            fits
        };
        self.sizes.iter().zip(self.strides).rev().all(fits) || self.sizes.contains(&0)
    }

    /// A tensor over the elements, which are gathered first where they do not lie in row-major order.
    ///
    /// # Errors
    /// The tensor has a dtype that there is not here.
    ///
    /// # Safety
    /// The layout is a [`host_layout`](Handle::host_layout), its tensor outlives the one that is returned and its
    /// clones, and nobody writes the elements meanwhile.
    pub(crate) unsafe fn view(&self) -> Result<Tensor> {
        let (dtype, shape) = (dtypes::from_torch(self.dtype)?, Shape::from_i64(self.sizes)?);
        if self.is_row_major() {
            // SAFETY: the elements are there in row-major order; the caller's contract for how long.
            return unsafe { borrowed(dtype, shape, self.data) };
        }
        // SAFETY: each element is where its strides tell.
        unsafe { gathered(dtype, &shape, self.strides, self.data) }
    }
}

/// # Safety
/// There are as many values, or none and the pointer is null.
unsafe fn array<'a>(values: *const i64, length: usize) -> &'a [i64] {
    // SAFETY: not null, so as long as told (Safety section).
    if values.is_null() || length == 0 { &[] } else { unsafe { std::slice::from_raw_parts(values, length) } }
}

/// The elements in row-major order.
///
/// # Safety
/// Each element of the shape is initialised, where its strides tell, counted in elements from `data`.
unsafe fn gathered(dtype: DType, shape: &Shape, strides: &[i64], data: *const u8) -> Result<Tensor> {
    let Some(size) = dtype.size() else { bail!("PyTorch has no tensors of {dtype}") };
    let mut tensor = Tensor::zeros(dtype, shape.clone())?;
    let bytes = tensor.num_bytes();
    let to = tensor.as_ptr().cast_mut();
    debug_assert!(tensor.is_unique() && bytes == size * shape.num_elements());
    let mut position: SmallVec<[usize; 6]> = SmallVec::from_elem(0, shape.rank());
    let mut offset = 0i64;
    for at in 0..shape.num_elements() {
        // SAFETY: `offset` is that of an element (Safety section); `to` has room for element `at`, and is unique.
        unsafe { ptr::copy_nonoverlapping(data.offset(offset as isize * size as isize), to.add(at * size), size) };
        for axis in (0..shape.rank()).rev() {
            position[axis] += 1;
            offset += strides[axis];
            if position[axis] < shape[axis] {
                break;
            }
            offset -= strides[axis] * shape[axis] as i64;
            position[axis] = 0;
        }
    }
    let _ = &mut tensor;
    Ok(tensor)
}

/// A new tensor in row-major order, and the address of its first element. The shape's elements can be counted.
#[inline]
pub(crate) fn empty(
    torch: &'static Torch,
    dtype: DType,
    shape: &Shape,
    device_type: i32,
    device: i32,
) -> Result<(Handle, *mut u8)> {
    let number = dtypes::to_torch(dtype)?;
    let sizes: SmallVec<[i64; 6]> = shape.iter().map(|&size| size as i64).collect();
    let mut strides: SmallVec<[i64; 6]> = SmallVec::from_elem(1, sizes.len());
    for axis in (1..sizes.len()).rev() {
        strides[axis - 1] = strides[axis] * sizes[axis].max(1);
    }
    let mut raw = ptr::null_mut();
    // SAFETY: both arrays have as many values as the rank; the place is written to.
    let handle = unsafe {
        let rank = sizes.len() as i64;
        let (sizes, strides) = (sizes.as_ptr(), strides.as_ptr());
        let place = &raw mut raw;
        let code = (torch.aoti_torch_empty_strided)(rank, sizes, strides, number, device_type, device, place);
        check(code, format_args!("memory for a tensor of {dtype} {shape}"))?;
        Handle::new(torch, raw)?
    };
    let data = handle.read(torch.aoti_torch_get_data_ptr, ptr::null_mut::<c_void>(), "the memory of an output")?;
    Ok((handle, data.cast()))
}

/// Outputs of one call.
pub(crate) struct TorchMemory {
    torch: &'static Torch,
    handles: Mutex<SmallVec<[Option<Handle>; 2]>>,
}

impl TorchMemory {
    pub(crate) fn new(torch: &'static Torch) -> Self {
        Self { torch, handles: Mutex::default() }
    }

    fn handles(&self) -> MutexGuard<'_, SmallVec<[Option<Handle>; 2]>> {
        self.handles.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The outputs, all of which a run has made.
    pub(crate) fn into_handles(self) -> SmallVec<[Option<Handle>; 2]> {
        self.handles.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TorchMemory {
    /// A new tensor for an output, and its elements.
    #[inline]
    fn make(&self, index: usize, dtype: DType, shape: &Shape) -> Result<(Handle, *mut u8)> {
        if shape.checked_num_elements().is_none() {
            bail!("output {index} of the shape {shape} has too many elements");
        }
        empty(self.torch, dtype, shape, DEVICE_TYPE_CPU, 0)
    }

    /// Keeps the tensor of an output.
    #[inline]
    fn keep(&self, index: usize, handle: Handle) {
        let mut handles = self.handles();
        while handles.len() <= index {
            handles.push(None);
        }
        handles[index] = Some(handle);
    }
}

impl OutputMemory for TorchMemory {
    fn allocate(&self, index: usize, dtype: DType, shape: &Shape) -> Result<Tensor> {
        let (handle, data) = self.make(index, dtype, shape)?;
        // SAFETY: the new tensor has room for its elements, nobody else has it, and its handle is kept below.
        let tensor = unsafe { output(dtype, shape.clone(), data) }?;
        self.keep(index, handle);
        Ok(tensor)
    }

    #[inline]
    fn address(&self, index: usize, dtype: DType, shape: &Shape) -> Result<Option<OutputAddress>> {
        let (handle, data) = self.make(index, dtype, shape)?;
        self.keep(index, handle);
        // SAFETY: the new tensor has room for its elements, nobody else has it, and its handle was kept.
        Ok(NonNull::new(data).map(|data| unsafe { OutputAddress::new(data) }))
    }

    fn parallel_for(&self, count: usize, grain: usize, body: &(dyn Fn(std::ops::Range<usize>) + Sync)) {
        parallel::parallel_for(self.torch, count, grain, body);
    }

    fn threads(&self) -> usize {
        parallel::threads(self.torch)
    }
}
