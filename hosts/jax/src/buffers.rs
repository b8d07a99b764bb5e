//! XLA's buffers, seen as tensors of ours without copying.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_int, c_void};

use oplink_abi::xla_ffi::{KIND_BUFFER, XLA_FFI_Buffer};
use oplink_api::{DType, Error, Result, Shape, Tensor, ensure};
use oplink_hosts_common::{OutputMemory, borrowed, output};
use smallvec::SmallVec;

use crate::dtypes;

/// An array of C.
///
/// # Safety
/// It is null, or holds as many values, which live for `'a`.
pub(crate) unsafe fn array<'a, T>(values: *const T, length: i64) -> &'a [T] {
    let length = usize::try_from(length).unwrap_or(0);
    // SAFETY: not null, so as long as told (Safety section).
    if values.is_null() || length == 0 { &[] } else { unsafe { std::slice::from_raw_parts(values, length) } }
}

/// A few buffers.
pub(crate) type Buffers<'a> = SmallVec<[&'a XLA_FFI_Buffer; 4]>;

/// The buffers among arguments or results, all of which are to be buffers.
///
/// # Safety
/// Both arrays have as many values, which live for `'a`; each value of the kind "buffer" is one.
pub(crate) unsafe fn buffers<'a>(size: i64, kinds: *const c_int, values: *const *mut c_void) -> Result<Buffers<'a>> {
    // SAFETY: the contract of this function.
    let (kinds, values) = unsafe { (array(kinds, size), array(values, size)) };
    let buffer = |(kind, value): (&c_int, &*mut c_void)| {
        ensure!(*kind == KIND_BUFFER, "an argument of kind {kind} is no buffer");
        // SAFETY: a value of this kind is a buffer.
        unsafe { value.cast::<XLA_FFI_Buffer>().as_ref() }.ok_or_else(|| Error::internal("XLA gave no buffer"))
    };
    kinds.iter().zip(values).map(buffer).collect()
}

pub(crate) fn shape(buffer: &XLA_FFI_Buffer) -> Result<Shape> {
    // SAFETY: a buffer has as many extents as its rank tells.
    Shape::from_i64(unsafe { array(buffer.dims, buffer.rank) })
}

/// An input.
///
/// # Safety
/// The buffer's memory holds its elements as long as the tensor and its clones are used.
pub(crate) unsafe fn view(buffer: &XLA_FFI_Buffer) -> Result<Tensor> {
    // SAFETY: the contract of this function.
    unsafe { borrowed(dtypes::from_xla(buffer.dtype)?, shape(buffer)?, buffer.data.cast()) }
}

/// The results of one call, whose memory is there before it.
pub(crate) struct Results<'a>(pub(crate) Buffers<'a>);

// SAFETY: buffers are only read, and their memory is given to the one kernel of the call.
unsafe impl Send for Results<'_> {}
// SAFETY: buffers are only read.
unsafe impl Sync for Results<'_> {}

impl Results<'_> {
    /// The result at a position with its shape, which is the one that the program was made for.
    pub(crate) fn promised(&self, index: usize, dtype: DType, wanted: &Shape) -> Result<(&XLA_FFI_Buffer, Shape)> {
        let buffer = self.0.get(index).ok_or_else(|| Error::internal(format!("there is no result {index}")))?;
        let (there, known) = (shape(buffer)?, dtypes::from_xla(buffer.dtype)?);
        ensure!(
            there == *wanted && known == dtype,
            "output {index} is {dtype} {wanted}, and the program was made for {known} {there}: the size of a result is \
             known before the program runs"
        );
        Ok((buffer, there))
    }
}

impl OutputMemory for Results<'_> {
    fn allocate(&self, index: usize, dtype: DType, wanted: &Shape) -> Result<Tensor> {
        let (buffer, there) = self.promised(index, dtype, wanted)?;
        // SAFETY: the result's memory is this call's alone, and outlives the run, which keeps no tensor. XLA's buffers
        // are pages that were written to.
        unsafe { output(dtype, there, buffer.data.cast()) }
    }
}
