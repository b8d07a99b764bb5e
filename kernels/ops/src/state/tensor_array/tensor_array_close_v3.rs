//! `TensorArrayCloseV3`: lets the elements of a tensor array go. Whoever uses the array afterwards gets an error.

use super::shapes;
use oplink::prelude::*;

/// Lets the elements go.
#[op("TensorArrayCloseV3", input = "handle: resource", stateful, shape = shapes::close)]
pub struct TensorArrayCloseV3;
