//! The gradients of `Conv2D` and `Conv3D` with respect to the filter and to the input.
//!
//! `filter_sizes` holds the filter's shape [rows, columns, depth / groups, out_depth], `input_sizes` the input's shape
//! [batch, rows, columns, depth], or of images its rows and columns alone; volumes have planes before the rows.
//! `out_backprop` is the gradient of the convolution's output. The attrs are the convolution's. The 16-bit floats are
//! summed in f32, integers wrap. Zeros where the other input is empty.

use super::windowed::Windowed;
use super::{backprop_filter, backprop_input};
use oplink::prelude::*;
use oplink_cpu_contraction::tile::TileElement;
use oplink_cpu_support::elementwise::Computed;
use oplink_ops::nn::{
    Conv2DBackpropFilter, Conv2DBackpropFilterInputs, Conv2DBackpropFilterOutputs, Conv2DBackpropInput,
    Conv2DBackpropInputInputs, Conv2DBackpropInputOutputs, Conv3DBackpropFilterV2, Conv3DBackpropFilterV2Inputs,
    Conv3DBackpropFilterV2Outputs, Conv3DBackpropInputV2, Conv3DBackpropInputV2Inputs, Conv3DBackpropInputV2Outputs,
};

/// `Conv2DBackpropFilter` over images with the channels last.
#[kernel(Conv2DBackpropFilter, device = CPU, T = [floats])]
impl<T: Computed<ComputeType: TileElement>> Kernel for Windowed<Conv2DBackpropFilter, T> {
    type Op = Conv2DBackpropFilter;

    fn new(construction: Construction<'_, Conv2DBackpropFilter>) -> Result<Self> {
        Self::of(construction)
    }

    fn compute(
        &self,
        inputs: Conv2DBackpropFilterInputs<'_>,
        outputs: &mut Conv2DBackpropFilterOutputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        let inputs = [&*inputs.input, &*inputs.filter_sizes, &*inputs.out_backprop];
        backprop_filter::compute::<T>((&self.window, self.filter.winograd()), inputs, &mut outputs.output, &env)
    }
}

/// `Conv3DBackpropFilterV2` over volumes with the channels last.
#[kernel(Conv3DBackpropFilterV2, device = CPU, T = [floats])]
impl<T: Computed<ComputeType: TileElement>> Kernel for Windowed<Conv3DBackpropFilterV2, T> {
    type Op = Conv3DBackpropFilterV2;

    fn new(construction: Construction<'_, Conv3DBackpropFilterV2>) -> Result<Self> {
        Self::of(construction)
    }

    fn compute(
        &self,
        inputs: Conv3DBackpropFilterV2Inputs<'_>,
        outputs: &mut Conv3DBackpropFilterV2Outputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        let inputs = [&*inputs.input, &*inputs.filter_sizes, &*inputs.out_backprop];
        backprop_filter::compute::<T>((&self.window, self.filter.winograd()), inputs, &mut outputs.output, &env)
    }
}

/// `Conv2DBackpropInput` over images with the channels last.
#[kernel(Conv2DBackpropInput, device = CPU, T = [floats, i32])]
impl<T: Computed<ComputeType: TileElement>> Kernel for Windowed<Conv2DBackpropInput, T> {
    type Op = Conv2DBackpropInput;

    fn new(construction: Construction<'_, Conv2DBackpropInput>) -> Result<Self> {
        Self::of(construction)
    }

    fn compute(
        &self,
        inputs: Conv2DBackpropInputInputs<'_>,
        outputs: &mut Conv2DBackpropInputOutputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        let inputs = [&*inputs.input_sizes, &*inputs.filter, &*inputs.out_backprop];
        backprop_input::compute::<T>((&self.window, self.filter.winograd()), inputs, &mut outputs.output, &env)
    }
}

/// `Conv3DBackpropInputV2` over volumes with the channels last.
#[kernel(Conv3DBackpropInputV2, device = CPU, T = [floats], Tshape = [i32, i64])]
impl<T: Computed<ComputeType: TileElement>> Kernel for Windowed<Conv3DBackpropInputV2, T> {
    type Op = Conv3DBackpropInputV2;

    fn new(construction: Construction<'_, Conv3DBackpropInputV2>) -> Result<Self> {
        Self::of(construction)
    }

    fn compute(
        &self,
        inputs: Conv3DBackpropInputV2Inputs<'_>,
        outputs: &mut Conv3DBackpropInputV2Outputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        let inputs = [&*inputs.input_sizes, &*inputs.filter, &*inputs.out_backprop];
        backprop_input::compute::<T>((&self.window, self.filter.winograd()), inputs, &mut outputs.output, &env)
    }
}
