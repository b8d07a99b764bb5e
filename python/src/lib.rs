//! `oplink._oplink`: the extension module of the Python package. One file a concept; no semantics of its own.
#![deny(unsafe_code)]

mod attrs;
mod buffer;
mod calls;
mod convert;
mod dlpack;
mod dtype;
mod errors;
mod function;
mod indexing;
mod literal;
mod nn;
mod opcheck;
mod operators;
mod ops;
mod parameters;
mod plugins;
mod same_thread;
mod saved_model;
mod session;
mod tape;
mod tensor;
mod variable;

use pyo3::prelude::*;

/// A tensor in the memory of an array, where its layout and dtype allow; else a copy. Nobody may write the array as
/// long as the tensor is used.
#[pyfunction]
fn from_numpy(array: &Bound<'_, PyAny>) -> PyResult<tensor::PyTensor> {
    convert::array(array, true).map(tensor::PyTensor::from)
}

/// A tensor in the memory of an object of another library that has `__dlpack__`. Nobody may write it as long as the
/// tensor is used.
#[pyfunction]
fn from_dlpack(array: &Bound<'_, PyAny>) -> PyResult<tensor::PyTensor> {
    dlpack::import(array, true).map(tensor::PyTensor::from)
}

#[pymodule]
fn _oplink(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<tensor::PyTensor>()?;
    module.add_class::<variable::PyVariable>()?;
    module.add_class::<tape::PyTape>()?;
    module.add_class::<function::PyFunction>()?;
    module.add_class::<session::PySession>()?;
    module.add_class::<saved_model::PySavedModel>()?;
    module.add_class::<saved_model::PySignature>()?;
    module.add_function(wrap_pyfunction!(from_numpy, module)?)?;
    module.add_function(wrap_pyfunction!(from_dlpack, module)?)?;
    module.add_function(wrap_pyfunction!(plugins::load_plugin, module)?)?;
    module.add_function(wrap_pyfunction!(opcheck::opcheck, module)?)?;
    dtype::register(module)?;
    nn::register(module)?;
    ops::register(module)
}
