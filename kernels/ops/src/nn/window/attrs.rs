//! The attrs of ops whose windows move over images or volumes, whatever the op.

use oplink::prelude::*;

use super::ChannelOrder;
use crate::attrs::{AxisOrder, WindowPadding};
use crate::nn::*;

/// The attrs of a convolution or a pooling.
#[derive(Debug, Clone, Copy)]
pub struct WindowAttrs<'a> {
    /// The size of a pooling's window along each axis of the input.
    pub ksize: &'a [i64],
    /// Input positions between neighbouring outputs, for each axis of the input.
    pub strides: &'a [i64],
    /// Input positions between neighbouring taps, for each axis of the input; without them all are 1.
    pub dilations: Option<&'a [i64]>,
    /// What is added around the input.
    pub padding: WindowPadding,
    /// Positions before and after each axis of the input, where `padding` is `EXPLICIT`.
    pub explicit_paddings: &'a [i64],
    /// The order of the input's axes, and so of the numbers above.
    pub data_format: AxisOrder,
}

impl<'a> WindowAttrs<'a> {
    /// No numbers, no padding, channels last.
    pub const NONE: Self = Self {
        ksize: &[],
        strides: &[],
        dilations: None,
        padding: WindowPadding::Valid,
        explicit_paddings: &[],
        data_format: AxisOrder::Nhwc,
    };

    /// With the positions before and after each axis that an attr `padding_list` has, unless all are 0.
    #[must_use]
    pub fn with_padding_list(self, list: &'a [i64]) -> Self {
        match list.iter().all(|&positions| positions == 0) {
            true => self,
            false => Self { padding: WindowPadding::Explicit, explicit_paddings: list, ..self },
        }
    }

    /// Fails unless the channels are last.
    ///
    /// # Errors
    /// Another data format (code Unimplemented).
    pub fn check_channels_last(&self, op: &str) -> Result<()> {
        match ChannelOrder::of_format(self.data_format) {
            Some(ChannelOrder::Last) => Ok(()),
            _ => Err(Error::unimplemented(format!(
                "{op} on the CPU takes the channels last only, data_format is {}",
                self.data_format
            ))),
        }
    }
}

/// Conversions from the attrs of ops, which have these fields.
macro_rules! from_attrs {
    ($($($attrs:ident)*: $fields:tt;)*) => {$($(
        from_attrs!(@one $attrs $fields);
    )*)*};
    (@one $attrs:ident [$($field:ident)*]) => {
        impl<'a> From<$attrs<'a>> for WindowAttrs<'a> {
            fn from(attrs: $attrs<'a>) -> Self {
                Self { $($field: attrs.$field.into(),)* ..Self::NONE }
            }
        }
    };
}

from_attrs! {
    Conv2DAttrs Conv2DBackpropFilterAttrs Conv2DBackpropInputAttrs _FusedConv2DAttrs DepthwiseConv2dNativeAttrs
        DepthwiseConv2dNativeBackpropFilterAttrs DepthwiseConv2dNativeBackpropInputAttrs
        _FusedDepthwiseConv2dNativeAttrs _FusedSeparableConv2DAttrs:
        [strides dilations padding explicit_paddings data_format];
    Conv3DAttrs Conv3DBackpropFilterV2Attrs Conv3DBackpropInputV2Attrs:
        [strides dilations padding data_format];
    QuantizedConv2DAttrs QuantizedConv2DPerChannelAttrs QuantizedDepthwiseConv2DAttrs
        QuantizedDepthwiseConv2DWithBiasAttrs Conv3DBackpropFilterAttrs Conv3DBackpropInputAttrs:
        [strides dilations padding];
    FusedPadConv2DAttrs FusedResizeAndPadConv2DAttrs: [strides padding];
    MaxPoolAttrs MaxPoolGradAttrs: [ksize strides padding explicit_paddings data_format];
    AvgPoolAttrs AvgPoolGradAttrs AvgPool3DAttrs AvgPool3DGradAttrs MaxPool3DAttrs MaxPool3DGradAttrs
        MaxPool3DGradGradAttrs MaxPoolGradGradAttrs: [ksize strides padding data_format];
    MaxPoolWithArgmaxAttrs MaxPoolGradWithArgmaxAttrs: [ksize strides padding];
    MaxPoolV2Attrs MaxPoolGradV2Attrs MaxPoolGradGradV2Attrs: [padding data_format];
}

/// Conversions from the attrs of ops, which have `strides`, `dilations`, `padding` and `padding_list`.
macro_rules! from_attrs_with_padding_list {
    ($($attrs:ident)*) => {$(
        impl<'a> From<$attrs<'a>> for WindowAttrs<'a> {
            fn from(attrs: $attrs<'a>) -> Self {
                let (strides, dilations, padding) = (attrs.strides, attrs.dilations.into(), attrs.padding.into());
                Self { strides, dilations, padding, ..Self::NONE }.with_padding_list(attrs.padding_list)
            }
        }
    )*};
}

from_attrs_with_padding_list! {
    QuantizedConv2DAndReluAttrs QuantizedConv2DAndReluAndRequantizeAttrs QuantizedConv2DAndRequantizeAttrs
    QuantizedConv2DWithBiasAttrs QuantizedConv2DWithBiasAndReluAttrs QuantizedConv2DWithBiasAndReluAndRequantizeAttrs
    QuantizedConv2DWithBiasAndRequantizeAttrs QuantizedConv2DWithBiasSignedSumAndReluAndRequantizeAttrs
    QuantizedConv2DWithBiasSumAndReluAttrs QuantizedConv2DWithBiasSumAndReluAndRequantizeAttrs
    QuantizedDepthwiseConv2DWithBiasAndReluAttrs QuantizedDepthwiseConv2DWithBiasAndReluAndRequantizeAttrs
}
