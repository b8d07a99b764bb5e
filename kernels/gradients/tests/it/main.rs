//! Gradients against those that TensorFlow computes, and gradients of graphs.

#[path = "../../../cpu/tests/it/case.rs"]
#[allow(dead_code, reason = "of the reader of cases only a part is used here")]
mod case;

mod factors;
mod flow;
mod graphs;
mod page;
mod run;
mod single;

use oplink_device_cpu as _;

oplink::link!(oplink_gradients, oplink_kernels_cpu);
