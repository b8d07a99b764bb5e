//! `Save` and `SaveSlices`: tensors into one file in the format before bundles.
//!
//! `filename` has one element, `tensor_names` and `shapes_and_slices` one a tensor. An empty shape and slice saves the
//! tensor whole; `4 3 0,2:-` saves it as rows 0 and 1 of a tensor of the shape [4, 3]. Half, float, double, complex,
//! bool, string, int8 to int64, uint8, uint16, qint8, quint8 and qint32; other dtypes are unimplemented. The file
//! replaces an older one of its name when it is complete. It is an error when a name or slice is given twice, when
//! slices of one tensor differ in dtype or full shape, and when the file cannot be written.

use super::shapes;
use oplink::prelude::*;

/// Saves tensors in a file.
#[op("Save",
     input = "filename: string",
     input = "tensor_names: string",
     input = "data: T",
     attr = "T: list(type) >= 1",
     stateful,
     shape = save_shape)]
pub struct Save;

/// Saves tensors in a file, each as a slice of a larger one.
#[op("SaveSlices",
     input = "filename: string",
     input = "tensor_names: string",
     input = "shapes_and_slices: string",
     input = "data: T",
     attr = "T: list(type) >= 1",
     stateful,
     shape = save_slices_shape)]
pub struct SaveSlices;

fn save_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    shapes::checkpoint(c, 1, c.num_inputs() - 2)
}

fn save_slices_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    shapes::checkpoint(c, 2, c.num_inputs() - 3)
}
