//! Staging areas: several tensors that some nodes put in and others take out, within a process.
//!
//! Nodes of one `container` and `shared_name` share an area, those without a name that of the node's name. `capacity`
//! limits how many elements there are, and `memory_limit` how many bytes, where they are not 0, as the node says that
//! makes the area; an element that alone is too large is `ResourceExhausted`. A run waits where there is no room, or
//! where what it asks for is not there, and ends with an error when its step is cancelled before.

use oplink::prelude::*;

/// Puts an element behind the others.
#[op("Stage",
     input = "values: dtypes",
     attr = "capacity: int >= 0 = 0",
     attr = "memory_limit: int >= 0 = 0",
     attr = "dtypes: list(type) >= 1",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     stateful,
     shape = shape_fns::no_outputs)]
pub struct Stage;

/// Takes the first element out.
#[op("Unstage",
     output = "values: dtypes",
     attr = "capacity: int >= 0 = 0",
     attr = "memory_limit: int >= 0 = 0",
     attr = "dtypes: list(type) >= 1",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     stateful,
     shape = shape_fns::unknown)]
pub struct Unstage;

/// The element at `index`, which stays.
#[op("StagePeek",
     input = "index: int32",
     output = "values: dtypes",
     attr = "capacity: int >= 0 = 0",
     attr = "memory_limit: int >= 0 = 0",
     attr = "dtypes: list(type) >= 1",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     stateful,
     shape = shape_fns::unknown)]
pub struct StagePeek;

/// The number of elements.
#[op("StageSize",
     output = "size: int32",
     attr = "capacity: int >= 0 = 0",
     attr = "memory_limit: int >= 0 = 0",
     attr = "dtypes: list(type)",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     unused_attr = "dtypes",
     stateful,
     shape = shape_fns::scalar)]
pub struct StageSize;

/// Lets all elements go.
#[op("StageClear",
     attr = "capacity: int >= 0 = 0",
     attr = "memory_limit: int >= 0 = 0",
     attr = "dtypes: list(type)",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     unused_attr = "dtypes",
     stateful,
     shape = shape_fns::no_outputs)]
pub struct StageClear;
