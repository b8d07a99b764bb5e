//! Mutexes: locks that one run at a time has, from [`MutexLock`] until nobody holds its output any more.
//!
//! Nodes of one `container` and `shared_name` share a mutex, those without a name that of the node's name.

use oplink::prelude::*;

/// A mutex.
#[op("MutexV2",
     output = "resource: resource",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     stateful,
     shape = shape_fns::scalar)]
pub struct MutexV2;

/// Waits for a mutex and locks it; the lock is the output, and opens when it goes.
#[op("MutexLock", input = "mutex: resource", output = "mutex_lock: variant", stateful, shape = shape_fns::scalar)]
pub struct MutexLock;

/// Takes a lock, so that it stays locked until then.
#[op("ConsumeMutexLock", input = "mutex_lock: variant", stateful, shape = shape_fns::no_outputs)]
pub struct ConsumeMutexLock;
