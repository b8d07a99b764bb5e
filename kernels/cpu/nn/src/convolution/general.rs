//! `Conv`: the convolution of images or volumes with any number of batch axes, as `Conv2D` or `Conv3D` of one.

use super::constant_filter::FilterState;
use super::conv;
use super::geometry::Geometry;
use oplink::prelude::*;
use oplink_cpu_contraction::tile::TileElement;
use oplink_cpu_support::elementwise::Computed;
use oplink_ops::attrs::WindowPadding;
use oplink_ops::nn::window::{Window, WindowAttrs};
use oplink_ops::nn::{Conv, ConvDataFormat, ConvInputs, ConvOutputs};
use std::marker::PhantomData;

/// `Conv` over images or volumes with the channels last.
pub struct ConvCpu<T> {
    window: Window,
    /// The rank of images or volumes with one batch axis.
    rank: usize,
    batch_dims: usize,
    filter: FilterState,
    element: PhantomData<fn() -> T>,
}

#[kernel(Conv, device = CPU, T = [floats, i32])]
impl<T: Computed<ComputeType: TileElement>> Kernel for ConvCpu<T> {
    type Op = Conv;

    fn new(construction: Construction<'_, Conv>) -> Result<Self> {
        let attrs = construction.attrs;
        let (strides, padding, explicit_paddings) = (attrs.strides, attrs.padding, attrs.explicit_paddings);
        let (rank, dilations) = (strides.len(), attrs.dilations);
        ensure!(matches!(rank, 4 | 5), "strides must have 4 or 5 elements, they are {strides:?}");
        ensure!(
            dilations.is_empty() || dilations.len() == rank,
            "dilations must have as many elements as strides, they are {dilations:?}"
        );
        ensure!(
            rank == 4 || padding != WindowPadding::Explicit,
            "explicit_paddings are for images alone, the strides {strides:?} are those of volumes"
        );
        let Ok(batch_dims) = usize::try_from(attrs.batch_dims) else {
            bail!("batch_dims must be >= 0, it is {}", attrs.batch_dims)
        };
        ensure!(attrs.groups > 0, "groups must be > 0, it is {}", attrs.groups);
        if attrs.groups > 1 || attrs.data_format != ConvDataFormat::ChannelsLast {
            let message = "Conv on the CPU takes groups = 1 and data_format = CHANNELS_LAST alone";
            return Err(Error::unimplemented(message));
        }
        let dilations = Some(dilations).filter(|dilations| !dilations.is_empty());
        let window = WindowAttrs { strides, dilations, padding, explicit_paddings, ..WindowAttrs::NONE };
        Ok(Self {
            window: Window::channels_last(&construction.node().op.name, &window)?,
            rank,
            batch_dims,
            filter: FilterState::of_node(&construction),
            element: PhantomData,
        })
    }

    fn compute(&self, inputs: ConvInputs<'_>, outputs: &mut ConvOutputs<'_>, env: Env<'_>) -> Result<()> {
        let (input, filter) = (&*inputs.input, &*inputs.filter);
        ensure!(
            input.rank() + 1 == self.batch_dims.saturating_add(self.rank),
            "input must have {} axes beside {} of batches, its shape is {}",
            self.rank - 1,
            self.batch_dims,
            input.shape()
        );
        ensure!(filter.num_elements() > 0, "the filter must not be empty, its shape is {}", filter.shape());
        let (batches, image) = input.shape().split_at(self.batch_dims);
        let flat: Shape = std::iter::once(batches.iter().product()).chain(image.iter().copied()).collect();
        let geometry = Geometry::new(&self.window, &flat, filter.shape())?;
        ensure!(geometry.groups == 1, "the depth of the filter must be that of the input, {}", geometry.depth);
        let of_image = geometry.output_shape(self.rank);
        let shape: Shape = batches.iter().chain(&of_image[1..]).copied().collect();
        let (images, known) = (input.clone().with_shape(flat)?, self.filter.of(filter));
        conv::compute::<T>(&geometry, &images, (filter, known), outputs.output.allocate(shape)?, &env)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    fn values(shape: &[usize]) -> Tensor {
        let count = shape.iter().product::<usize>();
        Tensor::from_vec(shape, (0..count).map(|i| (i % 11) as f32).collect()).unwrap()
    }

    fn attrs(rank: usize, more: &[(&'static str, AttrValue)]) -> Vec<(&'static str, AttrValue)> {
        [&[("strides", vec![1; rank].into()), ("padding", "SAME".into())], more].concat()
    }

    /// Compares with another convolution of the same elements, which has one batch axis.
    fn check(op: &str, shape: &[usize], one_batch: &[usize], filter: &[usize], batch_dims: i64) {
        let plain = attrs(one_batch.len(), &[]);
        let expected = run(op, &plain, vec![values(one_batch), values(filter)]).unwrap().remove(0);
        let attrs = attrs(one_batch.len(), &[("batch_dims", batch_dims.into())]);
        let out = run("Conv", &attrs, vec![values(shape), values(filter)]).unwrap().remove(0);
        let batches = &shape[..batch_dims as usize];
        assert_eq!(*out.shape().dims(), *[batches, &expected.shape()[1..]].concat());
        assert_eq!(out.as_slice::<f32>().unwrap(), expected.as_slice::<f32>().unwrap());
    }

    #[test]
    fn any_number_of_axes_are_batches() {
        let filter = [2, 2, 4, 3];
        check("Conv2D", &[2, 5, 4, 4], &[2, 5, 4, 4], &filter, 1);
        check("Conv2D", &[5, 4, 4], &[1, 5, 4, 4], &filter, 0);
        check("Conv2D", &[2, 3, 5, 4, 4], &[6, 5, 4, 4], &filter, 2);
        check("Conv3D", &[2, 3, 4, 5, 2], &[2, 3, 4, 5, 2], &[2, 2, 2, 2, 3], 1);
        check("Conv3D", &[1, 2, 3, 4, 5, 2], &[2, 3, 4, 5, 2], &[2, 2, 2, 2, 3], 2);
    }

    #[test]
    fn what_stock_refuses_is_refused() {
        let (image, filter) = (values(&[1, 5, 4, 4]), values(&[2, 2, 4, 3]));
        let code = |more: &[(&'static str, AttrValue)], filter: &Tensor| {
            run("Conv", &attrs(4, more), vec![image.clone(), filter.clone()]).unwrap_err().code()
        };
        assert_eq!(code(&[("groups", 2.into())], &values(&[2, 2, 2, 4])), Code::Unimplemented);
        assert_eq!(code(&[("data_format", "CHANNELS_FIRST".into())], &filter), Code::Unimplemented);
        assert_eq!(code(&[("batch_dims", (-1).into())], &filter), Code::InvalidArgument);
        assert_eq!(code(&[("batch_dims", 2.into())], &filter), Code::InvalidArgument);
        assert_eq!(code(&[("dilations", vec![1, 1, 1].into())], &filter), Code::InvalidArgument);
        assert_eq!(code(&[], &values(&[2, 2, 4, 0])), Code::InvalidArgument);
        assert_eq!(code(&[], &values(&[2, 2, 2, 4])), Code::InvalidArgument);
    }
}
