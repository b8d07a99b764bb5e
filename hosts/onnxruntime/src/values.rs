//! ONNX Runtime's tensors, seen as tensors of ours, and the memory of outputs.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::borrow::Cow;
use std::ffi::c_void;
use std::ptr::{self, NonNull};
use std::sync::{Mutex, PoisonError};

use oplink_abi::onnxruntime::{OrtKernelContext, OrtTensorTypeAndShapeInfo, OrtValue, dtype};
use oplink_api::{DType, Error, Result, Shape, TString, Tensor};
use oplink_hosts_common::{OutputAddress, OutputMemory, borrowed, output};
use smallvec::SmallVec;

use crate::dtypes;
use crate::functions::Ort;

/// Dtype and extents, freed when they are read.
pub(crate) struct Info<'a> {
    ort: &'a Ort,
    pub(crate) raw: *mut OrtTensorTypeAndShapeInfo,
}

impl Drop for Info<'_> {
    fn drop(&mut self) {
        // SAFETY: freed once.
        unsafe { (self.ort.release_info)(self.raw) }
    }
}

impl<'a> Info<'a> {
    /// # Safety
    /// The info is the caller's to free.
    pub(crate) unsafe fn new(ort: &'a Ort, raw: *mut OrtTensorTypeAndShapeInfo) -> Self {
        Self { ort, raw }
    }

    /// Dtype and extents; -1 for one that is not known.
    pub(crate) fn read(&self) -> Result<(DType, SmallVec<[i64; 6]>)> {
        let (ort, mut number, mut rank) = (self.ort, 0, 0);
        // SAFETY: the info is alive; places are written to.
        unsafe {
            ort.check((ort.element_type)(self.raw, &raw mut number))?;
            ort.check((ort.rank)(self.raw, &raw mut rank))?;
            let mut dims: SmallVec<[i64; 6]> = SmallVec::from_elem(-1, rank);
            ort.check((ort.dimensions)(self.raw, dims.as_mut_ptr(), rank))?;
            Ok((dtypes::from_ort(number)?, dims))
        }
    }
}

/// An input of a run: ONNX Runtime's number of its dtype, its extents, and where its elements are; null for strings.
pub(crate) struct Input<'a> {
    pub(crate) value: *const OrtValue,
    pub(crate) dtype: i32,
    pub(crate) dims: Cow<'a, [i64]>,
    pub(crate) data: *const u8,
}

impl Input<'_> {
    /// Reads a value.
    ///
    /// # Safety
    /// The value is null or alive, and does not change as long as the input is used.
    #[inline]
    pub(crate) unsafe fn of(ort: &Ort, value: *const OrtValue) -> Result<Self> {
        if value.is_null() {
            return Err(Error::invalid_argument("an input is missing"));
        }
        let (mut number, mut data) = (0, ptr::null_mut::<c_void>());
        let extents: Cow<'_, [i64]>;
        // SAFETY: the value is alive; places are written to. There are as many extents as told.
        unsafe {
            if let Some(type_and_shape) = ort.type_and_shape {
                let (mut dims, mut rank) = (ptr::null(), 0);
                ort.check(type_and_shape(value, &raw mut number, &raw mut dims, &raw mut rank))?;
                let has_none = dims.is_null() || rank == 0;
                extents = Cow::Borrowed(if has_none { &[] } else { std::slice::from_raw_parts(dims, rank) });
            } else {
                let mut info = ptr::null_mut();
                ort.check((ort.tensor_info)(value, &raw mut info))?;
                let (known, dims) = Info::new(ort, info).read()?;
                number = dtypes::to_ort(known).unwrap_or(0);
                extents = Cow::Owned(dims.to_vec());
            }
            if number != dtype::STRING {
                ort.check((ort.tensor_data)(value.cast_mut(), &raw mut data))?;
            }
        }
        Ok(Self { value, dtype: number, dims: extents, data: data.cast_const().cast() })
    }
}

/// An input of a run.
///
/// # Safety
/// The value is alive as long as the tensor and its clones are used.
pub(crate) unsafe fn view(ort: &Ort, value: *const OrtValue) -> Result<Tensor> {
    let mut data = ptr::null_mut::<c_void>();
    // SAFETY: the value is null or alive; places are written to. The elements are only read.
    unsafe {
        let (dtype, shape) = described(ort, value)?;
        if dtype == DType::String {
            return strings(ort, value, shape);
        }
        ort.check((ort.tensor_data)(value.cast_mut(), &raw mut data))?;
        borrowed(dtype, shape, data.cast())
    }
}

