//! `NearestNeighbors`: for each point those of some centres that are nearest to it.

use oplink::prelude::*;

/// For each row of the matrix `points` the `k` rows of the matrix `centers` that are nearest, or all where there are
/// fewer: their positions, the nearest first and of equal ones the first one first, and their squared distances.
///
/// Both outputs are [points, min(k, centres)]. A distance is computed as `|p|^2 / 2 + (|c|^2 / 2 - p * c)`, doubled: so
/// that of near points is inexact, and may be below 0. There must be a point, and `k` must not be negative.
#[op("NearestNeighbors",
     input = "points: float32",
     input = "centers: float32",
     input = "k: int64",
     output = "nearest_center_indices: int64",
     output = "nearest_center_distances: float32",
     shape = shape_fns::unknown)]
pub struct NearestNeighbors;
