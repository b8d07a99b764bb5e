//! Shared shape functions: what `#[op(…, shape = shape_fns::NAME)]` names.
//!
//! Each is a `fn(&mut ShapeContext) -> Result<()>` that sets every output's shape as far as the inputs, their constant
//! values and the attrs tell it, as TensorFlow's inference does: an unknown rank or extent in gives an unknown one out,
//! and contradictions are errors. A function reads the op's declared attrs and input positions; its documentation names
//! those it needs.

mod arrays;
mod basic;
mod blocks;
mod broadcast;
mod constants;
mod conv;
mod diagonals;
mod dims;
mod filled;
mod fourier;
mod gathers;
mod joins;
mod layers;
mod layout;
mod linalg;
mod norm;
mod pads;
mod permute;
mod pools;
mod prefix;
mod random;
mod reduce;
mod reshapes;
mod scatters;
mod segments;
mod slices;
mod strided;
mod strings;
mod window;

pub use arrays::{matrix_band_part, matrix_diag, matrix_diag_part, one_hot, where_indices};
pub use basic::{
    merge_inputs, no_outputs, pass_handle, rank, scalar, shape, shape_n, size, unchanged, unchanged_with_rank,
    unchanged_with_rank_at_least, unchanged_with_rank_at_most, unknown,
};
pub use blocks::{batch_to_space, batch_to_space_nd, space_to_batch, space_to_batch_nd};
pub use broadcast::{
    broadcast_all, broadcast_args, broadcast_binary, broadcast_partial, broadcast_to, comparison, select, select_v2,
};
pub use constants::{constant, ensure_shape, placeholder, placeholder_with_default};
pub use conv::{conv2d, conv2d_backprop_filter, conv2d_backprop_input, depthwise_conv2d};
pub use diagonals::{diagonal_sides, matrix_diag_part_v2, matrix_diag_v2, matrix_set_diag, matrix_set_diag_v2};
pub use filled::{fill, lin_space, range, range_count};
pub use fourier::{irfft, rfft};
pub use gathers::{gather, gather_nd, gather_v2};
pub use joins::{concat, pack, split, split_v, unpack};
pub use layers::{
    avg_pool3d_grad, conv3d, conv3d_backprop_filter, conv3d_backprop_input, fused_batch_norm_grad, max_pool_grad_grad,
    max_pool_grad_grad_v2, max_pool_v2, max_pool3d_grad, max_pool3d_grad_grad, pool3d,
};
pub use layout::{bitcast, depth_to_space, space_to_depth};
pub use linalg::{batch_matmul, batch_matmul_v1, matmul};
pub use norm::{bias_add, bias_add_grad, fused_batch_norm};
pub use pads::{mirror_pad, pad, tile};
pub use permute::{invert_permutation, reverse_v2, transpose};
pub use pools::{avg_pool, avg_pool_grad, max_pool, max_pool_grad, pool};
pub use prefix::{size_of_scalar, without_prefix};
pub use random::{
    key_and_counter, multinomial, random, random_gamma, random_uniform_int, stateless_random,
    stateless_random_uniform_int, stateless_random_uniform_int_v2, stateless_random_v2,
};
pub use reduce::{arg_reduction, reduction};
pub use reshapes::{expand_dims, reshape, squeeze};
pub use scatters::{check_scatter_nd, scatter_nd, scatter_nd_update};
pub use segments::{segment_reduction, sparse_segment_reduction, unsorted_segment_reduction};
pub use slices::slice;
pub use strided::{StridedSlice, StridedSliceDim, StridedSliceMasks, strided_slice};
pub use strings::{
    decode_raw, print_v2, regex, string_join, string_n_grams, string_split_v2, substr, unicode_decode, unicode_encode,
};
pub use window::{ImageAxes, Padding, conv_output_size, window_dims};
