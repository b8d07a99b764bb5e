//! Runs a graph with the kernels of an explicit list: those that the digits model needs.
#![forbid(unsafe_code)]

use std::process::ExitCode;
use std::sync::Arc;

use oplink::runtime::RegistryBuilder;
use oplink_kernels_cpu::math::conversion;
use oplink_kernels_cpu::{array, linalg, nn, reduction};
use oplink_kernels_elementwise::{activations, arithmetic};
use oplink_ops::{
    _FusedConv2D, _FusedMatMul, ArgMax, BiasAdd, BiasAddV1, Cast, Const, Conv2D, Div, Identity, MatMul, MaxPool, NoOp, Pack,
    Placeholder, PlaceholderV2, PlaceholderWithDefault, PreventGradient, RealDiv, Relu, Reshape, Shape, Snapshot, Softmax,
    Squeeze, StopGradient, StridedSlice,
};

oplink::library! {
    DIGITS;
    ops::{
        Const, Identity, NoOp, Pack, Placeholder, Reshape, Shape, Squeeze, StridedSlice, MatMul, _FusedMatMul, Cast, RealDiv,
        BiasAdd, Conv2D, MaxPool, Relu, Softmax, _FusedConv2D, ArgMax,
        // Ops that kernels of the list serve beside those of the model.
        BiasAddV1, Div, PlaceholderV2, PlaceholderWithDefault, PreventGradient, Snapshot, StopGradient,
    },
    kernels::{
        array::{
            const_cpu, identity_cpu, no_op_cpu, pack_cpu, placeholder_cpu, reshape_cpu, shape_cpu, squeeze_cpu,
            strided_slice_cpu,
        },
        conversion::cast_cpu,
        linalg::{FusedMatMulCpu, MatMulCpu},
        nn::{bias::bias_add_cpu, convolution::{conv::Conv2dCpu, fused::FusedConv2dCpu}, pooling::max::MaxPoolCpu, softmax_cpu},
        reduction::arg_max_cpu,
        activations::relu, arithmetic::quotient,
    },
}

fn main() -> ExitCode {
    size_runner::main(RegistryBuilder::empty().library(&DIGITS).seal().map(Arc::new))
}
