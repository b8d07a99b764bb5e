//! Runs a graph with the kernels of an explicit list: those that the digits model needs.
#![forbid(unsafe_code)]

use std::process::ExitCode;
use std::sync::Arc;

use oplink::core::RegistryBuilder;
use oplink_kernels_cpu::array::{constant, identity, no_op, pack, placeholder, reshape, shape, squeeze, strided_slice};
use oplink_kernels_cpu::math::{binary, conversion};
use oplink_kernels_cpu::{linalg, nn, reduction};

oplink::library! {
    DIGITS;
    ops::{
        binary::RealDiv, constant::Const, conversion::Cast, identity::Identity, linalg::{MatMul, _FusedMatMul}, no_op::NoOp,
        nn::{BiasAdd, Conv2D, MaxPool, Relu, Softmax, _FusedConv2D}, pack::Pack, placeholder::Placeholder, reduction::ArgMax,
        reshape::Reshape, shape::Shape, squeeze::Squeeze, strided_slice::StridedSlice,
    },
    kernels::{
        binary::real_div_cpu, constant::const_cpu, conversion::cast_cpu, identity::identity_cpu, linalg::{matmul_cpu, FusedMatMulCpu},
        no_op::no_op_cpu, nn::{bias_add_cpu, relu_cpu, softmax_cpu, Conv2dCpu, FusedConv2dCpu, MaxPoolCpu}, pack::pack_cpu,
        placeholder::placeholder_cpu, reduction::arg_max_cpu, reshape::reshape_cpu, shape::shape_cpu,
        squeeze::squeeze_cpu, strided_slice::strided_slice_cpu,
    },
}

fn main() -> ExitCode {
    size_runner::main(RegistryBuilder::empty().library(&DIGITS).seal().map(Arc::new))
}
