//! Runs a graph with the kernels of an explicit list: those that the digits model needs.
#![forbid(unsafe_code)]

use std::process::ExitCode;
use std::sync::Arc;

use oplink::core::RegistryBuilder;
use oplink_kernels_cpu::array::{constant, identity, pack, reshaping, shape, strided_slice};
use oplink_kernels_cpu::math::{binary, conversion};
use oplink_kernels_cpu::{linalg, nn, reduction};
use oplink_ops::{
    _FusedConv2D, _FusedMatMul, ArgMax, BiasAdd, Cast, Const, Conv2D, Identity, MatMul, MaxPool, NoOp, Pack, Placeholder,
    PlaceholderV2, PlaceholderWithDefault, PreventGradient, RealDiv, Relu, Reshape, Shape, Snapshot, Softmax, Squeeze,
    StopGradient, StridedSlice,
};

oplink::library! {
    DIGITS;
    ops::{
        Const, Identity, NoOp, Pack, Placeholder, Reshape, Shape, Squeeze, StridedSlice, MatMul, _FusedMatMul, Cast, RealDiv,
        BiasAdd, Conv2D, MaxPool, Relu, Softmax, _FusedConv2D, ArgMax,
        // Ops that kernels of the list serve beside those of the model.
        PlaceholderV2, PlaceholderWithDefault, PreventGradient, Snapshot, StopGradient,
    },
    kernels::{
        binary::real_div_cpu, constant::const_cpu, conversion::cast_cpu, identity::identity_cpu, linalg::{matmul_cpu, FusedMatMulCpu},
        identity::no_op_cpu, nn::{bias_add_cpu, relu_cpu, softmax_cpu, Conv2dCpu, FusedConv2dCpu, MaxPoolCpu}, pack::pack_cpu,
        constant::placeholder_cpu, reduction::arg_max_cpu, reshaping::reshape_cpu, shape::shape_cpu,
        reshaping::squeeze_cpu, strided_slice::strided_slice_cpu,
    },
}

fn main() -> ExitCode {
    size_runner::main(RegistryBuilder::empty().library(&DIGITS).seal().map(Arc::new))
}
