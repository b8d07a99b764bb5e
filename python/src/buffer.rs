//! Python's buffer protocol, which NumPy's arrays and `memoryview` speak: tensors over the memory of others, and others
//! over the memory of tensors, without copies.
#![allow(unsafe_code, reason = "room: memory shared with Python")]

use std::ffi::{CStr, c_int};
use std::ptr::{self, NonNull};

use oplink::{DType, Shape, Tensor};
use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;

use crate::dtype;
use crate::errors::OrRaise;

/// The tensor of an object with a buffer; `None` where its elements are objects or texts, which no tensor holds as they
/// are. With `share` the tensor lies in the object's memory where that is in row-major order and aligned, and is not of
/// bool, whose bytes nobody else answers for; the object stays alive as long as the tensor.
pub(crate) fn import(object: &Bound<'_, PyAny>, share: bool) -> PyResult<Option<Tensor>> {
    let buffer = PyUntypedBuffer::get(object)?;
    let Some(dtype) = dtype_of_format(buffer.format(), buffer.item_size())? else { return Ok(None) };
    let shape = Shape::new(buffer.shape());
    let start = buffer.buf_ptr().cast::<u8>();
    let is_aligned = start.addr().is_multiple_of(align_of_dtype(dtype));
    let can_share = share && dtype != DType::Bool && buffer.item_count() > 0 && is_aligned && buffer.is_c_contiguous();
    match NonNull::new(start).filter(|_| can_share) {
        Some(start) => {
            // SAFETY: the buffer has the elements of this shape in row-major order at an aligned address, of a dtype of
            // which all bytes are values; it stays as long as `buffer`. That nobody writes them meanwhile is what
            // `from_numpy` asks of the program, and no reference outlives a kernel's run.
            let tensor = unsafe { Tensor::from_foreign_read_only(dtype, shape, start, Box::new(buffer)) };
            tensor.or_raise(object.py()).map(Some)
        }
        None => copied(object.py(), &buffer, dtype, shape).map(Some),
    }
}

/// A tensor with the elements of a buffer.
fn copied(py: Python<'_>, buffer: &PyUntypedBuffer, dtype: DType, shape: Shape) -> PyResult<Tensor> {
    if buffer.suboffsets().is_some() {
        return Err(PyBufferError::new_err("a buffer of pointers cannot become a tensor: make it contiguous first"));
    }
    if dtype == DType::Bool {
        let mut bytes = vec![0u8; buffer.item_count()];
        copy_elements(buffer, &mut bytes);
        return Tensor::from_vec(shape, bytes.into_iter().map(|byte| byte != 0).collect()).or_raise(py);
    }
    let mut tensor = Tensor::allocate(dtype, shape, None).or_raise(py)?;
    copy_elements(buffer, tensor.as_mut_bytes().or_raise(py)?);
    Ok(tensor)
}

/// Copies all elements, row by row.
fn copy_elements(buffer: &PyUntypedBuffer, to: &mut [u8]) {
    let start = buffer.buf_ptr().cast_const().cast::<u8>();
    let contiguous = buffer.is_c_contiguous();
    if contiguous && !to.is_empty() {
        // SAFETY: a buffer in row-major order has as many bytes as its elements, which is the length of `to`.
        unsafe { ptr::copy_nonoverlapping(start, to.as_mut_ptr(), to.len().min(buffer.len_bytes())) };
    } else if !to.is_empty() {
        copy_strided(start, buffer.item_size(), buffer.shape(), buffer.strides(), to);
    }
}

/// Copies the elements from a part of a buffer with these extents and strides.
fn copy_strided(start: *const u8, item: usize, shape: &[usize], strides: &[isize], to: &mut [u8]) {
    let (Some((&extent, shape)), Some((&stride, strides))) = (shape.split_first(), strides.split_first()) else {
        // SAFETY: the position is that of an element, which the buffer's exporter made readable.
        unsafe { ptr::copy_nonoverlapping(start, to.as_mut_ptr(), item.min(to.len())) };
        return;
    };
    let rows = to.chunks_exact_mut(to.len() / extent.max(1));
    for (index, row) in rows.enumerate() {
        copy_strided(start.wrapping_offset(index as isize * stride), item, shape, strides, row);
    }
}

fn align_of_dtype(dtype: DType) -> usize {
    match dtype {
        DType::Complex64 => 4,
        DType::Complex128 => 8,
        _ => dtype.size().unwrap_or(1),
    }
}

