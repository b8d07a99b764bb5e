//! Layers: a class for each, over the runtime's own.

use oplink::nn::layers::{
    AveragePooling2D, BatchNormalization, Bidirectional, Conv2D, Conv2DTranspose, ConvOptions, Dense, DepthwiseConv2D,
    Dropout, Embedding, Flatten, GlobalAveragePooling2D, GlobalMaxPooling2D, GroupNormalization, Gru,
    LayerNormalization, Lstm, MaxPooling2D, MultiHeadAttention, RmsNormalization,
};
use oplink::nn::{Activation, Layer, Mode};
use oplink::ops::attrs::Padding;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::convert;
use crate::errors::OrRaise;
use crate::tensor::PyTensor;
use crate::variable::PyVariable;

/// What computes a tensor of a tensor, with variables of its own.
#[pyclass(frozen, subclass, name = "Layer", module = "oplink.nn")]
pub(crate) struct PyLayer {
    layer: Box<dyn Layer + Send + Sync>,
}

impl PyLayer {
    fn of(py: Python<'_>, layer: oplink::Result<impl Layer + Send + Sync + 'static>) -> PyResult<Self> {
        Ok(Self { layer: Box::new(layer.or_raise(py)?) })
    }
}

#[pymethods]
impl PyLayer {
    /// The layer's output. While training, dropout drops, and batch normalisation uses the batch's own mean.
    #[pyo3(signature = (x, *, training = false))]
    fn __call__(&self, x: &Bound<'_, PyAny>, training: bool) -> PyResult<PyTensor> {
        let (py, x) = (x.py(), convert::value(x, None)?);
        let mode = if training { Mode::Train } else { Mode::Infer };
        py.detach(|| self.layer.forward(&x, mode)).or_raise(py).map(PyTensor::from)
    }

    /// All variables by name.
    #[getter]
    fn variables<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let variables = PyDict::new(py);
        for (name, variable) in self.layer.variables() {
            variables.set_item(name, PyVariable::from(variable))?;
        }
        Ok(variables)
    }

    /// The variables that gradients are for.
    #[getter]
    fn trainable_variables(&self) -> Vec<PyVariable> {
        self.layer.trainable_variables().into_iter().map(PyVariable::from).collect()
    }
}

/// Activations by Keras's names.
const ACTIVATIONS: [(&str, Activation); 17] = [
    ("linear", Activation::Linear),
    ("relu", Activation::Relu),
    ("relu6", Activation::Relu6),
    ("leaky_relu", Activation::LeakyRelu(0.2)),
    ("elu", Activation::Elu),
    ("selu", Activation::Selu),
    ("gelu", Activation::Gelu),
    ("sigmoid", Activation::Sigmoid),
    ("hard_sigmoid", Activation::HardSigmoid),
    ("silu", Activation::Silu),
    ("mish", Activation::Mish),
    ("tanh", Activation::Tanh),
    ("softmax", Activation::Softmax),
    ("log_softmax", Activation::LogSoftmax),
    ("softplus", Activation::Softplus),
    ("softsign", Activation::Softsign),
    ("exponential", Activation::Exponential),
];

fn activation(name: Option<&str>) -> PyResult<Activation> {
    let Some(name) = name else { return Ok(Activation::Linear) };
    let found = ACTIVATIONS.iter().find(|(known, _)| *known == name);
    found.map(|(_, activation)| *activation).ok_or_else(|| {
        let names: Vec<&str> = ACTIVATIONS.iter().map(|(name, _)| *name).collect();
        PyValueError::new_err(format!("there is no activation `{name}`; there are {}", names.join(", ")))
    })
}

fn padding(name: &str) -> PyResult<Padding> {
    match name {
        "valid" => Ok(Padding::Valid),
        "same" => Ok(Padding::Same),
        _ => Err(PyValueError::new_err(format!("there is no padding `{name}`; there are `valid` and `same`"))),
    }
}

/// An extent for both axes, or one for each.
#[derive(FromPyObject)]
enum Pair {
    Both(usize),
    Each([usize; 2]),
}

const ONE: Pair = Pair::Both(1);
const TWO: Pair = Pair::Both(2);

impl Pair {
    fn array(&self) -> [usize; 2] {
        match *self {
            Self::Both(extent) => [extent, extent],
            Self::Each(extents) => extents,
        }
    }
}

fn conv_options(
    strides: Pair,
    padding: &str,
    dilations: Pair,
    activation: Option<&str>,
    use_bias: bool,
) -> PyResult<ConvOptions> {
    Ok(ConvOptions {
        strides: strides.array(),
        padding: self::padding(padding)?,
        dilations: dilations.array(),
        activation: self::activation(activation)?,
        use_bias,
    })
}

