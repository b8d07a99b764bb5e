//! `MaxPool`, `MaxPoolV2` and `MaxPool3D`: the largest value in each window of an image or a volume.
//!
//! `input` is [batch, rows, columns, channels], with planes before the rows of volumes. Over images the window moves
//! along rows and columns, or along channels alone (then it takes all of a channel group: `ksize` equals `strides` and
//! divides the channels). Padding counts as no value. A window without a larger value gives the smallest finite one.
//! NaN is passed over, but in volumes a NaN is kept where it is a window's last value. The V2 op has `ksize` and
//! `strides` as inputs, vectors of a number for each axis of `input`.

use super::pool::{PoolWindow, Pooled, larger, largest_values, largest_values_or_last};
use num_traits::Bounded;
use oplink::shape_inference::int_values;
use oplink::{KernelEnv, prelude::*};
use oplink_cpu_contraction::computed::{computed_of, fill_computed};
use oplink_cpu_support::elementwise::Computed;
use oplink_ops::attrs::{AxisOrder, PackedFormat, Padding};
use oplink_ops::nn::window::WindowAttrs;
use oplink_ops::nn::{MaxPool, MaxPool3D, MaxPool3DInputs, MaxPool3DOutputs, MaxPoolInputs, MaxPoolOutputs, MaxPoolV2};
use std::marker::PhantomData;

/// `MaxPool` with the channels last.
pub struct MaxPoolCpu<T> {
    window: MaxWindow,
    element: PhantomData<fn() -> T>,
}

#[kernel(MaxPool, device = CPU, T = [floats, i8, i16, i32, i64, u8, u16])]
impl<T: Computed<ComputeType: PartialOrd> + Bounded> Kernel for MaxPoolCpu<T> {
    type Op = MaxPool;

    fn new(construction: Construction<'_, MaxPool>) -> Result<Self> {
        let window = MaxWindow::new(&construction.node().op.name, &construction.attrs.into())?;
        Ok(Self { window, element: PhantomData })
    }

    fn compute(&self, inputs: MaxPoolInputs<'_>, outputs: &mut MaxPoolOutputs<'_>, env: Env<'_>) -> Result<()> {
        self.window.compute::<T>(&inputs.input, &mut outputs.output, &env)
    }
}

/// `MaxPoolV2` with the channels last.
#[kernel(MaxPoolV2, device = CPU, T = [floats, i8, i16, i32, i64, u8, u16])]
pub fn max_pool_v2_cpu<T: Computed<ComputeType: PartialOrd> + Bounded>(
    input: &Tensor,
    ksize: &Tensor,
    strides: &Tensor,
    padding: Padding,
    data_format: PackedFormat,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (ksize, strides) = (int_values(ksize)?, int_values(strides)?);
    let attrs = WindowAttrs {
        ksize: &ksize,
        strides: &strides,
        padding: padding.into(),
        data_format: data_format.into(),
        ..WindowAttrs::NONE
    };
    MaxWindow::new(&env.node().op.name, &attrs)?.compute::<T>(input, &mut output, &env)
}

/// `MaxPool3D` with the channels last.
#[kernel(MaxPool3D, device = CPU, T = [bf16, f32])]
impl<T: Computed<ComputeType: PartialOrd> + Bounded> Kernel for Pooled<MaxPool3D, T> {
    type Op = MaxPool3D;

    fn new(construction: Construction<'_, MaxPool3D>) -> Result<Self> {
        Self::of(construction)
    }

    fn compute(&self, inputs: MaxPool3DInputs<'_>, outputs: &mut MaxPool3DOutputs<'_>, env: Env<'_>) -> Result<()> {
        let input = &*inputs.input;
        ensure!(input.rank() == 5, "input must be of rank 5, its shape is {}", input.shape());
        let geometry = self.window.geometry(input.shape())?;
        let output = outputs.output.allocate(geometry.output_shape())?;
        let image = computed_of(input.as_slice::<T>()?);
        fill_computed(output.as_mut_slice::<T>()?, |out| {
            largest_values_or_last(&geometry, &env, (&image, out), T::min_value().to_computed());
        });
        Ok(())
    }
}

/// How a maximum pooling over images moves its window.
enum MaxWindow {
    /// Along rows and columns.
    Image(PoolWindow),
    /// Over this many neighbouring channels.
    Channels(usize),
}

impl MaxWindow {
    /// For the attrs of the op `op`.
    ///
    /// # Errors
    /// As for [`PoolWindow::channels_last`]; a window over channels that does not take all of a channel group (code
    /// Unimplemented).
    fn new(op: &str, attrs: &WindowAttrs<'_>) -> Result<Self> {
        let sizes = image_numbers(op, "ksize", attrs.ksize)?;
        let steps = image_numbers(op, "strides", attrs.strides)?;
        if (sizes[3], steps[3]) == (1, 1) || attrs.data_format != AxisOrder::Nhwc {
            return Ok(Self::Image(PoolWindow::channels_last(op, attrs)?));
        }
        if sizes[..3] != [1; 3] || sizes != steps {
            return Err(Error::unimplemented(format!(
                "{op} takes its window either along rows and columns or along channels, where ksize equals strides; ksize \
                 is {sizes:?}, strides is {steps:?}"
            )));
        }
        Ok(Self::Channels(sizes[3]))
    }

