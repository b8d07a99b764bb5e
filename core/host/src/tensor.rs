//! `TF_Tensor`: a tensor behind a handle.
//!
//! A handle holds a reference to the tensor's memory, so that a handle from a session and the session share it. The
//! data pointer may be written through only while the client holds the only handle, as in TensorFlow.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_int, c_void};
use std::ptr::{self, NonNull};

use oplink_abi::{TF_DataType, TF_Status, TF_Tensor, TensorDeallocator};
use oplink_api::tensor::ALIGNMENT;
use oplink_api::{DType, Error, Result, Shape, TString, Tensor, bail};

use crate::guard::{borrow, slice, with_status, without_status};
use crate::handles;

/// A handle to a tensor; `TF_DeleteTensor` frees it.
pub fn into_handle(tensor: Tensor) -> *mut TF_Tensor {
    handles::make(tensor).cast()
}

/// The tensor behind a handle.
///
/// # Errors
/// The handle is null.
///
/// # Safety
/// A handle that is not null is alive for `'a`.
pub unsafe fn from_handle<'a>(handle: *const TF_Tensor, function: &str, argument: &str) -> Result<&'a Tensor> {
    // SAFETY: handles are boxes of tensors; alive by contract.
    unsafe { borrow(handle.cast::<Tensor>(), function, argument) }
}

/// The tensor behind a handle, for kernels to read. C can write truth values other than 0 and 1; these are 1 in a copy.
///
/// # Errors
/// The handle is null.
///
/// # Safety
/// A handle that is not null is alive.
pub unsafe fn value_of_handle(handle: *const TF_Tensor, function: &str, argument: &str) -> Result<Tensor> {
    // SAFETY: `handle` is null or alive (Safety section).
    let tensor = unsafe { from_handle(handle, function, argument) }?;
    match tensor.dtype() {
        DType::Bool => with_valid_bools(tensor),
        _ => Ok(tensor.clone()),
    }
}

fn with_valid_bools(tensor: &Tensor) -> Result<Tensor> {
    let bytes = tensor.as_bytes()?;
    if bytes.iter().all(|&byte| byte <= 1) {
        return Ok(tensor.clone());
    }
    let valid: Vec<u8> = bytes.iter().map(|&byte| u8::from(byte != 0)).collect();
    Tensor::from_bytes(DType::Bool, tensor.shape().clone(), &valid)
}

/// Makes a handle hold another tensor.
///
/// # Safety
/// The handle is alive, and nobody else uses it meanwhile.
pub unsafe fn replace(handle: *mut TF_Tensor, tensor: Tensor) {
    // SAFETY: `handle` is null or alive (Safety section).
    unsafe { handles::replace(handle.cast(), tensor) }
}

/// The dtype of a number.
///
/// # Errors
/// The number names none.
pub fn dtype(number: TF_DataType) -> Result<DType> {
    DType::from_number(number).ok_or_else(|| Error::invalid_argument(format!("{number} is the number of no dtype")))
}

/// A shape from C's dims.
///
/// # Errors
/// A dim is negative, the count is, or the elements cannot be counted.
///
/// # Safety
/// As `guard::slice`.
#[inline]
pub unsafe fn shape(dims: *const i64, num_dims: c_int, function: &str) -> Result<Shape> {
    if num_dims == 0 {
        return Ok(Shape::scalar());
    }
    // SAFETY: `dims` is null or has `num_dims` elements (Safety section).
    let dims = unsafe { slice(dims, num_dims, function, "dims") }?;
    shape_of(dims, function)
}

fn shape_of(dims: &[i64], function: &str) -> Result<Shape> {
    let mut shape = Shape::scalar();
    for &dim in dims {
        match usize::try_from(dim) {
            Ok(size) => shape.push(size),
            Err(_) => bail!("{function}: dims {dims:?} are no shape"),
        }
    }
    if shape.checked_num_elements().is_none_or(|n| isize::try_from(n).is_err()) {
        bail!("{function}: a tensor of shape {shape} exceeds the address space");
    }
    Ok(shape)
}

/// Bytes of a tensor whose elements a client may hold; `None` for handles of resources and variants.
fn bytes_of(dtype: DType, shape: &Shape) -> Option<usize> {
    let size = if dtype == DType::String { size_of::<TString>() } else { dtype.size()? };
    shape.checked_num_elements()?.checked_mul(size)
}

/// The memory that a client gave, until the last reference goes.
pub struct ClientMemory {
    data: *mut c_void,
    length: usize,
    deallocator: TensorDeallocator,
    argument: *mut c_void,
}

impl ClientMemory {
    /// Memory of so many bytes, and what frees it.
    pub fn new(data: *mut c_void, length: usize, deallocator: TensorDeallocator, argument: *mut c_void) -> Self {
        Self { data, length, deallocator, argument }
    }
}

