//! `TF_CheckpointReader`: the tensors of a checkpoint, by name.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{CString, c_char, c_int};
use std::ptr;

use oplink_abi::{TF_CheckpointReader, TF_DataType, TF_Tensor};
use oplink_api::{Error, Result, ensure};
use oplink_bundle::{Checkpoint, TensorInfo};
use oplink_host::c_api;
use oplink_host::guard::{borrow, delete, text};
use oplink_host::tensor::into_handle;

use crate::support::c_count;

/// What a `TF_CheckpointReader` is here.
#[derive(Debug)]
struct Reader {
    checkpoint: Checkpoint,
    /// In order; names that C cannot hold are left out.
    names: Vec<CString>,
}

impl Reader {
    fn open(path: &str) -> Result<Self> {
        let checkpoint = Checkpoint::open(path)?;
        let names = checkpoint.tensors().into_iter().filter_map(|info| CString::new(info.name).ok()).collect();
        Ok(Self { checkpoint, names })
    }

    fn info(&self, name: &str) -> Result<TensorInfo<'_>> {
        let missing = || Error::not_found(format!("the checkpoint has no tensor `{}`", name.escape_debug()));
        self.checkpoint.get(name).ok_or_else(missing)
    }

    /// # Safety
    /// A handle that is not null is alive for `'a`.
    unsafe fn borrow<'a>(reader: *const TF_CheckpointReader, function: &str) -> Result<&'a Self> {
        // SAFETY: `reader` is null or alive (Safety section).
        unsafe { borrow(reader.cast::<Self>(), function, "reader") }
    }
}

c_api! {
    /// A reader of the checkpoint `filename`: a prefix of a tensor bundle's files, or a file of the format before it.
    ///
    /// # Safety
    /// The status is null or alive; `filename` is null or a terminated string.
    fn TF_NewCheckpointReader(filename: *const c_char => text; status)
        -> (*mut TF_CheckpointReader = ptr::null_mut())
    {
        Ok(Box::into_raw(Box::new(Reader::open(filename)?)).cast())
    }
}

/// Frees a reader; null is allowed.
///
/// # Safety
/// The handle is alive and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DeleteCheckpointReader(reader: *mut TF_CheckpointReader) {
    // SAFETY: `reader` is null or a box that this library made and that the caller gives up.
    unsafe { delete(reader.cast::<Reader>()) }
}

c_api! {
    /// 1 where there is a tensor of this name, else 0.
    ///
    /// # Safety
    /// The handle is null or alive; `name` is null or a terminated string.
    fn TF_CheckpointReaderHasTensor(
        reader: *mut TF_CheckpointReader => { Reader::borrow(reader, NAME) },
        name: *const c_char => text
    ) -> (c_int = 0) {
        Ok(c_int::from(reader.checkpoint.get(name).is_some()))
    }

    /// The name of a tensor, in the order of the names, valid as long as the reader; null where there is none.
    ///
    /// # Safety
    /// The handle is null or alive.
    fn TF_CheckpointReaderGetVariable(
        reader: *mut TF_CheckpointReader => { Reader::borrow(reader, NAME) },
        index: c_int
    ) -> (*const c_char = ptr::null()) {
        let name = usize::try_from(index).ok().and_then(|index| reader.names.get(index));
        Ok(name.map_or(ptr::null(), |name| name.as_ptr()))
    }

    /// The number of tensors; 0 for null.
    ///
    /// # Safety
    /// The handle is null or alive.
    fn TF_CheckpointReaderSize(reader: *mut TF_CheckpointReader => { Reader::borrow(reader, NAME) }) -> (c_int = 0) {
        Ok(c_count(reader.names.len()))
    }

    /// The number of a tensor's dtype; 0 where there is no such tensor.
    ///
    /// # Safety
    /// The handle is null or alive; `name` is null or a terminated string.
    fn TF_CheckpointReaderGetVariableDataType(
        reader: *mut TF_CheckpointReader => { Reader::borrow(reader, NAME) },
        name: *const c_char => text
    ) -> (TF_DataType = 0) {
        Ok(reader.info(name)?.dtype.number())
    }

    /// A tensor's rank; -1 where there is no such tensor.
    ///
    /// # Safety
    /// The handle is null or alive; `name` is null or a terminated string.
    fn TF_CheckpointReaderGetVariableNumDims(
        reader: *mut TF_CheckpointReader => { Reader::borrow(reader, NAME) },
        name: *const c_char => text
    ) -> (c_int = -1) {
        Ok(c_count(reader.info(name)?.shape.rank()))
    }

    /// Writes a tensor's dims, as many as its rank.
    ///
    /// # Safety
    /// The handles are null or alive; `name` is null or a terminated string; `dims` has `num_dims` slots.
    fn TF_CheckpointReaderGetVariableShape(
        reader: *mut TF_CheckpointReader => { Reader::borrow(reader, NAME) },
        name: *const c_char => text,
        dims as slots: *mut i64 => (mut [num_dims]),
        num_dims: c_int;
        status
    ) {
        let shape = reader.info(name)?.shape;
        ensure!(slots.len() == shape.rank(), "{NAME}: `num_dims` is {num_dims}, the rank is {}", shape.rank());
        slots.iter_mut().zip(shape.iter()).for_each(|(slot, &dim)| *slot = dim as i64);
        Ok(())
    }

    /// A tensor, read from the files, which the client deletes.
    ///
    /// # Safety
    /// The handles are null or alive; `name` is null or a terminated string.
    fn TF_CheckpointReaderGetTensor(
        reader: *mut TF_CheckpointReader => { Reader::borrow(reader, NAME) },
        name: *const c_char => text;
        status
    ) -> (*mut TF_Tensor = ptr::null_mut()) {
        reader.checkpoint.read(name).map(into_handle)
    }
}
