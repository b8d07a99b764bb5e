//! Barriers: elements whose components come one by one under a key, and leave when they are whole.
//!
//! An element has the components that `component_types` and `shapes` declare, a shape for each. Whole elements leave
//! in the order in which their keys came first; those whose keys came together in the order in which they became whole.
//! Nodes of one `container` and `shared_name` share a barrier, and agree in its declaration.

use oplink::prelude::*;

use super::handles;

/// A reference to a barrier. `capacity` must be -1: it holds any number of elements.
#[op("Barrier",
     output = "handle: Ref(string)",
     attr = "component_types: list(type) >= 1",
     attr = "shapes: list(shape) >= 0 = []",
     attr = "capacity: int = -1",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     unused_attr = "component_types",
     stateful,
     shape = handles::reference)]
pub struct Barrier;

/// Gives the elements of `keys`, a vector, their component `component_index`, a row of `values` each. A component that
/// an element has already is an error, and so is a new key of a closed barrier.
#[op("BarrierInsertMany",
     input = "handle: Ref(string)",
     input = "keys: string",
     input = "values: T",
     attr = "T: type",
     attr = "component_index: int",
     shape = insert_many)]
pub struct BarrierInsertMany;

/// Takes `num_elements` whole elements: the numbers of the runs that brought their keys, counted from the smallest
/// int64, their keys, and the rows of their components. A run waits until there are so many; when the barrier is closed
/// and can have no more of them it ends with `OutOfRange`, or with `allow_small_batch` takes those there are.
#[op("BarrierTakeMany",
     input = "handle: Ref(string)",
     input = "num_elements: int32",
     output = "indices: int64",
     output = "keys: string",
     output = "values: component_types",
     attr = "component_types: list(type) >= 1",
     attr = "allow_small_batch: bool = false",
     attr = "wait_for_incomplete: bool = false",
     attr = "timeout_ms: int = -1",
     shape = shape_fns::unknown)]
pub struct BarrierTakeMany;

/// Lets no more keys into a barrier; what is not whole can become so, or with `cancel_pending_enqueues` goes. A barrier
/// that is closed already is an error, except where that attr is new.
#[op("BarrierClose",
     input = "handle: Ref(string)",
     attr = "cancel_pending_enqueues: bool = false",
     shape = handles::of_references)]
pub struct BarrierClose;

/// The number of whole elements.
#[op("BarrierReadySize", input = "handle: Ref(string)", output = "size: int32", shape = handles::of_references)]
pub struct BarrierReadySize;

/// The number of elements that are not whole.
#[op("BarrierIncompleteSize", input = "handle: Ref(string)", output = "size: int32", shape = handles::of_references)]
pub struct BarrierIncompleteSize;

/// Keys and as many rows.
fn insert_many(context: &mut ShapeContext<'_>) -> Result<()> {
    handles::two_names(context, 0)?;
    let (keys, values) = (context.with_rank(1, 1)?, context.with_rank_at_least(2, 1)?);
    context.merge_dim(keys.dim(0), values.dim(0))?;
    Ok(())
}
