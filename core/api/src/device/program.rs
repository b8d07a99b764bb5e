//! Kernels as text for GPUs: what an expansion leaves, and what it is launched with.

use crate::descriptor::Location;
use crate::{DType, Tensor};

/// A kernel's text for GPUs, made at expansion.
#[derive(Debug)]
pub struct DeviceProgram {
    /// The op and the Rust function, for messages and for caches of compiled programs.
    pub name: &'static str,
    /// The function that is launched.
    pub entry: &'static str,
    /// CUDA C++; empty where the program is not for CUDA.
    pub cuda: &'static str,
    /// WGSL; empty where the program is not for wgpu.
    pub wgsl: &'static str,
    /// What the function takes, in order.
    pub params: &'static [ProgramParam],
    /// Threads of a block (CUDA), the workgroup's size (WGSL).
    pub block: [u32; 3],
    /// What the device must be able to do.
    pub needs: &'static [ProgramFeature],
    /// Where the kernel is declared.
    pub location: Location,
}

/// One parameter of a program. Buffers have a binding each in WGSL; scalars stand in one uniform block, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProgramParam {
    /// A buffer that is read.
    Input(DType),
    /// A buffer that is written.
    Output(DType),
    /// A buffer that is read and written.
    InOut(DType),
    /// A value.
    Scalar(DType),
}

/// What a device may lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ProgramFeature {
    /// Arithmetic of 16-bit floats.
    F16,
    /// Arithmetic of bfloat16.
    BF16,
    /// Arithmetic of 64-bit floats.
    F64,
    /// Arithmetic of 64-bit integers.
    I64,
    /// Operations across the threads of a subgroup (a warp).
    Subgroups,
    /// Atomic operations on buffers.
    Atomics,
}

/// An argument of a launch, of the kind of its parameter.
#[derive(Clone, Copy, Debug)]
pub enum ProgramArg<'a> {
    /// A tensor in the device's memory.
    Buffer(&'a Tensor),
    /// A value.
    Scalar(ScalarValue),
}

/// A value that a launch passes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ScalarValue {
    /// A 32-bit signed integer.
    I32(i32),
    /// A 32-bit unsigned integer.
    U32(u32),
    /// A 64-bit signed integer.
    I64(i64),
    /// A 64-bit unsigned integer.
    U64(u64),
    /// A 32-bit float.
    F32(f32),
    /// A 64-bit float.
    F64(f64),
    /// The bits of a 16-bit float.
    F16(u16),
}

impl ScalarValue {
    /// The dtype of a parameter that takes the value.
    pub fn dtype(self) -> DType {
        match self {
            Self::I32(_) => DType::Int32,
            Self::U32(_) => DType::UInt32,
            Self::I64(_) => DType::Int64,
            Self::U64(_) => DType::UInt64,
            Self::F32(_) => DType::Float,
            Self::F64(_) => DType::Double,
            Self::F16(_) => DType::Half,
        }
    }
}
