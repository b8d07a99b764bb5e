//! Diagonals of tensors and of the matrices in their last two axes.

pub mod diag;
pub mod matrix_band_part;
pub mod matrix_diag;
pub mod matrix_diag_part;

pub use diag::*;
pub use matrix_band_part::*;
pub use matrix_diag::*;
pub use matrix_diag_part::*;
