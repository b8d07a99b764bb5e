//! Calls into the libraries of CUDA.
//!
//! Contract of this folder: a library is called only after it was found (a missing one is a panic in cudarc), and the
//! driver only where it is not too old for the functions that are used. Handles are those of owners that are alive,
//! every call is made with the GPU's context current on the thread, and whoever enqueues work keeps its memory until an
//! event behind that work has passed. Functions of this folder that take addresses rely on their callers for that.
#![allow(unsafe_code, reason = "room: calls into the libraries of CUDA")]

mod copies;
mod cublaslt;
mod cudnn;
mod graph;
mod memory;

pub(super) use copies::{in_device, launch, to_device, to_host};
pub(super) use cublaslt::{CublasLt, Operands};
pub(super) use cudnn::{
    Algorithm as ConvolutionAlgorithm, Cudnn, Plan as ConvolutionPlan, Tensors as ConvolutionTensors,
    version as cudnn_version,
};
pub(super) use graph::Graph;
pub(super) use memory::{DeviceRegions, PinnedPages};