/// The classes of layers: parameters as Python writes them, and the layer that they make. Defaults are tokens, since
/// PyO3 shows those of the kind `expr` as `...`.
macro_rules! layers {
    ($(
        $(#[$doc:meta])*
        $class:ident $name:literal ($($parameter:ident: $ty:ty $(= $default:tt)?),*) => $layer:expr;
    )*) => {
        $(
            $(#[$doc])*
            #[pyclass(frozen, extends = PyLayer, name = $name, module = "oplink.nn")]
            struct $class;

            #[pymethods]
            impl $class {
                #[new]
                #[pyo3(signature = ($($parameter $(= $default)?),*))]
                #[allow(clippy::too_many_arguments, reason = "as many as a layer has")]
                fn new(py: Python<'_>, $($parameter: $ty),*) -> PyResult<PyClassInitializer<Self>> {
                    Ok(PyClassInitializer::from(PyLayer::of(py, $layer)?).add_subclass(Self))
                }
            }
        )*

        pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
            module.add_class::<PyLayer>()?;
            $(module.add_class::<$class>()?;)*
            Ok(())
        }
    };
}

layers! {
    /// `activation(x · kernel + bias)` along the last axis.
    PyDense "Dense" (inputs: usize, units: usize, activation: Option<&str> = None, use_bias: bool = true) => {
        let activation = self::activation(activation)?;
        let layer = Dense::new(inputs, units).map(|layer| layer.activation(activation));
        layer.map(|layer| if use_bias { layer } else { layer.without_bias() })
    };
    /// Windows over images of `channels`, summed up to `filters`.
    PyConv2D "Conv2D" (
        channels: usize, filters: usize, kernel_size: Pair, strides: Pair = ONE, padding: &str = "valid",
        dilation_rate: Pair = ONE, activation: Option<&str> = None, use_bias: bool = true
    ) => {
        let options = conv_options(strides, padding, dilation_rate, activation, use_bias)?;
        Conv2D::new(channels, filters, kernel_size.array(), options)
    };
    /// Windows over each channel apart, `depth_multiplier` of them.
    PyDepthwiseConv2D "DepthwiseConv2D" (
        channels: usize, depth_multiplier: usize, kernel_size: Pair, strides: Pair = ONE,
        padding: &str = "valid", dilation_rate: Pair = ONE, activation: Option<&str> = None,
        use_bias: bool = true
    ) => {
        let options = conv_options(strides, padding, dilation_rate, activation, use_bias)?;
        DepthwiseConv2D::new(channels, depth_multiplier, kernel_size.array(), options)
    };
    /// The gradient of a convolution as a layer: images grow by the strides.
    PyConv2DTranspose "Conv2DTranspose" (
        channels: usize, filters: usize, kernel_size: Pair, strides: Pair = ONE, padding: &str = "valid",
        activation: Option<&str> = None, use_bias: bool = true
    ) => {
        let options = conv_options(strides, padding, ONE, activation, use_bias)?;
        Conv2DTranspose::new(channels, filters, kernel_size.array(), options)
    };
    /// Rows of a table by their numbers.
    PyEmbedding "Embedding" (rows: usize, features: usize) => Embedding::new(rows, features);
    /// The mean of each window.
    PyAveragePooling2D "AveragePooling2D" (
        pool_size: Pair = TWO, strides: Option<Pair> = None, padding: &str = "valid"
    ) => {
        let layer = AveragePooling2D::new(pool_size.array()).padding(self::padding(padding)?);
        Ok(match strides { Some(strides) => layer.strides(strides.array()), None => layer })
    };
    /// The largest element of each window.
    PyMaxPooling2D "MaxPooling2D" (
        pool_size: Pair = TWO, strides: Option<Pair> = None, padding: &str = "valid"
    ) => {
        let layer = MaxPooling2D::new(pool_size.array()).padding(self::padding(padding)?);
        Ok(match strides { Some(strides) => layer.strides(strides.array()), None => layer })
    };
    /// The mean of each channel.
    PyGlobalAveragePooling2D "GlobalAveragePooling2D" () => Ok(GlobalAveragePooling2D);
    /// The largest element of each channel.
    PyGlobalMaxPooling2D "GlobalMaxPooling2D" () => Ok(GlobalMaxPooling2D);
    /// All axes but the first in one.
    PyFlatten "Flatten" () => Ok(Flatten);
    /// Elements set to zero at random while training; the others grow as much.
    PyDropout "Dropout" (rate: f32) => Dropout::new(rate);
    /// Channels of mean 0 and deviation 1 over the batch.
    PyBatchNormalization "BatchNormalization" (channels: usize, momentum: f32 = 0.99, epsilon: f32 = 1e-3) => {
        BatchNormalization::new(channels).map(|layer| layer.momentum(momentum).epsilon(epsilon))
    };
    /// Rows of mean 0 and deviation 1.
    PyLayerNormalization "LayerNormalization" (features: usize, epsilon: f32 = 1e-3) => {
        LayerNormalization::new(features).map(|layer| layer.epsilon(epsilon))
    };
    /// Groups of channels of mean 0 and deviation 1.
    PyGroupNormalization "GroupNormalization" (channels: usize, groups: usize) => {
        GroupNormalization::new(channels, groups)
    };
    /// Rows divided by the root of the mean of their squares.
    PyRmsNormalization "RMSNormalization" (features: usize) => RmsNormalization::new(features);
    /// A recurrent layer with a long and a short memory.
    PyLstm "LSTM" (features: usize, units: usize, return_sequences: bool = false) => {
        Lstm::new(features, units).map(|layer| if return_sequences { layer.return_sequences() } else { layer })
    };
    /// A recurrent layer with gates.
    PyGru "GRU" (features: usize, units: usize, return_sequences: bool = false) => {
        Gru::new(features, units).map(|layer| if return_sequences { layer.return_sequences() } else { layer })
    };
    /// Two recurrent layers with a long and a short memory, of which one goes backwards; their outputs side by side.
    PyBidirectionalLstm "BidirectionalLSTM" (features: usize, units: usize, return_sequences: bool = false) => {
        let one = || -> oplink::Result<Lstm> {
            let layer = Lstm::new(features, units)?;
            Ok(if return_sequences { layer.return_sequences() } else { layer })
        };
        let both = || Ok(Bidirectional::new(one()?, one()?));
        both()
    };
    /// Attention of several heads of a sequence to itself.
    PyMultiHeadAttention "MultiHeadAttention" (
        features: usize, heads: usize, key_size: usize, causal: bool = false
    ) => {
        MultiHeadAttention::new(features, heads, key_size).map(|layer| if causal { layer.causal() } else { layer })
    };
}