// SAFETY: the client vouches that its deallocator may be called on any thread, as TensorFlow does.
unsafe impl Send for ClientMemory {}
// SAFETY: nothing is reachable through a shared reference.
unsafe impl Sync for ClientMemory {}

impl Drop for ClientMemory {
    fn drop(&mut self) {
        if let Some(deallocate) = self.deallocator {
            // SAFETY: called once, with what the client gave.
            unsafe { deallocate(self.data, self.length, self.argument) }
        }
    }
}

/// A tensor over a client's memory; a copy where numbers are not aligned as kernels want them.
///
/// # Errors
/// The memory is too small for the shape, or elements of the dtype are not the client's to make.
///
/// # Safety
/// The memory is null, or holds as many bytes as it says, of elements of the dtype, until its deallocator is called.
pub unsafe fn adopt(dtype: DType, shape: Shape, memory: ClientMemory) -> Result<Tensor> {
    let Some(bytes) = bytes_of(dtype, &shape) else { bail!("a tensor of {dtype} cannot be made of memory") };
    if memory.length < bytes {
        bail!("{} bytes are given for a {dtype} tensor of shape {shape}, which takes {bytes}", memory.length);
    }
    let Some(data) = NonNull::new(memory.data.cast::<u8>()) else {
        return Tensor::zeros(dtype, shape);
    };
    let plain = dtype != DType::String;
    if plain && !data.as_ptr().addr().is_multiple_of(ALIGNMENT) {
        // SAFETY: the client gave `length` bytes, and at least `bytes`.
        let given = unsafe { std::slice::from_raw_parts(data.as_ptr(), bytes) };
        return Tensor::from_bytes(dtype, shape, given);
    }
    // SAFETY: the memory holds at least the elements, aligned, and lives until `memory` is dropped; strings are the
    // client's to destroy in its deallocator.
    unsafe { Tensor::from_foreign(dtype, shape, data, Box::new(memory)) }
}

/// A tensor of a client's memory, which `deallocator` frees when nobody uses it any more. Null, with the memory freed,
/// where the arguments make no tensor.
///
/// # Safety
/// `data` holds `length` bytes of elements of the dtype until `deallocator` is called; `dims` holds `num_dims` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_NewTensor(
    number: TF_DataType,
    dims: *const i64,
    num_dims: c_int,
    data: *mut c_void,
    length: usize,
    deallocator: TensorDeallocator,
    deallocator_arg: *mut c_void,
) -> *mut TF_Tensor {
    without_status(ptr::null_mut(), || {
        let memory = ClientMemory::new(data, length, deallocator, deallocator_arg);
        // SAFETY: `dims` is null or has `num_dims` elements (Safety section).
        let shape = unsafe { shape(dims, num_dims, "TF_NewTensor") };
        // SAFETY: `data` is null or holds `length` bytes until the deallocator is called (Safety section).
        let tensor = shape.and_then(|shape| unsafe { adopt(dtype(number)?, shape, memory) });
        tensor.map_or(ptr::null_mut(), into_handle)
    })
}

/// The alignment of tensor memory, in bytes, at which [`TF_NewTensor`] does not copy.
#[unsafe(no_mangle)]
pub extern "C" fn TF_TensorDefaultAlignment() -> usize {
    ALIGNMENT
}

/// A tensor in memory of this library, at least `length` bytes; strings start empty. Null where there is no such
/// tensor.
///
/// # Safety
/// `dims` holds `num_dims` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_AllocateTensor(
    number: TF_DataType,
    dims: *const i64,
    num_dims: c_int,
    length: usize,
) -> *mut TF_Tensor {
    without_status(ptr::null_mut(), || {
        // SAFETY: `dims` is null or has `num_dims` elements (Safety section).
        let shape = unsafe { shape(dims, num_dims, "TF_AllocateTensor") };
        let tensor = shape.and_then(|shape| {
            let dtype = dtype(number)?;
            if bytes_of(dtype, &shape).is_none_or(|bytes| length < bytes) {
                bail!("{length} bytes do not hold a {dtype} tensor of shape {shape}");
            }
            Tensor::zeros(dtype, shape)
        });
        tensor.map_or(ptr::null_mut(), into_handle)
    })
}

/// The tensor itself where nobody else shares its memory, which is not a client's, else null; the given handle is spent
/// only where it is returned.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_TensorMaybeMove(tensor: *mut TF_Tensor) -> *mut TF_Tensor {
    without_status(ptr::null_mut(), || {
        // SAFETY: `tensor` is null or alive (Safety section).
        match unsafe { from_handle(tensor, "TF_TensorMaybeMove", "tensor") } {
            // SAFETY: alive, as above.
            Ok(t) if t.is_unique() && t.owns_memory() && unsafe { handles::is_holding(tensor.cast()) } => tensor,
            _ => ptr::null_mut(),
        }
    })
}

