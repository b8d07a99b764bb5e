//! `Save` and `SaveSlices`: tensors into one file in the format before bundles.
//!
//! `filename` has one element, `tensor_names` and `shapes_and_slices` one a tensor. An empty shape and slice saves the
//! tensor whole; `4 3 0,2:-` saves it as rows 0 and 1 of a tensor of the shape [4, 3]. Half, float, double, complex,
//! bool, string, int8 to int64, uint8, uint16, qint8, quint8 and qint32; other dtypes are unimplemented. The file
//! replaces an older one of its name when it is complete. It is an error when a name or slice is given twice, when
//! slices of one tensor differ in dtype or full shape, and when the file cannot be written.

use super::checkpoint_v1;
use oplink::prelude::*;
use oplink_ops::io::{Save, SaveSlices};

/// `Save` and `SaveSlices` of the dtypes that the format has.
#[kernel(Save, device = CPU)]
#[kernel(SaveSlices, device = CPU)]
pub fn save_cpu(
    filename: &Tensor,
    tensor_names: &Tensor,
    shapes_and_slices: Option<&Tensor>,
    data: &[Tensor],
) -> Result<()> {
    checkpoint_v1::save(filename, tensor_names, shapes_and_slices, data)
}
