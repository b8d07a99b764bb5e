//! Sparse tensors as indices, values and a dense shape.