    /// Sets `output` to the largest value in each window of `input`.
    fn compute<T: Computed<ComputeType: PartialOrd> + Bounded>(
        &self,
        input: &Tensor,
        output: &mut OutputSlot<'_>,
        env: &dyn KernelEnv,
    ) -> Result<()> {
        match self {
            Self::Image(window) => pool_image::<T>(window, input, output, env),
            Self::Channels(size) => pool_channels::<T>(*size, input, output),
        }
    }
}

/// Four numbers > 0, the first of them 1.
fn image_numbers(op: &str, name: &str, values: &[i64]) -> Result<[usize; 4]> {
    let Ok(values) = <[i64; 4]>::try_from(values) else {
        bail!("{name} of {op} must have 4 elements, it is {values:?}")
    };
    ensure!(values.iter().all(|&v| v > 0), "{name} of {op} must be > 0, it is {values:?}");
    if values[0] != 1 {
        return Err(Error::unimplemented(format!("{op} over the batch dimension: {name} is {values:?}")));
    }
    Ok(values.map(|v| v as usize))
}

fn pool_image<T: Computed<ComputeType: PartialOrd> + Bounded>(
    window: &PoolWindow,
    input: &Tensor,
    output: &mut OutputSlot<'_>,
    env: &dyn KernelEnv,
) -> Result<()> {
    ensure!(input.rank() == 4, "input must be of rank 4, its shape is {}", input.shape());
    let geometry = window.geometry(input.shape())?;
    let output = output.allocate(geometry.output_shape())?;
    let image = computed_of(input.as_slice::<T>()?);
    fill_computed(output.as_mut_slice::<T>()?, |out| {
        largest_values(&geometry, env, (&image, out), T::min_value().to_computed());
    });
    Ok(())
}

fn pool_channels<T: Computed<ComputeType: PartialOrd> + Bounded>(
    size: usize,
    input: &Tensor,
    output: &mut OutputSlot<'_>,
) -> Result<()> {
    let &[batch, rows, columns, channels] = input.shape().dims() else {
        bail!("input must be of rank 4, its shape is {}", input.shape())
    };
    if !channels.is_multiple_of(size) {
        return Err(Error::unimplemented(format!(
            "a window of {size} channels must evenly divide the {channels} channels"
        )));
    }
    let output = output.allocate([batch, rows, columns, channels / size])?;
    for (out, values) in output.as_mut_slice::<T>()?.iter_mut().zip(input.as_slice::<T>()?.chunks_exact(size)) {
        *out = T::from_computed(values.iter().fold(T::min_value().to_computed(), |a, b| larger(a, b.to_computed())));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    fn pool(values: Vec<f32>, shape: [usize; 4], size: [i64; 4], padding: &str) -> Result<Vec<f32>> {
        let attrs = [("ksize", size.to_vec().into()), ("strides", size.to_vec().into()), ("padding", padding.into())];
        let out = run("MaxPool", &attrs, vec![Tensor::from_vec(shape, values)?])?;
        Ok(out[0].as_slice()?.to_vec())
    }

    fn count(n: u8) -> Vec<f32> {
        (0..n).map(f32::from).collect()
    }

    #[test]
    fn windows() {
        assert_eq!(pool(count(9), [1, 3, 3, 1], [1, 2, 2, 1], "SAME").unwrap(), [4.0, 5.0, 7.0, 8.0]);
        assert_eq!(pool(count(9), [1, 3, 3, 1], [1, 2, 2, 1], "VALID").unwrap(), [4.0]);
        assert_eq!(pool(count(8), [1, 1, 2, 4], [1, 1, 1, 2], "VALID").unwrap(), [1.0, 3.0, 5.0, 7.0]);
        assert_eq!(pool(vec![1.0, f32::NAN, 2.0, 3.0], [1, 2, 2, 1], [1, 2, 2, 1], "VALID").unwrap(), [3.0]);
        assert_eq!(pool(vec![f32::NEG_INFINITY; 4], [1, 2, 2, 1], [1, 2, 2, 1], "VALID").unwrap(), [f32::MIN]);
        assert!(pool(count(8), [1, 1, 2, 4], [1, 1, 1, 3], "VALID").is_err());
        assert!(pool(count(8), [1, 1, 2, 4], [1, 1, 2, 2], "VALID").is_err());
        assert!(pool(count(8), [2, 1, 1, 4], [2, 1, 1, 1], "VALID").is_err());
    }
}
