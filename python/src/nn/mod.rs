//! What networks are made and trained of: layers, losses, optimisers; and how they are written.

mod export;
mod layers;
mod losses;
mod optimizers;

use oplink::nn::set_seed;
use pyo3::prelude::*;

/// Sets the seed from which layers draw their first variables.
#[pyfunction]
#[pyo3(name = "set_seed")]
fn set_seed_(seed: u32) {
    set_seed(seed);
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(set_seed_, module)?)?;
    export::register(module)?;
    layers::register(module)?;
    losses::register(module)?;
    optimizers::register(module)
}
