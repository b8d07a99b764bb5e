//! The CPU kernels: a crate and a Cargo feature for each family.
//!
//! `link!(oplink_kernels_cpu)` keeps those of every enabled family in a binary. The ops that they compute are declared
//! in `oplink-ops`.
#![forbid(unsafe_code)]

#[cfg(feature = "array")]
pub use oplink_cpu_array as array;
#[cfg(feature = "control_flow")]
pub use oplink_cpu_control_flow as control_flow;
#[cfg(feature = "data")]
pub use oplink_cpu_data as data;
#[cfg(feature = "decomposition")]
pub use oplink_cpu_decomposition as decomposition;
#[cfg(feature = "image")]
pub use oplink_cpu_image as image;
#[cfg(feature = "io")]
pub use oplink_cpu_io as io;
#[cfg(feature = "linalg")]
pub use oplink_cpu_linalg as linalg;
#[cfg(feature = "math")]
pub use oplink_cpu_math as math;
#[cfg(feature = "nn")]
pub use oplink_cpu_nn as nn;
#[cfg(feature = "random")]
pub use oplink_cpu_random as random;
#[cfg(feature = "reduction")]
pub use oplink_cpu_reduction as reduction;
#[cfg(feature = "signal")]
pub use oplink_cpu_signal as signal;
#[cfg(feature = "sparse")]
pub use oplink_cpu_sparse as sparse;
#[cfg(feature = "state")]
pub use oplink_cpu_state as state;
#[cfg(feature = "string")]
pub use oplink_cpu_string as string;
#[cfg(feature = "training")]
pub use oplink_cpu_training as training;

oplink::link!(oplink_ops);
#[cfg(feature = "array")]
oplink::link!(oplink_cpu_array);
#[cfg(feature = "control_flow")]
oplink::link!(oplink_cpu_control_flow);
#[cfg(feature = "data")]
oplink::link!(oplink_cpu_data);
#[cfg(feature = "decomposition")]
oplink::link!(oplink_cpu_decomposition);
#[cfg(feature = "image")]
oplink::link!(oplink_cpu_image);
#[cfg(feature = "io")]
oplink::link!(oplink_cpu_io);
#[cfg(feature = "linalg")]
oplink::link!(oplink_cpu_linalg);
#[cfg(feature = "math")]
oplink::link!(oplink_cpu_math);
#[cfg(feature = "nn")]
oplink::link!(oplink_cpu_nn);
#[cfg(feature = "random")]
oplink::link!(oplink_cpu_random);
#[cfg(feature = "reduction")]
oplink::link!(oplink_cpu_reduction);
#[cfg(feature = "signal")]
oplink::link!(oplink_cpu_signal);
#[cfg(feature = "sparse")]
oplink::link!(oplink_cpu_sparse);
#[cfg(feature = "state")]
oplink::link!(oplink_cpu_state);
#[cfg(feature = "string")]
oplink::link!(oplink_cpu_string);
#[cfg(feature = "training")]
oplink::link!(oplink_cpu_training);

oplink::anchor!(ops = 0, kernels = 0);
