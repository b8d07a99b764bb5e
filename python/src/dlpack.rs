//! DLPack: tensors given to other libraries, and theirs taken, without copies.
#![allow(unsafe_code, reason = "room: the C structs of DLPack")]

use std::ffi::{CStr, c_void};
use std::ptr::NonNull;

use oplink::{DType, Shape, Tensor};
use pyo3::exceptions::{PyBufferError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

use crate::dtype;
use crate::errors::OrRaise;

/// The host's memory, as `__dlpack_device__` names it.
pub(crate) const CPU: (i32, i32) = (1, 0);

const NAME: &CStr = c"dltensor";
const USED: &CStr = c"used_dltensor";
const VERSIONED: &CStr = c"dltensor_versioned";
const USED_VERSIONED: &CStr = c"used_dltensor_versioned";

const READ_ONLY: u64 = 1;
const IS_COPIED: u64 = 2;

/// `DLDataType`.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq)]
struct ElementType {
    code: u8,
    bits: u8,
    lanes: u16,
}

/// `DLTensor`.
#[repr(C)]
struct Described {
    data: *mut c_void,
    device_type: i32,
    device_id: i32,
    ndim: i32,
    dtype: ElementType,
    shape: *mut i64,
    strides: *mut i64,
    byte_offset: u64,
}

/// `DLManagedTensor`.
#[repr(C)]
struct Managed {
    tensor: Described,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Managed)>,
}

/// `DLManagedTensorVersioned`.
#[repr(C)]
struct ManagedVersioned {
    major: u32,
    minor: u32,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut ManagedVersioned)>,
    flags: u64,
    tensor: Described,
}

/// Codes and bits of the dtypes that DLPack has.
const TYPES: [(DType, u8, u8); 20] = [
    (DType::Int8, 0, 8),
    (DType::Int16, 0, 16),
    (DType::Int32, 0, 32),
    (DType::Int64, 0, 64),
    (DType::UInt8, 1, 8),
    (DType::UInt16, 1, 16),
    (DType::UInt32, 1, 32),
    (DType::UInt64, 1, 64),
    (DType::Half, 2, 16),
    (DType::Float, 2, 32),
    (DType::Double, 2, 64),
    (DType::BFloat16, 4, 16),
    (DType::Complex64, 5, 64),
    (DType::Complex128, 5, 128),
    (DType::Bool, 6, 8),
    (DType::Float8E4M3B11FNUZ, 9, 8),
    (DType::Float8E4M3FN, 10, 8),
    (DType::Float8E4M3FNUZ, 11, 8),
    (DType::Float8E5M2, 12, 8),
    (DType::Float8E5M2FNUZ, 13, 8),
];

/// What an exported struct points to.
struct Owner {
    #[allow(dead_code, reason = "held for its memory")]
    tensor: Tensor,
    shape: Vec<i64>,
    strides: Vec<i64>,
}

/// A capsule over a tensor. Who knows no versions cannot be told that the memory is read-only, and gets a copy.
pub(crate) fn export<'py>(
    py: Python<'py>,
    tensor: Tensor,
    max_version: Option<(u32, u32)>,
    copy: Option<bool>,
) -> PyResult<Bound<'py, PyAny>> {
    let is_versioned = max_version.is_some_and(|(major, _)| major >= 1);
    if !is_versioned && copy == Some(false) {
        return Err(PyBufferError::new_err("without `max_version=(1, 0)` tensors, which nobody writes, are copied"));
    }
    let is_copy = copy == Some(true) || !is_versioned;
    let tensor = if is_copy { tensor.deep_copy().or_raise(py)? } else { tensor };
    let element = TYPES.iter().find(|(dtype, ..)| *dtype == tensor.dtype());
    let Some(&(_, code, bits)) = element else {
        let name = dtype::name(tensor.dtype());
        return Err(PyBufferError::new_err(format!("DLPack has no {name}: cast the tensor")));
    };
    let shape: Vec<i64> = tensor.shape().dims().iter().map(|&extent| extent as i64).collect();
    let strides = (0..shape.len()).map(|axis| shape[axis + 1..].iter().map(|extent| (*extent).max(1)).product());
    let mut owner = Box::new(Owner { strides: strides.collect(), shape, tensor });
    let described = Described {
        data: owner.tensor.as_ptr().cast_mut().cast(),
        device_type: CPU.0,
        device_id: CPU.1,
        ndim: owner.shape.len() as i32,
        dtype: ElementType { code, bits, lanes: 1 },
        shape: owner.shape.as_mut_ptr(),
        strides: owner.strides.as_mut_ptr(),
        byte_offset: 0,
    };
    let context = Box::into_raw(owner).cast::<c_void>();
    if is_versioned {
        let flags = if is_copy { IS_COPIED } else { READ_ONLY };
        let managed =
            ManagedVersioned { major: 1, minor: 0, context, deleter: Some(delete_versioned), flags, tensor: described };
        return capsule(py, Box::into_raw(Box::new(managed)).cast(), VERSIONED, end_versioned);
    }
    let managed = Managed { tensor: described, context, deleter: Some(delete) };
    capsule(py, Box::into_raw(Box::new(managed)).cast(), NAME, end)
}

