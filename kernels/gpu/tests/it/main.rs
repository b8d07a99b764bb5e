//! The kernels on a device, against those of the CPU.
