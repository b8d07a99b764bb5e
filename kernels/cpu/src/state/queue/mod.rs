//! Queues: elements of several components that some runs put in and others take out, which may have to wait.

mod batch;
mod declaration;
mod resource;
mod shapes;
mod start;
mod store;
#[cfg(test)]
mod tests;

pub mod fifo_queue;
pub mod padding_fifo_queue;
pub mod priority_queue;
pub mod queue_close;
pub mod queue_dequeue;
pub mod queue_dequeue_many;
pub mod queue_dequeue_up_to;
pub mod queue_enqueue;
pub mod queue_enqueue_many;
pub mod queue_is_closed;
pub mod queue_size;
pub mod random_shuffle_queue;

use declaration::Declaration;
use oplink::prelude::*;

pub use fifo_queue::*;
pub use padding_fifo_queue::*;
pub use priority_queue::*;
pub use queue_close::*;
pub use queue_dequeue::*;
pub use queue_dequeue_many::*;
pub use queue_dequeue_up_to::*;
pub use queue_enqueue::*;
pub use queue_enqueue_many::*;
pub use queue_is_closed::*;
pub use queue_size::*;
pub use random_shuffle_queue::*;
pub use resource::Queue;

use super::named::{OwnHandle, Unnamed, output_resource};

/// Sets output 0 to the handle of the node's queue, which is made where there is none yet.
fn output_queue(context: &mut KernelContext<'_>, handle: &OwnHandle, declaration: Declaration) -> Result<()> {
    let make = |_: &KernelContext<'_>, name: &str| Ok(Queue::new(name, declaration.clone()));
    let queue = output_resource(context, handle, "queue", Unnamed::Private, make)?;
    ensure!(
        *queue.declaration() == declaration,
        "the queue of this name was declared otherwise: {:?}, not {declaration:?}",
        queue.declaration()
    );
    Ok(())
}
