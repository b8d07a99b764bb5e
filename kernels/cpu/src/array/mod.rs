//! Ops that make, move, join, split and index elements.
//!
//! Most serve every dtype: they move elements by width, through [`movement`].

mod arguments;
pub mod movement;

pub mod assert;
pub mod bitcast;
pub mod broadcast_args;
pub mod broadcast_to;
pub mod concat;
pub mod constant;
pub mod depth_to_space;
pub mod ensure_shape;
pub mod expand_dims;
pub mod fill;
pub mod gather;
pub mod gather_nd;
pub mod identity;
pub mod identity_n;
pub mod invert_permutation;
pub mod lin_space;
pub mod matrix_band_part;
pub mod matrix_diag;
pub mod mirror_pad;
pub mod no_op;
pub mod one_hot;
pub mod pack;
pub mod pad;
pub mod placeholder;
pub mod placeholder_with_default;
pub mod range;
pub mod rank;
pub mod reshape;
pub mod reverse_v2;
pub mod shape;
pub mod shape_n;
pub mod size;
pub mod slice;
pub mod split;
pub mod split_v;
pub mod squeeze;
pub mod strided_slice;
pub mod tile;
pub mod transpose;
pub mod unpack;
pub mod where_indices;
pub mod zeros_like;
