//! The kernels of `control_flow`.
