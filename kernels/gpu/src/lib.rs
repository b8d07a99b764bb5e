//! Kernels for GPUs, a module and Cargo feature a family, a file an op or a group of alike ops. The ops are those of
//! `oplink-kernels-cpu`.
#![forbid(unsafe_code)]
