//! `Abort`: an error on purpose.
//!
//! Where TensorFlow ends the process, this op fails its step: a graph never takes its host down.

use oplink::prelude::*;

/// Fails, unless `exit_without_error`.
#[op("Abort",
     attr = "error_msg: string = ''",
     attr = "exit_without_error: bool = false",
     shape = shape_fns::no_outputs)]
pub struct Abort;

/// `Abort`.
#[kernel(Abort, device = CPU)]
pub fn abort_cpu(error_msg: &[u8], exit_without_error: bool) -> Result<()> {
    if exit_without_error {
        return Ok(());
    }
    let message = String::from_utf8_lossy(error_msg);
    let message = if message.is_empty() { "the graph asked for an abort".into() } else { message };
    Err(Error::new(Code::Aborted, ErrorKind::KernelFailed, message))
}