fn capsule<'py>(
    py: Python<'py>,
    content: *mut c_void,
    name: &'static CStr,
    end: unsafe extern "C" fn(*mut ffi::PyObject),
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the content is a struct of the kind that the name stands for, and `end` frees it; the call gives a new
    // reference, or none with an exception set.
    unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyCapsule_New(content, name.as_ptr(), Some(end))) }
}

unsafe extern "C" fn delete(managed: *mut Managed) {
    // SAFETY: the consumer calls the deleter of a struct of `export` once; both boxes are those made there.
    unsafe {
        let managed = Box::from_raw(managed);
        drop(Box::from_raw(managed.context.cast::<Owner>()));
    }
}

unsafe extern "C" fn delete_versioned(managed: *mut ManagedVersioned) {
    // SAFETY: the consumer calls the deleter of a struct of `export` once; both boxes are those made there.
    unsafe {
        let managed = Box::from_raw(managed);
        drop(Box::from_raw(managed.context.cast::<Owner>()));
    }
}

unsafe extern "C" fn end(capsule: *mut ffi::PyObject) {
    // SAFETY: the interpreter ends a capsule of `export`. One that nobody took has its first name still, and its
    // content is freed here; else the consumer's.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, NAME.as_ptr()) == 1 {
            delete(ffi::PyCapsule_GetPointer(capsule, NAME.as_ptr()).cast());
        }
    }
}

unsafe extern "C" fn end_versioned(capsule: *mut ffi::PyObject) {
    // SAFETY: the interpreter ends a capsule of `export`: under its first name nobody took it, so its
    // content is freed here.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, VERSIONED.as_ptr()) == 1 {
            delete_versioned(ffi::PyCapsule_GetPointer(capsule, VERSIONED.as_ptr()).cast());
        }
    }
}

/// A struct of another library, which is deleted when the last tensor over it is gone.
enum Taken {
    Plain(NonNull<Managed>),
    Versioned(NonNull<ManagedVersioned>),
}

// SAFETY: a consumer may call the deleter from any thread, and nothing else is done with the struct.
unsafe impl Send for Taken {}
// SAFETY: shared references only read the struct, which its producer no longer writes.
unsafe impl Sync for Taken {}

impl Taken {
    fn described(&self) -> &Described {
        // SAFETY: the struct is there until it is deleted, which ends `self`.
        unsafe {
            match self {
                Self::Plain(managed) => &managed.as_ref().tensor,
                Self::Versioned(managed) => &managed.as_ref().tensor,
            }
        }
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        // A deleter may give objects of Python back, which it does for itself where it must.
        // SAFETY: the struct was taken out of its capsule, so that deleting it once is this one's part.
        unsafe {
            match self {
                Self::Plain(managed) => {
                    if let Some(deleter) = managed.as_ref().deleter {
                        deleter(managed.as_ptr());
                    }
                }
                Self::Versioned(managed) => {
                    if let Some(deleter) = managed.as_ref().deleter {
                        deleter(managed.as_ptr());
                    }
                }
            }
        }
    }
}

/// The tensor of an object that has `__dlpack__`; with `share` in its memory, where that is in row-major order and
/// aligned, and is not of bool.
pub(crate) fn import(object: &Bound<'_, PyAny>, share: bool) -> PyResult<Tensor> {
    let py = object.py();
    let capsule = object.cast::<PyCapsule>().cloned().or_else(|_| capsule_of(object))?;
    let taken = take(&capsule)?;
    let tensor = over(py, taken)?;
    if share && tensor.dtype() != DType::Bool { Ok(tensor) } else { tensor.deep_copy().or_raise(py) }
}

/// The capsule of an object, of the newest form that it has.
fn capsule_of<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyCapsule>> {
    let py = object.py();
    let options = PyDict::new(py);
    options.set_item("max_version", (1, 0))?;
    let capsule = match object.call_method("__dlpack__", (), Some(&options)) {
        Err(error) if error.is_instance_of::<PyTypeError>(py) => object.call_method0("__dlpack__")?,
        capsule => capsule?,
    };
    capsule.cast_into::<PyCapsule>().map_err(PyErr::from)
}

