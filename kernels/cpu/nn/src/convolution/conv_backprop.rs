//! The gradients of `Conv2D` and `Conv3D` with respect to the filter and to the input.
//!
//! `filter_sizes` holds the filter's shape [rows, columns, depth / groups, out_depth], `input_sizes` the input's shape
//! [batch, rows, columns, depth], or of images its rows and columns alone; volumes have planes before the rows.
//! `out_backprop` is the gradient of the convolution's output. The attrs are the convolution's. The 16-bit floats are
//! summed in f32, integers wrap. Zeros where the other input is empty. `Conv3DBackpropFilter` and `Conv3DBackpropInput`
//! have a tensor of the wanted shape in the place of sizes.

use super::windowed::Windowed;
use super::{backprop_filter, backprop_input};
use oplink::prelude::*;
use oplink_cpu_contraction::tile::TileElement;
use oplink_cpu_support::elementwise::Computed;
use oplink_ops::nn::{
    Conv2DBackpropFilter, Conv2DBackpropFilterInputs, Conv2DBackpropFilterOutputs, Conv2DBackpropInput,
    Conv2DBackpropInputInputs, Conv2DBackpropInputOutputs, Conv3DBackpropFilter, Conv3DBackpropFilterInputs,
    Conv3DBackpropFilterOutputs, Conv3DBackpropFilterV2, Conv3DBackpropFilterV2Inputs, Conv3DBackpropFilterV2Outputs,
    Conv3DBackpropInput, Conv3DBackpropInputInputs, Conv3DBackpropInputOutputs, Conv3DBackpropInputV2,
    Conv3DBackpropInputV2Inputs, Conv3DBackpropInputV2Outputs,
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

/// The shape of a volume or of a filter of volumes, as sizes.
fn sizes_of(tensor: &Tensor, name: &str) -> Result<Tensor> {
    ensure!(tensor.rank() == 5, "{name} must be of rank 5, its shape is {}", tensor.shape());
    Ok(Tensor::from_slice(&tensor.shape().iter().map(|&extent| extent as i64).collect::<Vec<_>>()))
}

/// `Conv3DBackpropFilter` over volumes with the channels last.
#[kernel(Conv3DBackpropFilter, device = CPU, T = [f16, f32, f64])]
impl<T: Computed<ComputeType: TileElement>> Kernel for Windowed<Conv3DBackpropFilter, T> {
    type Op = Conv3DBackpropFilter;

    fn new(construction: Construction<'_, Conv3DBackpropFilter>) -> Result<Self> {
        Self::of(construction)
    }

    fn compute(
        &self,
        inputs: Conv3DBackpropFilterInputs<'_>,
        outputs: &mut Conv3DBackpropFilterOutputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        let sizes = sizes_of(&inputs.filter, "filter")?;
        let inputs = [&*inputs.input, &sizes, &*inputs.out_backprop];
        backprop_filter::compute::<T>((&self.window, self.filter.winograd()), inputs, &mut outputs.output, &env)
    }
}

/// `Conv3DBackpropInput` over volumes with the channels last.
#[kernel(Conv3DBackpropInput, device = CPU, T = [f16, f32, f64])]
impl<T: Computed<ComputeType: TileElement>> Kernel for Windowed<Conv3DBackpropInput, T> {
    type Op = Conv3DBackpropInput;

    fn new(construction: Construction<'_, Conv3DBackpropInput>) -> Result<Self> {
        Self::of(construction)
    }

    fn compute(
        &self,
        inputs: Conv3DBackpropInputInputs<'_>,
        outputs: &mut Conv3DBackpropInputOutputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        let sizes = sizes_of(&inputs.input, "input")?;
        let inputs = [&sizes, &*inputs.filter, &*inputs.out_backprop];
        backprop_input::compute::<T>((&self.window, self.filter.winograd()), inputs, &mut outputs.output, &env)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    #[test]
    fn tensors_stand_for_their_shapes() {
        let tensor = |shape: [usize; 5], modulus: usize| {
            let values = (0..shape.iter().product()).map(|i| (i % modulus) as f32).collect();
            Tensor::from_vec(shape, values).unwrap()
        };
        let (volume, filter) = (tensor([1, 2, 3, 3, 2], 7), tensor([2, 2, 2, 2, 3], 5));
        let gradient = tensor([1, 1, 2, 2, 3], 3);
        let attrs = [("strides", vec![1; 5].into()), ("padding", "VALID".into())];
        let inputs = vec![volume.clone(), filter.clone(), gradient.clone()];
        let sizes = |tensor: &Tensor| sizes_of(tensor, "tensor").unwrap();
        for (op, second, of_second) in [
            (
                "Conv3DBackpropFilter",
                "Conv3DBackpropFilterV2",
                vec![volume.clone(), to_i32(&sizes(&filter)), gradient.clone()],
            ),
            ("Conv3DBackpropInput", "Conv3DBackpropInputV2", vec![sizes(&volume), filter.clone(), gradient.clone()]),
        ] {
            let out = run(op, &attrs, inputs.clone()).unwrap().remove(0);
            let expected = run(second, &attrs, of_second).unwrap().remove(0);
            assert_eq!((out.shape(), out.as_bytes().unwrap()), (expected.shape(), expected.as_bytes().unwrap()));
        }
        for (op, expected) in [
            ("Conv3DBackpropInput", [5.0, 4.0, 13.0, 6.0, 8.0, 2.0, 16.0, 9.0]),
            ("Conv3DBackpropFilter", [0.0, 9.0, 18.0, 0.0, 6.0, 12.0, 0.0, 10.0]),
        ] {
            let out = run(op, &attrs, inputs.clone()).unwrap().remove(0);
            assert_eq!(out.as_slice::<f32>().unwrap()[..8], expected);
        }
        let image = Tensor::from_vec([1, 2, 3, 2], vec![0f32; 12]).unwrap();
        assert!(run("Conv3DBackpropInput", &attrs, vec![image, filter, gradient]).is_err());
    }

    fn to_i32(sizes: &Tensor) -> Tensor {
        Tensor::from_slice(&sizes.as_slice::<i64>().unwrap().iter().map(|&size| size as i32).collect::<Vec<_>>())
    }
}
