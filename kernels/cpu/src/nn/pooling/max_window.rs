//! The largest value in each window: the forward pass of `MaxPool` and `MaxPoolV2`.

use num_traits::Bounded;
use oplink::{NodeInfo, prelude::*};

use super::pool::PoolWindow;
use crate::numeric::lanes::{fill_lanes, lanes_of};
use crate::support::elementwise::Lanes;

/// How a maximum pooling over images moves its window.
pub(super) enum MaxWindow {
    /// Along rows and columns.
    Image(PoolWindow),
    /// Over this many neighbouring channels.
    Channels(usize),
}

impl MaxWindow {
    /// For a window of size `ksize` that moves by `strides`.
    ///
    /// # Errors
    /// As for [`PoolWindow::of`]; a window over channels that does not take all of a channel group (code Unimplemented).
    pub(super) fn of(node: &NodeInfo, ksize: &[i64], strides: &[i64]) -> Result<Self> {
        let (sizes, steps) = (image_numbers(node, "ksize", ksize)?, image_numbers(node, "strides", strides)?);
        if (sizes[3], steps[3]) == (1, 1) || node.attr::<&str>("data_format")? != "NHWC" {
            return Ok(Self::Image(PoolWindow::of(node, ksize, strides)?));
        }
        if sizes[..3] != [1; 3] || sizes != steps {
            return Err(Error::unimplemented(format!(
                "{} takes its window either along rows and columns or along channels, where ksize equals strides; ksize \
                 is {sizes:?}, strides is {steps:?}",
                node.op.name
            )));
        }
        Ok(Self::Channels(sizes[3]))
    }

    /// Sets output 0 to the largest value in each window of input 0.
    pub(super) fn compute<T: Lanes<Lane: PartialOrd> + Bounded>(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let output = match self {
            Self::Image(window) => pool_image::<T>(context, window)?,
            Self::Channels(size) => pool_channels::<T>(context, *size)?,
        };
        context.set_output(0, output);
        Ok(())
    }
}

/// Four numbers > 0, the first of them 1.
fn image_numbers(node: &NodeInfo, name: &str, values: &[i64]) -> Result<[usize; 4]> {
    let op = &node.op.name;
    let Ok(values) = <[i64; 4]>::try_from(values) else {
        bail!("{name} of {op} must have 4 elements, it is {values:?}")
    };
    ensure!(values.iter().all(|&v| v > 0), "{name} of {op} must be > 0, it is {values:?}");
    if values[0] != 1 {
        return Err(Error::unimplemented(format!("{op} over the batch dimension: {name} is {values:?}")));
    }
    Ok(values.map(|v| v as usize))
}

fn larger<L: PartialOrd>(a: L, b: L) -> L {
    if b > a { b } else { a }
}

fn pool_image<T: Lanes<Lane: PartialOrd> + Bounded>(
    context: &KernelContext<'_>,
    window: &PoolWindow,
) -> Result<Tensor> {
    let input = context.input(0);
    ensure!(input.rank() == 4, "input must be of rank 4, its shape is {}", input.shape());
    let geometry = window.geometry(input.shape())?;
    let mut output = context.allocate_output(0, geometry.output_shape())?;
    let image = lanes_of(input.as_slice::<T>()?);
    fill_lanes(output.as_mut_slice::<T>()?, |out| {
        geometry.fold(context.env(), (&image, out), T::min_value().to_lane(), larger, |value, _| value);
    });
    Ok(output)
}

fn pool_channels<T: Lanes<Lane: PartialOrd> + Bounded>(context: &KernelContext<'_>, size: usize) -> Result<Tensor> {
    let input = context.input(0);
    let &[batch, rows, columns, channels] = input.shape().dims() else {
        bail!("input must be of rank 4, its shape is {}", input.shape())
    };
    if !channels.is_multiple_of(size) {
        return Err(Error::unimplemented(format!(
            "a window of {size} channels must evenly divide the {channels} channels"
        )));
    }
    let mut output = context.allocate_output(0, [batch, rows, columns, channels / size])?;
    for (out, values) in output.as_mut_slice::<T>()?.iter_mut().zip(input.as_slice::<T>()?.chunks_exact(size)) {
        *out = T::from_lane(values.iter().fold(T::min_value().to_lane(), |a, b| larger(a, b.to_lane())));
    }
    Ok(output)
}
