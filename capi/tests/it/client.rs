//! A client in a few words.

use std::ffi::{CStr, CString, c_int, c_void};
use std::ptr;

use oplink_abi::*;
use oplink_capi::description::{TF_AddInput, TF_FinishOperation, TF_NewOperation};
use oplink_capi::graph::operation::TF_OperationName;
use oplink_capi::graph::{TF_DeleteGraph, TF_NewGraph};
use oplink_capi::host::buffer::{TF_DeleteBuffer, TF_NewBuffer};
use oplink_capi::host::status::{TF_DeleteStatus, TF_GetCode, TF_Message, TF_NewStatus};
use oplink_capi::host::tensor::{TF_AllocateTensor, TF_DeleteTensor, TF_TensorData, TF_TensorElementCount};
use oplink_capi::session::lifetime::{TF_CloseSession, TF_DeleteSession, TF_NewSession};
use oplink_capi::session::options::{TF_DeleteSessionOptions, TF_NewSessionOptions};
use oplink_capi::session::run::TF_SessionRun;
use oplink_capi::set_attrs::scalars::{TF_SetAttrShape, TF_SetAttrTensor, TF_SetAttrType};

/// `DT_FLOAT`.
pub(crate) const FLOAT: c_int = 1;
/// `DT_INT32`.
pub(crate) const INT32: c_int = 3;

/// A terminated string.
pub(crate) fn c(text: &str) -> CString {
    CString::new(text).expect("no terminator inside")
}

/// A status that is freed.
pub(crate) struct Status(pub(crate) *mut TF_Status);

impl Status {
    pub(crate) fn new() -> Self {
        Self(TF_NewStatus())
    }

    pub(crate) fn code(&self) -> TF_Code {
        unsafe { TF_GetCode(self.0) }
    }

    pub(crate) fn message(&self) -> String {
        unsafe { CStr::from_ptr(TF_Message(self.0)) }.to_string_lossy().into_owned()
    }

    #[track_caller]
    pub(crate) fn ok(&self) {
        assert_eq!(self.code(), code::OK, "{}", self.message());
    }

    #[track_caller]
    pub(crate) fn is(&self, code: TF_Code) {
        assert_eq!(self.code(), code, "{}", self.message());
    }
}

impl Drop for Status {
    fn drop(&mut self) {
        unsafe { TF_DeleteStatus(self.0) }
    }
}

/// A graph that is freed.
pub(crate) struct Graph(pub(crate) *mut TF_Graph);

impl Graph {
    pub(crate) fn new() -> Self {
        Self(TF_NewGraph())
    }

    pub(crate) fn begin(&self, op: &str, name: &str) -> *mut TF_OperationDescription {
        unsafe { TF_NewOperation(self.0, c(op).as_ptr(), c(name).as_ptr()) }
    }

    pub(crate) fn op(&self, op: &str, name: &str, inputs: &[TF_Output]) -> TF_Output {
        let status = Status::new();
        let description = self.begin(op, name);
        inputs.iter().for_each(|&input| unsafe { TF_AddInput(description, input) });
        let oper = unsafe { TF_FinishOperation(description, status.0) };
        status.ok();
        TF_Output { oper, index: 0 }
    }

    pub(crate) fn placeholder(&self, name: &str, dtype: c_int, dims: Option<&[i64]>) -> TF_Output {
        let status = Status::new();
        let description = self.begin("Placeholder", name);
        unsafe { TF_SetAttrType(description, c"dtype".as_ptr(), dtype) };
        if let Some(dims) = dims {
            unsafe { TF_SetAttrShape(description, c"shape".as_ptr(), dims.as_ptr(), dims.len() as c_int) };
        }
        let oper = unsafe { TF_FinishOperation(description, status.0) };
        status.ok();
        TF_Output { oper, index: 0 }
    }

    pub(crate) fn constant(&self, name: &str, dims: &[i64], values: &[f32]) -> TF_Output {
        let status = Status::new();
        let description = self.begin("Const", name);
        let value = tensor(dims, values);
        unsafe {
            TF_SetAttrTensor(description, c"value".as_ptr(), value, status.0);
            TF_DeleteTensor(value);
            TF_SetAttrType(description, c"dtype".as_ptr(), FLOAT);
        }
        let oper = unsafe { TF_FinishOperation(description, status.0) };
        status.ok();
        TF_Output { oper, index: 0 }
    }
}

