//! Runs of asynchronous kernels, waited for.

use std::sync::Arc;
use std::sync::mpsc::sync_channel;

use oplink_api::{AsyncKernelContext, Error, KernelContext, NodeInfo, Result};

/// Starts the kernel and blocks this thread until it finishes. The kernel owns clones of the inputs.
///
/// A panic of the kernel's function goes on to the caller. One on another thread drops the kernel's context, which
/// finishes the run with an error.
pub(crate) fn run_async(
    function: fn(AsyncKernelContext),
    node: &Arc<NodeInfo>,
    context: &mut KernelContext<'_>,
) -> Result<()> {
    let (sender, receiver) = sync_channel(1);
    let done = Box::new(move |result| drop(sender.send(result)));
    let run = AsyncKernelContext::new(node.clone(), context.inputs().to_vec(), done);
    function(run);
    let finished =
        receiver.recv().map_err(|_| Error::internal("the asynchronous kernel went away without finishing"))?;
    for (index, output) in finished?.into_iter().enumerate() {
        if let Some(tensor) = output {
            context.set_output(index, tensor);
        }
    }
    Ok(())
}
