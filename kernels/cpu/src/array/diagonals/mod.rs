//! Diagonals of tensors and of the matrices in their last two axes.

mod band;
pub mod diag;
pub mod matrix_diag;
pub mod matrix_diag_part_v2;
pub mod matrix_diag_v2;
pub mod matrix_set_diag;

pub use diag::*;
pub use matrix_diag::*;
pub use matrix_diag_part_v2::*;
pub use matrix_diag_v2::*;
pub use matrix_set_diag::*;