/// The dtype of a format of the module `struct`, as NumPy writes it; `None` for objects, texts and records.
fn dtype_of_format(format: &CStr, item: usize) -> PyResult<Option<DType>> {
    let text = format.to_str().unwrap_or_default();
    let (order, kind) = match text.strip_prefix(['@', '=', '<', '>', '!', '^']) {
        Some(kind) => (&text[..1], kind),
        None => ("@", text),
    };
    let dtype = match (kind, item) {
        ("?", 1) => DType::Bool,
        ("b" | "h" | "i" | "l" | "q" | "n", 1) => DType::Int8,
        ("b" | "h" | "i" | "l" | "q" | "n", 2) => DType::Int16,
        ("b" | "h" | "i" | "l" | "q" | "n", 4) => DType::Int32,
        ("b" | "h" | "i" | "l" | "q" | "n", 8) => DType::Int64,
        ("B" | "H" | "I" | "L" | "Q" | "N", 1) => DType::UInt8,
        ("B" | "H" | "I" | "L" | "Q" | "N", 2) => DType::UInt16,
        ("B" | "H" | "I" | "L" | "Q" | "N", 4) => DType::UInt32,
        ("B" | "H" | "I" | "L" | "Q" | "N", 8) => DType::UInt64,
        ("e", 2) => DType::Half,
        ("f", 4) => DType::Float,
        ("d", 8) => DType::Double,
        ("Zf", 8) => DType::Complex64,
        ("Zd", 16) => DType::Complex128,
        _ if kind == "O" || kind.ends_with(['s', 'w']) => return Ok(None),
        _ => return Err(PyTypeError::new_err(format!("no tensor has elements of the format `{text}`"))),
    };
    let other_order = if cfg!(target_endian = "little") { matches!(order, ">" | "!") } else { order == "<" };
    if other_order && item > 1 {
        return Err(PyTypeError::new_err(format!(
            "the elements have the byte order of another machine: convert them, `array.astype(\"{}\")`",
            dtype::name(dtype)
        )));
    }
    Ok(Some(dtype))
}

/// The format of the elements, quantized ones as integers; `None` for those that Python has no format for.
fn format_of(dtype: DType) -> Option<&'static CStr> {
    Some(match dtype {
        DType::Bool => c"?",
        DType::Int8 | DType::QInt8 => c"b",
        DType::Int16 | DType::QInt16 => c"h",
        DType::Int32 | DType::QInt32 => c"i",
        DType::Int64 => c"q",
        DType::UInt8 | DType::QUInt8 => c"B",
        DType::UInt16 | DType::QUInt16 => c"H",
        DType::UInt32 => c"I",
        DType::UInt64 => c"Q",
        DType::Half => c"e",
        DType::Float => c"f",
        DType::Double => c"d",
        DType::Complex64 => c"Zf",
        DType::Complex128 => c"Zd",
        _ => return None,
    })
}

/// What a view of a tensor points to.
struct Exported {
    tensor: Tensor,
    shape: Vec<isize>,
    strides: Vec<isize>,
    format: &'static CStr,
}

impl Exported {
    fn new(py: Python<'_>, tensor: Tensor, flags: c_int) -> PyResult<Self> {
        let has = |wanted: c_int| flags & wanted == wanted;
        if has(ffi::PyBUF_WRITABLE) {
            return Err(PyBufferError::new_err("tensors cannot be written: make a copy, `numpy.array(tensor)`"));
        }
        if has(ffi::PyBUF_F_CONTIGUOUS) && tensor.rank() > 1 {
            return Err(PyBufferError::new_err("tensors are in row-major order"));
        }
        let dtype = tensor.dtype();
        let format = format_of(dtype).ok_or_else(|| {
            PyBufferError::new_err(format!("Python has no buffers of {}: cast the tensor", dtype::name(dtype)))
        })?;
        tensor.as_bytes().or_raise(py)?;
        let shape: Vec<isize> = tensor.shape().dims().iter().map(|&extent| extent as isize).collect();
        let mut step = dtype.size().unwrap_or(1) as isize;
        let mut strides: Vec<isize> = shape
            .iter()
            .rev()
            .map(|extent| {
                let stride = step;
                step *= (*extent).max(1);
                stride
            })
            .collect();
        strides.reverse();
        Ok(Self { tensor, shape, strides, format })
    }
}

/// Fills a view over a tensor of the host's memory.
///
/// # Safety
/// `view` is one that the interpreter wants filled, for `owner`; it is given back to [`release`].
pub(crate) unsafe fn export(
    owner: Bound<'_, PyAny>,
    tensor: Tensor,
    view: *mut ffi::Py_buffer,
    flags: c_int,
) -> PyResult<()> {
    let Some(mut view) = NonNull::new(view) else { return Err(PyBufferError::new_err("there is no view to fill")) };
    // SAFETY: the interpreter's view is there and nobody else's during the call.
    let view = unsafe { view.as_mut() };
    view.obj = ptr::null_mut();
    let mut exported = Box::new(Exported::new(owner.py(), tensor, flags)?);
    let has = |wanted: c_int| flags & wanted == wanted;
    let start = exported.tensor.as_ptr().cast_mut();
    view.buf = if start.is_null() { NonNull::<u128>::dangling().as_ptr().cast() } else { start.cast() };
    view.len = exported.tensor.num_bytes() as isize;
    view.itemsize = exported.tensor.dtype().size().unwrap_or(1) as isize;
    view.readonly = 1;
    view.ndim = exported.shape.len() as c_int;
    view.format = if has(ffi::PyBUF_FORMAT) { exported.format.as_ptr().cast_mut() } else { ptr::null_mut() };
    view.shape = if has(ffi::PyBUF_ND) { exported.shape.as_mut_ptr() } else { ptr::null_mut() };
    view.strides = if has(ffi::PyBUF_STRIDES) { exported.strides.as_mut_ptr() } else { ptr::null_mut() };
    view.suboffsets = ptr::null_mut();
    view.internal = Box::into_raw(exported).cast();
    view.obj = owner.into_ptr();
    Ok(())
}

/// Frees what [`export`] made for a view.
///
/// # Safety
/// `view` was filled by [`export`], and nobody reads through it any more.
pub(crate) unsafe fn release(view: *mut ffi::Py_buffer) {
    // SAFETY: `internal` is the box that `export` left there, and is taken once.
    drop(unsafe { Box::from_raw((*view).internal.cast::<Exported>()) });
}
