//! `GatherNd`: slices of a tensor by the coordinates of their start.
//!
//! The last axis of `indices`, of extent at most the rank of `params`, holds coordinates along the leading axes; the
//! output has the shape `indices[:-1] + params[indices.shape[-1]:]`. Every dtype. Coordinates outside are an error, and
//! so are any into empty `params`; with the attr `bad_indices_policy` `IGNORE` they give zeros (false, empty strings).

use super::coordinates::{ignores_bad_indices, slice_starts};
use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_cpu_support::movement::{Cell, CellJob, with_cells};
use oplink_ops::array::{GatherNd, GatherNdLayout};

/// `GatherNd` of every dtype.
#[kernel(GatherNd, device = CPU, Tparams = any, Tindices = any)]
pub fn gather_nd_cpu(
    params: &Tensor,
    indices: &Tensor,
    bad_indices_policy: &str,
    mut output: OutputSlot<'_>,
) -> Result<()> {
    gathered_nd(params, indices, ignores_bad_indices(bad_indices_policy)?, &mut output)
}

/// Sets the output to the slices of `params` at the coordinates in `indices`; zeros for coordinates that do not exist
/// where they are to be ignored.
///
/// # Errors
/// The shapes do not fit, coordinates do not exist, or memory runs out.
pub fn gathered_nd(params: &Tensor, indices: &Tensor, ignore: bool, output: &mut OutputSlot<'_>) -> Result<()> {
    let GatherNdLayout { shape, depth, count, length } = GatherNdLayout::of(params.shape(), indices.shape())?;
    let out = output.allocate(shape)?;
    let starts = slice_starts(params.shape(), &int_values(indices)?, depth, count, ignore)?;
    if length == 0 || starts.is_empty() {
        return Ok(());
    }
    with_cells(params.dtype(), Rows { out, params, starts: &starts, length })
}

struct Rows<'a> {
    out: &'a mut Tensor,
    params: &'a Tensor,
    starts: &'a [Option<usize>],
    length: usize,
}

impl CellJob for Rows<'_> {
    type Output = ();

    fn run<C: Cell>(self) -> Result<()> {
        let source = C::of(self.params)?;
        for (row, start) in C::of_mut(self.out)?.chunks_exact_mut(self.length).zip(self.starts) {
            match start {
                Some(start) => row.clone_from_slice(&source[*start..][..self.length]),
                None => row.fill(C::default()),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{run, run_one};

    #[test]
    fn picks_by_coordinates() {
        let x = Tensor::from_vec([2, 2], vec![1, 2, 3, 4]).unwrap();
        let pick = |shape: [usize; 2], at: &[i64]| {
            run_one("GatherNd", vec![x.clone(), Tensor::from_vec(shape, at.to_vec()).unwrap()])
        };
        assert_eq!(pick([2, 2], &[1, 0, 0, 1]).unwrap().as_slice::<i32>().unwrap(), [3, 2]);
        assert_eq!(pick([1, 1], &[1]).unwrap().as_slice::<i32>().unwrap(), [3, 4]);
        assert_eq!(pick([2, 0], &[]).unwrap().as_slice::<i32>().unwrap(), [1, 2, 3, 4, 1, 2, 3, 4]);
        assert!(pick([1, 2], &[0, 2]).is_err());
        assert!(pick([1, 2], &[0, -1]).is_err());
        assert!(pick([1, 3], &[0, 0, 0]).is_err());
        let nothing = Tensor::zeros(DType::Int32, [0, 2]).unwrap();
        assert!(run_one("GatherNd", vec![nothing.clone(), Tensor::zeros(DType::Int32, [1, 0]).unwrap()]).is_err());
        assert!(run_one("GatherNd", vec![nothing, Tensor::zeros(DType::Int32, [0, 1]).unwrap()]).is_ok());
    }

    #[test]
    fn bad_coordinates_can_be_ignored() {
        let inputs = vec![Tensor::from([1, 2]), Tensor::from_vec([2, 1], vec![5, 1]).unwrap()];
        let out = run("GatherNd", &[("bad_indices_policy", "IGNORE".into())], inputs).unwrap();
        assert_eq!(out[0].as_slice::<i32>().unwrap(), [0, 2]);
    }
}
