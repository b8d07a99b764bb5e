//! Coordinates in the last axis of an index tensor, as gathers and scatters take them.

use oplink::prelude::*;

use oplink_cpu_support::movement::row_major_strides;

/// Whether the attr `bad_indices_policy` asks to leave out coordinates that do not exist; otherwise they are an error.
pub(crate) fn ignores_bad_indices(policy: &str) -> Result<bool> {
    match policy {
        "" | "DEFAULT" | "ERROR" => Ok(false),
        "IGNORE" => Ok(true),
        other => bail!("bad_indices_policy `{other}` is not one of DEFAULT, ERROR, IGNORE"),
    }
}

/// Where the slice at each of `count` coordinates, `depth` numbers each, starts in a row-major tensor of this shape;
/// `None` for ignored ones.
pub(crate) fn slice_starts(
    dims: &Shape,
    coordinates: &[i64],
    depth: usize,
    count: usize,
    ignore: bool,
) -> Result<Vec<Option<usize>>> {
    let strides = row_major_strides(dims);
    let start = |number: usize| {
        let at = &coordinates[number * depth..][..depth];
        let inside = at.iter().zip(dims.iter()).all(|(at, &dim)| (0..dim as i64).contains(at));
        if inside {
            return Ok(Some(at.iter().zip(&strides).map(|(&at, &stride)| at as usize * stride as usize).sum()));
        }
        ensure!(ignore, "indices[{number}] = {at:?} does not index into shape {dims}");
        Ok(None)
    };
    (0..count).map(start).collect()
}
