//! `RemoteCall`: a call of a function on a device that is known when it runs.

use oplink::prelude::*;

/// Calls a function on the device that `target` names: nodes of its body that ask for no device run there. The name may
/// leave parts open, as `CPU` or an empty one do; it means the first device that fits. Of several targets the first
/// counts. A name that is malformed, or that of no device of the session, is an error. The function takes `args` and
/// gives the outputs, of any dtypes; its errors are the node's.
#[op("RemoteCall",
     input = "target: string",
     input = "args: Tin",
     output = "output: Tout",
     attr = "Tin: list(type) >= 1",
     attr = "Tout: list(type) >= 1",
     attr = "f: func",
     stateful,
     shape = shape_fns::unknown)]
pub struct RemoteCall;
