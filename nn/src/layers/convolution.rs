//! Convolutions of images.

use oplink_api::{AttrEnum, Error, Result};
use oplink_ops::{Conv2D as Conv2DOp, Conv2DBackpropInput, DepthwiseConv2dNative, Padding};

use super::dense::biased;
use super::{Layer, Mode, initialized, kernel, reinitialize};
use crate::activations::Activation;
use crate::initializers::Initializer;
use crate::module::module;
use crate::precision::in_compute_dtype;
use crate::run::{Attrs, call_with};
use crate::value::Value;
use crate::variable::Variable;

/// How a window goes over an image.
#[derive(Clone, Copy, Debug)]
pub struct ConvOptions {
    /// Steps along rows and columns.
    pub strides: [usize; 2],
    /// Whether zeros around the image keep its extents (divided by the strides), or no window leaves it.
    pub padding: Padding,
    /// Distances between the elements of a window.
    pub dilations: [usize; 2],
    /// What is applied to the sums.
    pub activation: Activation,
    /// Whether a bias is added.
    pub use_bias: bool,
}

impl Default for ConvOptions {
    /// Steps of 1, no padding, no activation, a bias.
    fn default() -> Self {
        Self {
            strides: [1, 1],
            padding: Padding::Valid,
            dilations: [1, 1],
            activation: Activation::Linear,
            use_bias: true,
        }
    }
}

impl ConvOptions {
    /// Zeros around the image, and an activation.
    pub fn same(activation: Activation) -> Self {
        Self { padding: Padding::Same, activation, ..Self::default() }
    }

    fn attrs(&self) -> Attrs {
        let all = |[rows, columns]: [usize; 2]| vec![1, rows as i64, columns as i64, 1];
        vec![
            ("strides", all(self.strides).into()),
            ("padding", self.padding.as_str().into()),
            ("dilations", all(self.dilations).into()),
        ]
    }

    fn bias(&self, channels: usize) -> Result<Option<Variable>> {
        self.use_bias.then(|| initialized("bias", &[channels], Initializer::Zeros)).transpose()
    }
}

/// A convolution: each output channel sums all input channels of a window.
#[derive(Debug)]
pub struct Conv2D {
    /// `[window rows, window columns, channels, filters]`.
    pub kernel: Variable,
    /// `[filters]`.
    pub bias: Option<Variable>,
    options: ConvOptions,
}

module!(Conv2D { kernel, bias });

impl Conv2D {
    /// A layer of so many filters, its kernel by Glorot's uniform initializer and its bias zeros.
    ///
    /// # Errors
    /// Memory runs out; a function is being traced.
    pub fn new(channels: usize, filters: usize, window: [usize; 2], options: ConvOptions) -> Result<Self> {
        let kernel = kernel("kernel", &[window[0], window[1], channels, filters])?;
        Ok(Self { kernel, bias: options.bias(filters)?, options })
    }

    reinitialize! {
        /// The same with another first kernel.
        kernel_initializer kernel;
    }
}

impl Layer for Conv2D {
    fn forward(&self, x: &Value, _: Mode) -> Result<Value> {
        let y = call_with::<Conv2DOp>([in_compute_dtype(x)?, self.kernel.read()?], self.options.attrs())?;
        self.options.activation.apply(&biased(y, self.bias.as_ref())?)
    }
}

/// A convolution of each channel by itself.
#[derive(Debug)]
pub struct DepthwiseConv2D {
    /// `[window rows, window columns, channels, filters of each channel]`.
    pub kernel: Variable,
    /// `[channels · filters of each channel]`.
    pub bias: Option<Variable>,
    options: ConvOptions,
}

module!(DepthwiseConv2D { kernel, bias });

impl DepthwiseConv2D {
    /// A layer of so many filters for each channel. Steps along rows and columns are the same.
    ///
    /// # Errors
    /// Memory runs out; a function is being traced.
    pub fn new(channels: usize, filters: usize, window: [usize; 2], options: ConvOptions) -> Result<Self> {
        let kernel = kernel("kernel", &[window[0], window[1], channels, filters])?;
        Ok(Self { kernel, bias: options.bias(channels * filters)?, options })
    }
}

impl Layer for DepthwiseConv2D {
    fn forward(&self, x: &Value, _: Mode) -> Result<Value> {
        let y = call_with::<DepthwiseConv2dNative>([in_compute_dtype(x)?, self.kernel.read()?], self.options.attrs())?;
        self.options.activation.apply(&biased(y, self.bias.as_ref())?)
    }
}

/// A transposed convolution: each pixel adds a window to a larger image.
#[derive(Debug)]
pub struct Conv2DTranspose {
    /// `[window rows, window columns, filters, channels]`.
    pub kernel: Variable,
    /// `[filters]`.
    pub bias: Option<Variable>,
    options: ConvOptions,
}

module!(Conv2DTranspose { kernel, bias });

impl Conv2DTranspose {
    /// A layer of so many filters, without dilations.
    ///
    /// # Errors
    /// Memory runs out; a function is being traced; the options have dilations.
    pub fn new(channels: usize, filters: usize, window: [usize; 2], options: ConvOptions) -> Result<Self> {
        if options.dilations != [1, 1] {
            return Err(Error::invalid_argument("a transposed convolution has no dilations: give [1, 1]"));
        }
        let kernel = kernel("kernel", &[window[0], window[1], filters, channels])?;
        Ok(Self { kernel, bias: options.bias(filters)?, options })
    }

    /// The shape of the output: batch, rows, columns and filters.
    fn output_shape(&self, x: &Value) -> Result<Value> {
        let (input, kernel) = (x.partial_shape()?, self.kernel.shape().dims());
        let extent = |axis: usize| {
            let extent = input.dim(axis).ok_or_else(|| {
                Error::invalid_argument(format!(
                    "a transposed convolution needs the rows and columns of its input {input}"
                ))
            })?;
            let (stride, window) = (self.options.strides[axis - 1], kernel[axis - 1]);
            Ok::<usize, Error>(match self.options.padding {
                Padding::Same => extent * stride,
                Padding::Valid => extent * stride + window.saturating_sub(stride),
            })
        };
        let rest = [extent(1)? as i32, extent(2)? as i32, kernel[2] as i32];
        match input.dim(0) {
            Some(batch) => Ok(Value::new([batch as i32, rest[0], rest[1], rest[2]])),
            None => Value::concat([x.shape_value()?.slice(crate::s![..1])?, Value::new(rest)], 0),
        }
    }
}

impl Layer for Conv2DTranspose {
    fn forward(&self, x: &Value, _: Mode) -> Result<Value> {
        let inputs = [self.output_shape(x)?, self.kernel.read()?, in_compute_dtype(x)?];
        let y = call_with::<Conv2DBackpropInput>(inputs, self.options.attrs())?;
        let y = biased(y, self.bias.as_ref())?;
        self.options.activation.apply(&y)
    }
}
