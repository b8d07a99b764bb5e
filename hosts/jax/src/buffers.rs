//! XLA's buffers, seen as tensors of ours without copying.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_int, c_void};
use std::ptr::NonNull;

use oplink_abi::xla_ffi::{KIND_BUFFER, XLA_FFI_Buffer};
use oplink_api::{DType, Error, Result, Shape, Tensor};
use oplink_hosts_common::{OutputAddress, OutputMemory, borrowed, output};
use smallvec::SmallVec;

use crate::dtypes;

/// An array of C.
///
/// # Safety
/// It is null, or holds as many values, which live for `'a`.
pub(crate) unsafe fn array<'a, T>(values: *const T, length: i64) -> &'a [T] {
    // SAFETY: not null, so as long as told (Safety section).
    if values.is_null() || length <= 0 { &[] } else { unsafe { std::slice::from_raw_parts(values, length as usize) } }
}

/// The arguments or the results of a call, all of which are to be buffers.
#[derive(Clone, Copy)]
pub(crate) struct Buffers<'a> {
    kinds: &'a [c_int],
    values: &'a [*mut c_void],
}

impl<'a> Buffers<'a> {
    /// # Safety
    /// Both arrays have as many values, which live for `'a`; each value of the kind "buffer" is null or one.
    #[inline]
    pub(crate) unsafe fn new(size: i64, kinds: *const c_int, values: *const *mut c_void) -> Self {
        // SAFETY: the contract of this function.
        unsafe { Self { kinds: array(kinds, size), values: array(values, size) } }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// The value at a position; `None` where it is no buffer.
    #[inline]
    pub(crate) fn get(&self, at: usize) -> Option<&'a XLA_FFI_Buffer> {
        let value = self.values.get(at).filter(|_| self.kinds.get(at) == Some(&KIND_BUFFER))?;
        // SAFETY: a value of this kind is null or a buffer, which lives for `'a`.
        unsafe { value.cast::<XLA_FFI_Buffer>().as_ref() }
    }

    /// All values.
    #[inline]
    pub(crate) fn iter(self) -> impl Iterator<Item = Option<&'a XLA_FFI_Buffer>> {
        (0..self.len()).map(move |at| self.get(at))
    }

    /// All values, which are to be buffers.
    pub(crate) fn checked(self) -> Result<SmallVec<[&'a XLA_FFI_Buffer; 4]>> {
        let buffers = self.iter().zip(self.kinds).map(|(buffer, kind)| {
            buffer.ok_or_else(|| match *kind {
                KIND_BUFFER => Error::internal("XLA gave no buffer"),
                kind => Error::invalid_argument(format!("an argument of kind {kind} is no buffer")),
            })
        });
        buffers.collect()
    }
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
    /// The buffer of an output of this dtype and shape.
    #[inline]
    pub(crate) fn buffer(&self, index: usize, dtype: DType, wanted: &Shape) -> Result<&XLA_FFI_Buffer> {
        let buffer = self.0.get(index).ok_or_else(|| Error::internal(format!("there is no result {index}")))?;
        // SAFETY: a buffer has as many extents as its rank tells.
        let there = unsafe { array(buffer.dims, buffer.rank) };
        let is_there = there.len() == wanted.rank() && there.iter().zip(wanted.dims()).all(|(a, b)| *a == *b as i64);
        if is_there && dtypes::is_xla(buffer.dtype, dtype) {
            Ok(buffer)
        } else {
            Err(other_result(index, buffer, dtype, wanted))
        }
    }
}

#[cold]
fn other_result(index: usize, buffer: &XLA_FFI_Buffer, dtype: DType, wanted: &Shape) -> Error {
    let there = shape(buffer).and_then(|shape| Ok(format!("{} {shape}", dtypes::from_xla(buffer.dtype)?)));
    let there = there.unwrap_or_else(|error| error.to_string());
    Error::invalid_argument(format!(
        "output {index} is {dtype} {wanted}, and the program was made for {there}: the size of a result is known before \
         the program runs"
    ))
}

impl OutputMemory for Results<'_> {
    fn allocate(&self, index: usize, dtype: DType, wanted: &Shape) -> Result<Tensor> {
        let buffer = self.buffer(index, dtype, wanted)?;
        // SAFETY: the result's memory is this call's alone, and outlives the run, which keeps no tensor. XLA's buffers
        // are pages that were written to.
        unsafe { output(dtype, wanted.clone(), buffer.data.cast()) }
    }

    #[inline]
    fn address(&self, index: usize, dtype: DType, wanted: &Shape) -> Result<Option<OutputAddress>> {
        let data = self.buffer(index, dtype, wanted)?.data.cast();
        // SAFETY: the result's memory is pages that were written to, this call's alone, and outlives the run.
        Ok(NonNull::new(data).map(|data| unsafe { OutputAddress::new(data) }))
    }
}
