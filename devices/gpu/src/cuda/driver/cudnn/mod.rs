//! Convolutions by cuDNN 9.
//!
//! The calls are those over descriptors of tensors, filters and convolutions, which the library still has beside its
//! graphs of operations: by them f32 can be kept from being rounded for tensor cores.

mod descriptors;
mod functions;
mod plan;

use std::collections::HashMap;
use std::ffi::{CStr, c_char};
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::CudaStream;
use oplink_api::device::ConvolutionSpec;
use oplink_api::log::warn;
use oplink_api::{Code, Error, ErrorKind, Result};

use descriptors::told;
pub(crate) use functions::version;
use functions::{Functions, Opaque, Status};
use oplink_cuda::Gpu;
pub(crate) use plan::{Algorithm, Plan, Tensors};

/// The library, for the compute work of one GPU.
pub(crate) struct Cudnn {
    gpu: Arc<Gpu>,
    functions: Functions,
    /// Ends before the handle's stream, which it keeps.
    state: Mutex<State>,
    stream: Arc<CudaStream>,
}

/// What one thread at a time uses.
struct State {
    handle: Opaque,
    /// What was chosen for convolutions so far; none where the library has nothing for them.
    plans: HashMap<ConvolutionSpec, Option<Arc<Plan>>>,
    /// Whether a failure to choose was told.
    was_told: bool,
}

// SAFETY: the library takes calls with one handle from any thread, one after the other.
unsafe impl Send for State {}

impl Cudnn {
    /// The library, if the loader finds one of the version that is called; its work goes to `stream`.
    ///
    /// # Errors
    /// It is there and does not start.
    pub(crate) fn find(gpu: Arc<Gpu>, stream: Arc<CudaStream>) -> Result<Option<Self>> {
        let Ok(functions) = functions::functions() else { return Ok(None) };
        gpu.enter()?;
        let mut handle = ptr::null_mut();
        // SAFETY: the library was found, and the GPU's context is current; the handle is writable.
        let started = told(unsafe { (functions.create)(&raw mut handle) });
        started.map_err(|status| failed(&gpu, &functions, "starting", status))?;
        let state = State { handle, plans: HashMap::new(), was_told: false };
        let this = Self { gpu, functions, state: Mutex::new(state), stream };
        // SAFETY: the stream is alive, and kept.
        let set = told(unsafe { (functions.set_stream)(handle, this.stream.cu_stream().cast()) });
        set.map_err(|status| this.failed("giving a stream to", status))?;
        Ok(Some(this))
    }

    /// What the library has for the convolution. Where it fails to choose, that is reported once, and it has nothing.
    pub(crate) fn plan(&self, spec: &ConvolutionSpec) -> Option<Arc<Plan>> {
        self.gpu.enter().ok()?;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(plan) = state.plans.get(spec) {
            return plan.clone();
        }
        let plan = Plan::choose(&self.functions, state.handle, spec).unwrap_or_else(|status| {
            if !is_unsupported(status) && !std::mem::replace(&mut state.was_told, true) {
                let error = self.failed(&format!("choosing how to do {spec:?}"), status);
                warn(&format!("{error}; oplink's own programs do what is not chosen"));
            }
            None
        });
        let plan = plan.map(Arc::new);
        state.plans.insert(*spec, plan.clone());
        plan
    }

    /// Enqueues a convolution; false where the library does not take it after all. The workspace is that of the
    /// algorithm.
    pub(crate) fn enqueue(&self, plan: &Plan, algorithm: Algorithm, tensors: &Tensors) -> Result<bool> {
        self.gpu.enter()?;
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the folder's contract; nobody else uses the handle while the state is held.
        match unsafe { plan.enqueue(&self.functions, state.handle, algorithm, tensors) } {
            Ok(()) => Ok(true),
            Err(status) if is_unsupported(status) => Ok(false),
            Err(status) => Err(self.failed("a convolution", status)),
        }
    }

    #[cold]
    fn failed(&self, what: &str, status: Status) -> Error {
        failed(&self.gpu, &self.functions, what, status)
    }
}

impl Drop for Cudnn {
    fn drop(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        state.plans.clear();
        if self.gpu.enter().is_ok() {
            // SAFETY: made by the library, ended once.
            let _ = unsafe { (self.functions.destroy)(state.handle) };
        }
    }
}

/// `CUDNN_STATUS_NOT_SUPPORTED` and its kinds.
fn is_unsupported(status: Status) -> bool {
    (3000..4000).contains(&status)
}

/// The error of a call, with the library's own words.
#[cold]
fn failed(gpu: &Gpu, functions: &Functions, what: &str, status: Status) -> Error {
    let mut words = [0 as c_char; 512];
    // SAFETY: the folder's contract; the length is that of the buffer, which ends with a zero that is not overwritten.
    unsafe { (functions.last_error)(words.as_mut_ptr(), words.len() - 1) };
    // SAFETY: text of the library that stays, or null.
    let name = unsafe { text((functions.error_string)(status)) };
    // SAFETY: the buffer ends with a zero.
    let words = unsafe { text(words.as_ptr()) };
    let space = if words.is_empty() { "" } else { ": " };
    let message = format!("{}: {what} by cuDNN failed with {name} ({status}){space}{words}", gpu.name());
    Error::new(Code::Internal, ErrorKind::Device, message)
}

/// # Safety
/// The pointer is null, or to text that ends with a zero.
unsafe fn text(pointer: *const c_char) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // SAFETY: the pointer is not null, so it is to text that ends with a zero.
    unsafe { CStr::from_ptr(pointer) }.to_string_lossy().trim_end().to_owned()
}
