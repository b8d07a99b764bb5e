//! Losses: the mean over all elements, or rows of classes, as a scalar.

use oplink::nn::losses;
use pyo3::prelude::*;

use crate::convert;
use crate::errors::OrRaise;
use crate::tensor::PyTensor;

/// Functions of what is true and what was predicted.
macro_rules! losses {
    ($($(#[$doc:meta])* $name:ident($predicted:ident);)*) => {
        $(
            $(#[$doc])*
            #[pyfunction]
            fn $name(truth: &Bound<'_, PyAny>, $predicted: &Bound<'_, PyAny>) -> PyResult<PyTensor> {
                let py = truth.py();
                let predicted = convert::value($predicted, None)?;
                let truth = convert::value(truth, Some(predicted.dtype().or_raise(py)?))?;
                py.detach(|| losses::$name(truth, &predicted)).or_raise(py).map(PyTensor::from)
            }
        )*

        pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(module.add_function(wrap_pyfunction!($name, module)?)?;)*
            module.add_function(wrap_pyfunction!(huber, module)?)?;
            module.add_function(wrap_pyfunction!(sparse_categorical_crossentropy, module)?)
        }
    };
}

losses! {
    /// The mean of squared differences.
    mean_squared_error(predicted);
    /// The mean of magnitudes of differences.
    mean_absolute_error(predicted);
    /// The mean of magnitudes of differences, as parts of a hundred of what is true.
    mean_absolute_percentage_error(predicted);
    /// The mean of squared differences of logarithms.
    mean_squared_logarithmic_error(predicted);
    /// The mean of logarithms of hyperbolic cosines of differences.
    log_cosh(predicted);
    /// The hinge loss of labels -1 and 1, or 0 and 1.
    hinge(predicted);
    /// The mean of squares of the hinge loss.
    squared_hinge(predicted);
    /// The loss of Poisson's distribution.
    poisson(predicted);
    /// The divergence of Kullback and Leibler.
    kl_divergence(predicted);
    /// The negative cosine of the angle between rows.
    cosine_similarity(predicted);
    /// The cross entropy of labels 0 and 1, from logits: what a model computes before its sigmoid.
    binary_crossentropy(logits);
    /// The cross entropy of rows of probabilities, from logits: what a model computes before its softmax.
    categorical_crossentropy(logits);
}

/// Squared differences up to `delta`, magnitudes beyond.
#[pyfunction]
#[pyo3(signature = (truth, predicted, delta = 1.0))]
fn huber(truth: &Bound<'_, PyAny>, predicted: &Bound<'_, PyAny>, delta: f32) -> PyResult<PyTensor> {
    let py = truth.py();
    let predicted = convert::value(predicted, None)?;
    let truth = convert::value(truth, Some(predicted.dtype().or_raise(py)?))?;
    py.detach(|| losses::huber(truth, &predicted, delta)).or_raise(py).map(PyTensor::from)
}

/// The cross entropy of class numbers, from logits: what a model computes before its softmax.
#[pyfunction]
fn sparse_categorical_crossentropy(truth: &Bound<'_, PyAny>, logits: &Bound<'_, PyAny>) -> PyResult<PyTensor> {
    let py = truth.py();
    let (truth, logits) = (convert::value(truth, None)?, convert::value(logits, None)?);
    py.detach(|| losses::sparse_categorical_crossentropy(truth, &logits)).or_raise(py).map(PyTensor::from)
}
