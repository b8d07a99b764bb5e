//! Datasets as graphs, and graphs as datasets.

use oplink::prelude::*;

/// The dataset as a serialised GraphDef: the nodes that make it, constants in the place of what they were given, the
/// functions that they call, and a node `_Retval` that takes the dataset. [`DatasetFromGraph`] makes it again, also in
/// TensorFlow.
///
/// A dataset that captures a resource, such as a variable or a table, has no graph, nor has one of `WindowDataset`'s
/// elements. Functions with effects are an error unless `allow_stateful`. `strip_device_assignment` leaves out the
/// devices that nodes of functions ask for. `stateful_whitelist` changes nothing.
#[op("DatasetToGraph",
     input = "input_dataset: variant",
     output = "graph: string",
     attr = "stateful_whitelist: list(string) >= 0 = []",
     attr = "allow_stateful: bool = false",
     attr = "strip_device_assignment: bool = false",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct DatasetToGraph;

/// As [`DatasetToGraph`]; functions with effects are an error where `external_state_policy` is 2, named in a warning
/// where it is 0.
#[op("DatasetToGraphV2",
     input = "input_dataset: variant",
     output = "graph: string",
     attr = "external_state_policy: int = 0",
     attr = "strip_device_assignment: bool = false",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct DatasetToGraphV2;

/// The dataset that a serialised GraphDef makes, such as those of [`DatasetToGraph`], by this library or by TensorFlow:
/// what its node `_Retval` takes. Its functions are those of the graph.
#[op("DatasetFromGraph",
     input = "graph_def: string",
     output = "handle: variant",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct DatasetFromGraph;

/// A number that is the same for datasets of equal graphs, whatever their functions are called: FarmHash's
/// Fingerprint64 of the graph of [`DatasetToGraph`]. It is another one than TensorFlow's.
#[op("DatasetFingerprint",
     input = "input_dataset: variant",
     output = "fingerprint: uint64",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct DatasetFingerprint;