/// Takes the struct out of a capsule.
fn take(capsule: &Bound<'_, PyCapsule>) -> PyResult<Taken> {
    let pointer = capsule.as_ptr();
    // SAFETY: the capsule is there; its content is of the kind that its name stands for, and under its new name nobody
    // else takes it.
    unsafe {
        if ffi::PyCapsule_IsValid(pointer, VERSIONED.as_ptr()) == 1 {
            let content = ffi::PyCapsule_GetPointer(pointer, VERSIONED.as_ptr()).cast::<ManagedVersioned>();
            if let Some(managed) = NonNull::new(content).filter(|managed| managed.as_ref().major == 1) {
                ffi::PyCapsule_SetName(pointer, USED_VERSIONED.as_ptr());
                return Ok(Taken::Versioned(managed));
            }
            return Err(PyBufferError::new_err("the array comes in another version of DLPack than 1"));
        }
        if ffi::PyCapsule_IsValid(pointer, NAME.as_ptr()) == 1 {
            let content = ffi::PyCapsule_GetPointer(pointer, NAME.as_ptr()).cast::<Managed>();
            if let Some(managed) = NonNull::new(content) {
                ffi::PyCapsule_SetName(pointer, USED.as_ptr());
                return Ok(Taken::Plain(managed));
            }
        }
    }
    Err(PyBufferError::new_err("the capsule holds no array of DLPack, or somebody took it already"))
}

/// The tensor over a taken struct.
fn over(py: Python<'_>, taken: Taken) -> PyResult<Tensor> {
    let described = taken.described();
    if described.device_type != CPU.0 {
        return Err(PyValueError::new_err("the array lies in a device's memory: copy it to the host first"));
    }
    let element = described.dtype;
    let dtype = TYPES.iter().find(|(_, code, bits)| (*code, *bits, 1) == (element.code, element.bits, element.lanes));
    let Some(&(dtype, ..)) = dtype else {
        let ElementType { code, bits, lanes } = element;
        return Err(PyTypeError::new_err(format!(
            "no tensor has elements of DLPack's type {code} with {bits} bits and {lanes} lanes"
        )));
    };
    let (shape, strides) = extents(described)?;
    let is_contiguous = strides.as_deref().is_none_or(|strides| is_row_major(shape.dims(), strides));
    let start = described.data.cast::<u8>().wrapping_add(described.byte_offset as usize);
    let is_aligned = start.addr().is_multiple_of(dtype.size().unwrap_or(1).min(8));
    let count = shape.checked_num_elements();
    if !is_contiguous || !is_aligned {
        let message = "the array is not in row-major order at an aligned address: make a contiguous copy of it first";
        return Err(PyBufferError::new_err(message));
    }
    let Some(start) = NonNull::new(start).filter(|_| count != Some(0)) else {
        return Tensor::zeros(dtype, shape).or_raise(py);
    };
    if dtype == DType::Bool {
        let bytes = (0..count.unwrap_or(0)).map(|index| {
            // SAFETY: the array has this many bytes.
            unsafe { start.add(index).read() != 0 }
        });
        return Tensor::from_vec(shape, bytes.collect::<Vec<bool>>()).or_raise(py);
    }
    // SAFETY: the producer promises the elements of this shape at this address until the struct is deleted, and that
    // nobody writes them is what `from_dlpack` asks of the program; all bytes are values of the dtype.
    let tensor = unsafe { Tensor::from_foreign_read_only(dtype, shape, start, Box::new(taken)) };
    tensor.or_raise(py)
}

/// The extents, and the strides where they are told.
fn extents(described: &Described) -> PyResult<(Shape, Option<Vec<i64>>)> {
    let ndim = usize::try_from(described.ndim).unwrap_or(0);
    if ndim == 0 || described.shape.is_null() {
        return Ok((Shape::scalar(), None));
    }
    // SAFETY: `shape` has an extent for each dimension, and `strides` too where it is not null.
    let (dims, strides) = unsafe {
        let dims = std::slice::from_raw_parts(described.shape, ndim);
        let strides = NonNull::new(described.strides);
        (dims, strides.map(|strides| std::slice::from_raw_parts(strides.as_ptr(), ndim).to_vec()))
    };
    let shape = Shape::from_i64(dims).map_err(|error| PyValueError::new_err(error.message().to_owned()))?;
    Ok((shape, strides))
}

fn is_row_major(dims: &[usize], strides: &[i64]) -> bool {
    let mut step = 1i64;
    dims.iter().zip(strides).rev().all(|(&extent, &stride)| {
        let fits = extent <= 1 || stride == step;
        step = step.saturating_mul(extent as i64);
        fits
    }) || dims.contains(&0)
}

const _: () = assert!(cfg!(target_pointer_width = "32") || size_of::<Described>() == 48);