/// Frees a handle; null is allowed.
///
/// # Safety
/// The handle is alive and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DeleteTensor(tensor: *mut TF_Tensor) {
    if !tensor.is_null() {
        // SAFETY: `into_handle` made it; the caller gives it up.
        unsafe { handles::free(tensor.cast::<Tensor>()) }
    }
}

/// Reads one fact of a tensor; `fallback` for null.
///
/// # Safety
/// The handle is null or alive.
unsafe fn fact<T>(tensor: *const TF_Tensor, fallback: T, read: impl FnOnce(&Tensor) -> T) -> T {
    // SAFETY: `tensor` is null or alive (Safety section).
    unsafe { tensor.cast::<Tensor>().as_ref() }.map_or(fallback, read)
}

/// The dtype's number; 0 for null.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_TensorType(tensor: *const TF_Tensor) -> TF_DataType {
    // SAFETY: `tensor` is null or alive (Safety section).
    unsafe { fact(tensor, 0, |t| t.dtype().number()) }
}

/// Gives the tensor another shape of as many elements; another count changes nothing.
///
/// # Safety
/// The handle is null or alive; `dims` holds `num_dims` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_SetShape(tensor: *mut TF_Tensor, dims: *const i64, num_dims: c_int) {
    without_status((), || {
        // SAFETY: `tensor` is null or alive and `dims` is null or has `num_dims` elements (Safety section).
        let reshaped = unsafe {
            from_handle(tensor, "TF_SetShape", "tensor")
                .and_then(|t| t.clone().with_shape(shape(dims, num_dims, "TF_SetShape")?))
        };
        if let Ok(reshaped) = reshaped {
            // SAFETY: the caller's contract; not null, as it was read.
            unsafe { replace(tensor, reshaped) }
        }
    });
}

/// The rank; -1 for null.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_NumDims(tensor: *const TF_Tensor) -> c_int {
    // SAFETY: `tensor` is null or alive (Safety section).
    unsafe { fact(tensor, -1, |t| c_int::try_from(t.rank()).unwrap_or(-1)) }
}

/// A dim; -1 where there is none of this index.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_Dim(tensor: *const TF_Tensor, index: c_int) -> i64 {
    let dim = |t: &Tensor| t.shape().dims().get(usize::try_from(index).ok()?).and_then(|&d| i64::try_from(d).ok());
    // SAFETY: `tensor` is null or alive (Safety section).
    unsafe { fact(tensor, None, dim) }.unwrap_or(-1)
}

/// The length of the elements, in bytes.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_TensorByteSize(tensor: *const TF_Tensor) -> usize {
    // SAFETY: `tensor` is null or alive (Safety section).
    unsafe { fact(tensor, 0, Tensor::num_bytes) }
}

/// The elements; null for null. Those of a tensor in a device's memory are behind the platform's handle of it, which
/// the host cannot read.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_TensorData(tensor: *const TF_Tensor) -> *mut c_void {
    // SAFETY: `tensor` is null or alive (Safety section).
    unsafe { fact(tensor, ptr::null_mut(), |t| t.as_ptr().cast_mut().cast()) }
}

/// The number of elements; 0 for null.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_TensorElementCount(tensor: *const TF_Tensor) -> i64 {
    // SAFETY: `tensor` is null or alive (Safety section).
    unsafe { fact(tensor, 0, |t| i64::try_from(t.num_elements()).unwrap_or(i64::MAX)) }
}

/// Makes `to` share the memory of `from`, read as another dtype and shape of the same length.
///
/// # Safety
/// The handles are null or alive, and two; `new_dims` holds `num_new_dims` numbers; the status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_TensorBitcastFrom(
    from: *const TF_Tensor,
    number: TF_DataType,
    to: *mut TF_Tensor,
    new_dims: *const i64,
    num_new_dims: c_int,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_TensorBitcastFrom";
    with_status(status, NAME, (), || {
        // SAFETY: `from` is null or alive, `to` is null or alive and `new_dims` is null or has `num_new_dims` elements
        // (Safety section).
        let (from, shape) = unsafe {
            let from = from_handle(from, NAME, "from")?.clone();
            from_handle(to, NAME, "to")?;
            (from, shape(new_dims, num_new_dims, NAME)?)
        };
        let tensor = from.reinterpret(dtype(number)?, shape)?;
        // SAFETY: the caller's contract; not null, as it was read.
        unsafe { replace(to, tensor) }
        Ok(())
    });
}

/// Whether the elements are aligned as kernels want them.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_TensorIsAligned(tensor: *const TF_Tensor) -> bool {
    // SAFETY: `tensor` is null or alive (Safety section).
    unsafe { fact(tensor, false, |t| t.as_ptr().addr().is_multiple_of(ALIGNMENT)) }
}
