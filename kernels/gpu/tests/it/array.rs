//! The kernels of `array`.
