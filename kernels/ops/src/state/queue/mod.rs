//! Queues: elements of several components that some runs put in and others take out, which may have to wait.

mod fifo_queue;
mod padding_fifo_queue;
mod priority_queue;
mod queue_close;
mod queue_dequeue;
mod queue_dequeue_many;
mod queue_dequeue_up_to;
mod queue_enqueue;
mod queue_enqueue_many;
mod queue_is_closed;
mod queue_size;
mod random_shuffle_queue;
mod shapes;

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