impl Drop for Graph {
    fn drop(&mut self) {
        unsafe { TF_DeleteGraph(self.0) }
    }
}

/// A tensor of floats, which the caller deletes.
pub(crate) fn tensor(dims: &[i64], values: &[f32]) -> *mut TF_Tensor {
    unsafe {
        let tensor = TF_AllocateTensor(FLOAT, dims.as_ptr(), dims.len() as c_int, 4 * values.len());
        assert!(!tensor.is_null());
        ptr::copy_nonoverlapping(values.as_ptr(), TF_TensorData(tensor).cast(), values.len());
        tensor
    }
}

/// The floats of a tensor, which is deleted.
pub(crate) fn take(tensor: *mut TF_Tensor) -> Vec<f32> {
    unsafe {
        let count = TF_TensorElementCount(tensor) as usize;
        let values = std::slice::from_raw_parts(TF_TensorData(tensor).cast::<f32>(), count).to_vec();
        TF_DeleteTensor(tensor);
        values
    }
}

/// A session that is closed and freed.
pub(crate) struct Session(pub(crate) *mut TF_Session);

impl Session {
    pub(crate) fn new(graph: &Graph) -> Self {
        let status = Status::new();
        let options = TF_NewSessionOptions();
        let session = unsafe { TF_NewSession(graph.0, options, status.0) };
        unsafe { TF_DeleteSessionOptions(options) };
        status.ok();
        Self(session)
    }

    /// Runs once; the floats that are fetched.
    pub(crate) fn try_run(
        &self,
        feeds: &[(TF_Output, *mut TF_Tensor)],
        fetches: &[TF_Output],
        targets: &[*const TF_Operation],
    ) -> Result<Vec<Vec<f32>>, (TF_Code, String)> {
        let status = Status::new();
        let (inputs, values): (Vec<TF_Output>, Vec<*mut TF_Tensor>) = feeds.iter().copied().unzip();
        let mut results = vec![ptr::null_mut(); fetches.len()];
        unsafe {
            TF_SessionRun(
                self.0,
                ptr::null(),
                inputs.as_ptr(),
                values.as_ptr(),
                inputs.len() as c_int,
                fetches.as_ptr(),
                results.as_mut_ptr(),
                fetches.len() as c_int,
                targets.as_ptr(),
                targets.len() as c_int,
                ptr::null_mut(),
                status.0,
            );
            values.iter().for_each(|&value| TF_DeleteTensor(value));
        }
        match status.code() {
            code::OK => Ok(results.into_iter().map(take).collect()),
            code => {
                assert!(results.iter().all(|result| result.is_null()), "nothing is handed out where a run fails");
                Err((code, status.message()))
            }
        }
    }

    #[track_caller]
    pub(crate) fn run(&self, feeds: &[(TF_Output, *mut TF_Tensor)], fetches: &[TF_Output]) -> Vec<Vec<f32>> {
        self.try_run(feeds, fetches, &[]).expect("the run succeeds")
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let status = Status::new();
        unsafe {
            TF_CloseSession(self.0, status.0);
            TF_DeleteSession(self.0, status.0);
        }
        status.ok();
    }
}

/// The name of an operation.
pub(crate) fn name(oper: *mut TF_Operation) -> String {
    unsafe { CStr::from_ptr(TF_OperationName(oper)) }.to_string_lossy().into_owned()
}

/// The bytes that a function puts into a buffer.
pub(crate) fn filled(fill: impl FnOnce(*mut TF_Buffer, *mut TF_Status)) -> Vec<u8> {
    let status = Status::new();
    unsafe {
        let buffer = TF_NewBuffer();
        fill(buffer, status.0);
        status.ok();
        let bytes = std::slice::from_raw_parts((*buffer).data.cast::<u8>(), (*buffer).length).to_vec();
        TF_DeleteBuffer(buffer);
        bytes
    }
}

/// A buffer of bytes, which the caller deletes.
pub(crate) fn buffer(bytes: &[u8]) -> *mut TF_Buffer {
    unsafe { oplink_capi::host::buffer::TF_NewBufferFromString(bytes.as_ptr().cast::<c_void>(), bytes.len()) }
}
