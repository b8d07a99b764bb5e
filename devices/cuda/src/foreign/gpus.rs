//! The GPUs whose streams were used: each is opened once and kept, with the programs that are loaded on it.

use std::sync::{Arc, PoisonError, RwLock};

use cudarc::driver::sys::CUcontext;
use oplink_api::{Code, Error, ErrorKind, Result};

use crate::driver::{self, Entered, Facts, Gpu, StreamRef};
use crate::programs::Programs;

/// A GPU with its programs; both live as long as the process.
pub(super) struct OpenGpu {
    pub(super) gpu: Arc<Gpu>,
    pub(super) programs: Programs,
}

/// By number.
static OPENED: RwLock<Vec<(usize, &'static OpenGpu)>> = RwLock::new(Vec::new());

/// The GPU of a stream; see [`Call::begin`](super::Call::begin).
pub(super) fn of_stream(stream: StreamRef, ordinal: Option<usize>) -> Result<&'static OpenGpu> {
    if is_first() {
        // A missing driver is an error here, and no panic later.
        if driver::count()? == 0 {
            return Err(refused("there is no GPU of CUDA in this process"));
        }
    }
    // A framework that tells the GPU has not made it current.
    if let Some(ordinal) = ordinal.filter(|_| stream.raw().is_null()) {
        return opened(ordinal);
    }
    let context = driver::stream_context(stream).map_err(|error| driver::driver_error(DRIVER, ASKING, error))?;
    if context.is_null() {
        return Err(refused(NO_CONTEXT));
    }
    let of_context = |(_, opened): &&(usize, &'static OpenGpu)| opened.gpu.context().cu_ctx() == context;
    if let Some((_, opened)) = OPENED.read().unwrap_or_else(PoisonError::into_inner).iter().find(of_context) {
        return Ok(opened);
    }
    let opened = opened(ordinal_of(context)?)?;
    if opened.gpu.context().cu_ctx() == context { Ok(opened) } else { Err(refused(NOT_PRIMARY)) }
}

const DRIVER: &str = "the NVIDIA driver";
const ASKING: &str = "asking for the GPU of a stream";
const NO_CONTEXT: &str =
    "the host gave the default stream of CUDA, and no context is current on this thread: give the call a stream";
const NOT_PRIMARY: &str =
    "the stream belongs to a context that is not its GPU's primary one, which the kernels' programs are loaded into";

fn is_first() -> bool {
    OPENED.read().unwrap_or_else(PoisonError::into_inner).is_empty()
}

fn ordinal_of(context: CUcontext) -> Result<usize> {
    let ask = || {
        let _entered = Entered::new(context)?;
        driver::ordinal_of()
    };
    ask().map_err(|error| driver::driver_error(DRIVER, ASKING, error))
}

/// The GPU of a number, opened where it was not.
fn opened(ordinal: usize) -> Result<&'static OpenGpu> {
    let of_number = |all: &[(usize, &'static OpenGpu)]| all.iter().find(|(at, _)| *at == ordinal).map(|found| found.1);
    if let Some(opened) = of_number(&OPENED.read().unwrap_or_else(PoisonError::into_inner)) {
        return Ok(opened);
    }
    let mut all = OPENED.write().unwrap_or_else(PoisonError::into_inner);
    if let Some(opened) = of_number(&all) {
        return Ok(opened);
    }
    let name = format!("GPU:{ordinal}");
    // Opening makes the context current, which is the framework's business.
    let before = driver::current_context().map_err(|error| driver::driver_error(&name, ASKING, error))?;
    let gpu = Gpu::open(ordinal, name.clone(), Facts::of(ordinal, &name)?)?;
    driver::set_current(before).map_err(|error| driver::driver_error(&name, ASKING, error))?;
    let opened: &'static OpenGpu = Box::leak(Box::new(OpenGpu { programs: Programs::new(gpu.clone()), gpu }));
    all.push((ordinal, opened));
    Ok(opened)
}

#[cold]
fn refused(why: &str) -> Error {
    Error::new(Code::FailedPrecondition, ErrorKind::Device, why.to_owned())
}
