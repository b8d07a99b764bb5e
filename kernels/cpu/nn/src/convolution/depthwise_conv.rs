//! `DepthwiseConv2dNative`, each channel of an image convolved with filters of its own, and its gradients.
//!
//! `output[b, y, x, c * m + q]` is the sum over `i, j` of
//! `input[b, y * stride + i * dilation - pad, x * …, c] * filter[i, j, c, q]`.
//! `input` is [batch, rows, columns, depth], `filter` is [rows, columns, depth, m], the output has depth * m channels.
//! The 16-bit floats are summed in f32. Of the gradients, `filter_sizes` and `input_sizes` hold the shape of what the
//! gradient is with respect to, `out_backprop` is the gradient of the convolution's output.

use super::depthwise::{Depthwise, DepthwiseFinish, convolve};
use super::depthwise_backprop::{backprop_filter, backprop_input};
use super::windowed::Windowed;
use oplink::prelude::*;
use oplink_cpu_contraction::computed::{computed_of, fill_computed};
use oplink_cpu_contraction::taps::TapElement;
use oplink_cpu_support::elementwise::{ComputeFloat, Computed};
use oplink_ops::nn::{
    DepthwiseConv2dNative, DepthwiseConv2dNativeBackpropFilter, DepthwiseConv2dNativeBackpropFilterInputs,
    DepthwiseConv2dNativeBackpropFilterOutputs, DepthwiseConv2dNativeBackpropInput,
    DepthwiseConv2dNativeBackpropInputInputs, DepthwiseConv2dNativeBackpropInputOutputs, DepthwiseConv2dNativeInputs,
    DepthwiseConv2dNativeOutputs,
};

/// `DepthwiseConv2dNative` over `NHWC` images.
#[kernel(DepthwiseConv2dNative, device = CPU, T = [floats])]
impl<T: Computed<ComputeType: ComputeFloat + TapElement>> Kernel for Windowed<DepthwiseConv2dNative, T> {
    type Op = DepthwiseConv2dNative;

    fn new(construction: Construction<'_, DepthwiseConv2dNative>) -> Result<Self> {
        Self::of(construction)
    }

    fn compute(
        &self,
        inputs: DepthwiseConv2dNativeInputs<'_>,
        outputs: &mut DepthwiseConv2dNativeOutputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        let (input, filter) = (&*inputs.input, &*inputs.filter);
        let geometry = Depthwise::new(&self.window, input.shape(), filter.shape())?;
        let output = outputs.output.allocate(geometry.output_shape())?;
        let (image, filter) = (computed_of(input.as_slice::<T>()?), computed_of(filter.as_slice::<T>()?));
        fill_computed(output.as_mut_slice::<T>()?, |out| {
            convolve(&env, &geometry, (&image, &filter), DepthwiseFinish::default(), out);
        });
        Ok(())
    }
}

/// `DepthwiseConv2dNativeBackpropFilter` over `NHWC` images.
#[kernel(DepthwiseConv2dNativeBackpropFilter, device = CPU, T = [floats])]
impl<T: Computed<ComputeType: ComputeFloat>> Kernel for Windowed<DepthwiseConv2dNativeBackpropFilter, T> {
    type Op = DepthwiseConv2dNativeBackpropFilter;

    fn new(construction: Construction<'_, DepthwiseConv2dNativeBackpropFilter>) -> Result<Self> {
        Self::of(construction)
    }

    fn compute(
        &self,
        inputs: DepthwiseConv2dNativeBackpropFilterInputs<'_>,
        outputs: &mut DepthwiseConv2dNativeBackpropFilterOutputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        let inputs = [&*inputs.input, &*inputs.filter_sizes, &*inputs.out_backprop];
        backprop_filter::<T>(&self.window, inputs, &mut outputs.output, &env)
    }
}

/// `DepthwiseConv2dNativeBackpropInput` over `NHWC` images.
#[kernel(DepthwiseConv2dNativeBackpropInput, device = CPU, T = [floats])]
impl<T: Computed<ComputeType: ComputeFloat>> Kernel for Windowed<DepthwiseConv2dNativeBackpropInput, T> {
    type Op = DepthwiseConv2dNativeBackpropInput;

    fn new(construction: Construction<'_, DepthwiseConv2dNativeBackpropInput>) -> Result<Self> {
        Self::of(construction)
    }

    fn compute(
        &self,
        inputs: DepthwiseConv2dNativeBackpropInputInputs<'_>,
        outputs: &mut DepthwiseConv2dNativeBackpropInputOutputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        let inputs = [&*inputs.input_sizes, &*inputs.filter, &*inputs.out_backprop];
        backprop_input::<T>(&self.window, inputs, &mut outputs.output, &env)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{Threads, run_in};

    fn values(shape: [usize; 4], seed: usize) -> Tensor {
        let count = shape.iter().product::<usize>();
        Tensor::from_vec(shape, (0..count).map(|i| ((i * 31 + seed) % 13) as f32 - 6.0).collect()).unwrap()
    }

    #[test]
    fn convolutions_agree_with_the_definition() {
        for (depth, multiplier, stride, dilation) in [(77, 1, 1, 1), (5, 3, 2, 1), (40, 1, 2, 1), (9, 1, 1, 2)] {
            let (x, w) = (values([2, 17, 13, depth], 1), values([3, 3, depth, multiplier], 4));
            let attrs = [
                ("strides", vec![1, stride, stride, 1].into()),
                ("dilations", vec![1, dilation, dilation, 1].into()),
                ("padding", "VALID".into()),
            ];
            let out =
                run_in(&Threads(3), "DepthwiseConv2dNative", &attrs, vec![x.clone(), w.clone()]).unwrap().remove(0);
            let (x, w) = (x.view::<f32, ndarray::Ix4>().unwrap(), w.view::<f32, ndarray::Ix4>().unwrap());
            let (stride, dilation) = (stride as usize, dilation as usize);
            for ((b, i, j, k), &value) in out.view::<f32, ndarray::Ix4>().unwrap().indexed_iter() {
                let taps = (0..9).map(|tap| (tap / 3, tap % 3));
                let (c, q) = (k / multiplier, k % multiplier);
                let products = taps
                    .map(|(r, s)| x[(b, i * stride + r * dilation, j * stride + s * dilation, c)] * w[(r, s, c, q)]);
                assert_eq!(value, products.sum::<f32>(), "depth {depth} x {multiplier} at {:?}", [b, i, j, k]);
            }
        }
    }
}
