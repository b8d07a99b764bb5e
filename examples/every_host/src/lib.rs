//! Ops that TensorFlow, oplink, PyTorch, JAX and ONNX Runtime load from one file.
//!
//! `cargo build --release` makes `target/release/libmy_ops.so`. `tests/hosts/run` runs every op in every host.
#![forbid(unsafe_code)]

mod attrs;
mod elementwise;
mod gpu;
mod matrix;
mod reduce;
mod rows;
mod state;
mod strings;

use oplink::prelude::*;
use oplink_kernels_elementwise::arithmetic;
use oplink_ops::{Mul, Square, Sub};

library! {
    pub MY_OPS;
    ops::{
        attrs::{DescribeAttrs, ConvertTo, FullOf},
        elementwise::{PlainAdd, ScaleShift, Squash},
        matrix::{MatVec, OuterProduct, LargestOfRows},
        reduce::{RowSums, SpreadRows, MeanVariance},
        rows::{JoinRows, SplitRows, NonZeroRows},
        state::{LookUp, CountCalls, NoiseLike, FailAbove},
        strings::JoinTexts,
    },
    kernels::{
        attrs::{describe_attrs, convert_to, full_of},
        elementwise::{plain_add, scale_shift, squash},
        gpu::{plain_add_gpu, row_sums_gpu},
        matrix::{mat_vec, outer_product, largest_of_rows},
        reduce::{row_sums, spread_rows, mean_variance},
        rows::{join_rows, split_rows, non_zero_rows},
        state::{Table, Counter, Noise, fail_above},
        strings::join_texts,
    },
    gradients::{
        elementwise::{plain_add_gradient, scale_shift_gradient, squash_gradient},
        matrix::{mat_vec_gradient, outer_product_gradient},
        reduce::{row_sums_gradient, spread_rows_gradient},
        rows::{join_rows_gradient, split_rows_gradient},
    },
}

// Ops of TensorFlow that gradients are made of, with kernels for the hosts that are no TensorFlow.
library! {
    FOR_GRADIENTS;
    ops::{Mul, Square, Sub},
    kernels::arithmetic::{difference, product, square},
}

plugin! { MY_OPS; gradient_ops: FOR_GRADIENTS }
