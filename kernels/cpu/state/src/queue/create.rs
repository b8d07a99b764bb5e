//! Handles of queues: `FIFOQueueV2`, from which elements leave in the order in which they came; `PaddingFIFOQueueV2`,
//! which pads the elements of a batch to one shape; `PriorityQueueV2`, from which the element with the smallest
//! priority leaves first; `RandomShuffleQueueV2`, from which they leave in random order; and the forms of each that are
//! references.
//!
//! Elements have components of the dtypes and shapes in the attrs. Without shapes they may have any, except in a
//! padding and in a priority queue; in a padding queue extents of -1 may be different in each. `capacity` limits how
//! many elements there are, where it is not negative. Nodes of one `container` and `shared_name` share a queue, and
//! agree in its declaration.
//!
//! The priority is a component before those in the attrs, an int64; elements of one priority leave in the order in
//! which they came. In a shuffling queue `min_after_dequeue` elements stay until it is closed; the order is
//! TensorFlow's for the same seeds, and random with both 0.

use super::declaration::{Declaration, Order};
use super::resource::Queue;
use crate::named::{NodeResource, Unnamed, info};
use oplink::NodeInfo;
use oplink::arguments::TypedOp;
use oplink::prelude::*;
use oplink_ops::state::{FIFOQueue, FIFOQueueV2, PaddingFIFOQueue, PaddingFIFOQueueV2, PriorityQueue, PriorityQueueV2};
use oplink_ops::state::{RandomShuffleQueue, RandomShuffleQueueV2};

/// The queue of a node.
#[derive(Debug)]
struct NodeQueue {
    resource: NodeResource,
    declaration: Declaration,
}

impl NodeQueue {
    fn new(node: &NodeInfo, container: &str, shared_name: &str, declaration: Declaration) -> Result<Self> {
        let info = info(node, container, shared_name, "queue", Unnamed::Private)?;
        Ok(Self { resource: NodeResource::new(info), declaration })
    }

    /// Sets an output to the handle of the queue, which is made where there is none yet.
    fn output(&self, output: &mut OutputSlot<'_>, env: Env<'_>) -> Result<()> {
        let wanted = &self.declaration;
        let queue = self.resource.output(output, env, |name| Ok(Queue::new(name, wanted.clone())))?;
        let declared = queue.declaration();
        ensure!(declared == wanted, "the queue of this name was declared otherwise: {declared:?}, not {wanted:?}");
        Ok(())
    }
}

/// Kernels of ops that make a queue, `Kernel: Op, |attrs| order;` each.
macro_rules! queues {
    ($($name:ident: $op:ident, |$attrs:pat_param| $order:expr;)*) => {$(
        #[doc = concat!("`", stringify!($op), "` with the node's handle.")]
        #[derive(Debug)]
        pub struct $name(NodeQueue);

        #[kernel($op, device = CPU)]
        impl Kernel for $name {
            type Op = $op;

            fn new(construction: Construction<'_, $op>) -> Result<Self> {
                let (node, attrs) = (construction.node(), construction.attrs);
                let $attrs = attrs;
                let declaration = Declaration::new($order, attrs.component_types, attrs.shapes, attrs.capacity)?;
                NodeQueue::new(node, attrs.container, attrs.shared_name, declaration).map(Self)
            }

            fn compute(
                &self,
                _: <$op as TypedOp>::Inputs<'_>,
                outputs: &mut <$op as TypedOp>::Outputs<'_>,
                env: Env<'_>,
            ) -> Result<()> {
                self.0.output(&mut outputs.handle, env)
            }
        }
    )*};
}

queues! {
    FifoQueueCpu: FIFOQueueV2, |_| Order::Fifo;
    FifoQueueRefCpu: FIFOQueue, |_| Order::Fifo;
    PaddingFifoQueueCpu: PaddingFIFOQueueV2, |_| Order::PaddedFifo;
    PaddingFifoQueueRefCpu: PaddingFIFOQueue, |_| Order::PaddedFifo;
    PriorityQueueCpu: PriorityQueueV2, |_| Order::Sorted;
    PriorityQueueRefCpu: PriorityQueue, |_| Order::Sorted;
    RandomShuffleQueueCpu: RandomShuffleQueueV2,
        |attrs| shuffled((attrs.seed, attrs.seed2), attrs.min_after_dequeue);
    RandomShuffleQueueRefCpu: RandomShuffleQueue,
        |attrs| shuffled((attrs.seed, attrs.seed2), attrs.min_after_dequeue);
}

fn shuffled(seeds: (i64, i64), min_after_dequeue: i64) -> Order {
    Order::Shuffled { seeds, kept: usize::try_from(min_after_dequeue).unwrap_or(0) }
}