/// Dtype and shape of an input.
///
/// # Safety
/// The value is null or alive.
pub(crate) unsafe fn described(ort: &Ort, value: *const OrtValue) -> Result<(DType, Shape)> {
    if value.is_null() {
        return Err(Error::invalid_argument("an input is missing"));
    }
    let mut info = ptr::null_mut();
    // SAFETY: the value is alive; the place is written to, and what is written there is freed once.
    let (dtype, dims) = unsafe {
        ort.check((ort.tensor_info)(value, &raw mut info))?;
        Info::new(ort, info).read()?
    };
    Ok((dtype, Shape::from_i64(&dims)?))
}

/// The strings of a value, copied: ONNX Runtime has them as objects of C++.
///
/// # Safety
/// The value is alive, and has strings of this shape.
unsafe fn strings(ort: &Ort, value: *const OrtValue, shape: Shape) -> Result<Tensor> {
    let mut tensor = Tensor::zeros(DType::String, shape)?;
    for (at, to) in tensor.as_mut_slice::<TString>()?.iter_mut().enumerate() {
        let mut length = 0;
        // SAFETY: the value has an element at this position; the buffer is as long as was told.
        unsafe {
            ort.check((ort.string_length)(value, at, &raw mut length))?;
            let mut bytes = oplink_api::memory::try_filled(0u8, length)?;
            ort.check((ort.string)(value, length, at, bytes.as_mut_ptr().cast()))?;
            *to = TString::new(bytes);
        }
    }
    Ok(tensor)
}

/// The outputs of one run.
pub(crate) struct Outputs<'a> {
    pub(crate) ort: &'a Ort,
    /// Asked by one at a time.
    pub(crate) context: Mutex<*mut OrtKernelContext>,
}

// SAFETY: a run's context is bound to no thread; the lock sees to it that one calls it at a time.
unsafe impl Send for Outputs<'_> {}
// SAFETY: what changes is behind the lock.
unsafe impl Sync for Outputs<'_> {}

impl Outputs<'_> {
    pub(crate) fn value(&self, index: usize, shape: &Shape) -> Result<*mut OrtValue> {
        let dims: SmallVec<[i64; 6]> = shape.iter().map(|&dim| dim as i64).collect();
        let (context, mut value) = (self.context.lock().unwrap_or_else(PoisonError::into_inner), ptr::null_mut());
        // SAFETY: the context is alive during the run; there are as many extents as told.
        unsafe {
            self.ort.check((self.ort.output)(*context, index, dims.as_ptr(), dims.len(), &raw mut value))?;
        }
        if value.is_null() { Err(Error::internal(format!("there is no output {index}"))) } else { Ok(value) }
    }
}

impl OutputMemory for Outputs<'_> {
    fn allocate(&self, index: usize, dtype: DType, shape: &Shape) -> Result<Tensor> {
        let (value, mut data) = (self.value(index, shape)?, ptr::null_mut::<c_void>());
        // SAFETY: the value is alive until the run ends, and its memory is this run's alone.
        unsafe {
            self.ort.check((self.ort.tensor_data)(value, &raw mut data))?;
            output(dtype, shape.clone(), data.cast())
        }
    }

    #[inline]
    fn address(&self, index: usize, dtype: DType, shape: &Shape) -> Result<Option<OutputAddress>> {
        if dtype == DType::String {
            return Ok(None);
        }
        let (value, mut data) = (self.value(index, shape)?, ptr::null_mut::<c_void>());
        // SAFETY: the value is alive until the run ends, and its memory is this run's alone.
        unsafe {
            self.ort.check((self.ort.tensor_data)(value, &raw mut data))?;
            Ok(NonNull::new(data.cast()).map(|data| OutputAddress::new(data)))
        }
    }

    fn store_strings(&self, index: usize, strings: &Tensor) -> Result<()> {
        let (ort, value) = (self.ort, self.value(index, strings.shape())?);
        for (at, string) in strings.as_slice::<TString>()?.iter().enumerate() {
            let (bytes, mut place) = (string.as_bytes(), ptr::null_mut());
            // SAFETY: the value has an element at this position; the place has room for as many bytes.
            unsafe {
                ort.check((ort.string_buffer)(value, at, bytes.len(), &raw mut place))?;
                ptr::copy_nonoverlapping(bytes.as_ptr(), place.cast(), bytes.len());
            }
        }
        Ok(())
    }
}
