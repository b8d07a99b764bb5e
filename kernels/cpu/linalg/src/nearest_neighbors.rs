//! `NearestNeighbors`: for each point those of some centres that are nearest to it.

use oplink::memory::{try_collect, try_filled};
use oplink::prelude::*;
use oplink_cpu_contraction::gemm::{self, Matrix};
use oplink_cpu_support::parallel::{for_each_chunk, watch, watched_order};
use oplink_ops::linalg::NearestNeighbors;

/// Pairs of a point and a centre that are compared at a time.
const BLOCK: usize = 1 << 18;
/// Pairs that a thread is given at least.
const GRAIN: usize = 1 << 12;

/// `NearestNeighbors`.
#[kernel(NearestNeighbors, device = CPU)]
pub fn nearest_neighbors_cpu(
    points: &Tensor,
    centers: &Tensor,
    k: &Tensor,
    mut nearest_center_indices: OutputSlot<'_>,
    mut nearest_center_distances: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (&[num_points, width], &[num_centers, center_width]) = (points.shape().dims(), centers.shape().dims()) else {
        bail!("points and centers must be matrices, their shapes are {} and {}", points.shape(), centers.shape())
    };
    ensure!(k.rank() == 0, "k must be a scalar, its shape is {}", k.shape());
    let wanted = k.to_scalar::<i64>()?;
    ensure!(num_points > 0, "points must have a row, its shape is {}", points.shape());
    ensure!(width == center_width, "points have {width} coordinates, centers {center_width}");
    let Ok(wanted) = usize::try_from(wanted) else { bail!("k must not be negative, it is {wanted}") };
    let k = wanted.min(num_centers);
    let indices = nearest_center_indices.allocate([num_points, k])?.as_mut_slice::<i64>()?;
    let distances = nearest_center_distances.allocate([num_points, k])?.as_mut_slice::<f32>()?;
    if k == 0 {
        return Ok(());
    }
    let (points, centers) = (points.as_slice::<f32>()?, centers.as_slice::<f32>()?);
    let center_norms = half_squared_norms(centers, width, num_centers, env)?;
    let rows = (BLOCK / num_centers).clamp(1, num_points);
    let right = Matrix::row_major(centers, num_centers, width).transposed(true);
    let mut products = try_filled(0.0, rows * num_centers)?;
    let mut candidates = try_filled(Candidate::default(), rows * num_centers)?;
    for first in (0..num_points).step_by(rows) {
        let rows = rows.min(num_points - first);
        let block = &points[first * width..][..rows * width];
        let products = &mut products[..rows * num_centers];
        let left = Matrix::row_major(block, rows, width);
        gemm::product(env.env(), left, right, products);
        let candidates = &mut candidates[..rows * num_centers];
        for_each_chunk(env.env(), candidates, GRAIN, num_centers, &|start, part| {
            let rows = part.chunks_exact_mut(num_centers).zip(products[start..].chunks_exact(num_centers));
            rows.for_each(|(candidates, products)| select(candidates, (products, &center_norms), k, env));
        });
        let norms = half_squared_norms(block, width, rows, env)?;
        let out = indices[first * k..].chunks_exact_mut(k).zip(distances[first * k..].chunks_exact_mut(k));
        for ((out, candidates), norm) in out.zip(candidates.chunks_exact(num_centers)).zip(norms) {
            for ((index, distance), candidate) in out.0.iter_mut().zip(out.1).zip(env.watch(candidates)) {
                (*index, *distance) = (candidate.index, 2.0 * (norm + candidate.distance()));
            }
        }
    }
    Ok(())
}

/// Half the squared norm of each of so many rows.
fn half_squared_norms(values: &[f32], width: usize, rows: usize, env: Env<'_>) -> Result<Vec<f32>> {
    let norm = |row: usize| 0.5 * values[row * width..][..width].iter().map(|value| value * value).sum::<f32>();
    try_collect(env.watch(0..rows).map(norm))
}

/// Moves the `k` nearest centres of a point to the front, the nearest first.
fn select(candidates: &mut [Candidate], (products, norms): (&[f32], &[f32]), k: usize, env: Env<'_>) {
    let distances = norms.iter().zip(products).map(|(norm, product)| norm - product);
    if k == 1 {
        // As TensorFlow compares: what is no number is not below another, nor is another below it.
        let nearest =
            watch(env.env(), distances).zip(0..).reduce(|best, next| if next.0 < best.0 { next } else { best });
        candidates.iter_mut().zip(nearest).for_each(|(out, (distance, index))| *out = Candidate::new(distance, index));
        return;
    }
    let made = watch(env.env(), distances).zip(0..).map(|(distance, index)| Candidate::new(distance, index));
    candidates.iter_mut().zip(made).for_each(|(out, candidate)| *out = candidate);
    if k < candidates.len() {
        candidates.select_nth_unstable_by(k - 1, watched_order(env.env()));
    }
    candidates[..k].sort_unstable_by(watched_order(env.env()));
}

/// A centre, in the order of distances and then of positions.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    /// The bits of the distance, so changed that they have its order.
    key: u32,
    index: i64,
}

impl Candidate {
    /// Both zeros are one, and what is no number comes last.
    fn new(distance: f32, index: i64) -> Self {
        let bits = if distance.is_nan() { f32::NAN.to_bits() } else { (distance + 0.0).to_bits() };
        Self { key: bits ^ if bits >> 31 == 1 { u32::MAX } else { 1 << 31 }, index }
    }

    fn distance(self) -> f32 {
        f32::from_bits(self.key ^ if self.key >> 31 == 1 { 1 << 31 } else { u32::MAX })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{Threads, assert_close, check_error, run_in};

    fn matrix<const N: usize>(rows: &[[f32; N]]) -> Tensor {
        Tensor::from_vec([rows.len(), N], rows.concat()).unwrap()
    }

    fn check<const N: usize, const K: usize>(
        (points, centers): (&[[f32; N]], &[[f32; N]]),
        k: i64,
        (indices, distances): (&[[i64; K]], &[[f32; K]]),
    ) {
        for threads in [1, 3] {
            let inputs = vec![matrix(points), matrix(centers), k.into()];
            let out = run_in(&Threads(threads), "NearestNeighbors", &[], inputs).unwrap();
            assert_eq!(out[0].as_slice::<i64>().unwrap(), indices.concat());
            assert_close(&out[1], &matrix(distances), 16.0);
        }
    }

    #[test]
    fn nearest_centers_are_those_of_tensorflow() {
        let points = [[0.0, 0.0], [2.5, 1.0], [-1.0, 4.0]];
        let centers = [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [3.0, 2.0], [-2.0, 4.0]];
        let both = (&points[..], &centers[..]);
        check(both, 1, (&[[0], [3], [4]], &[[1.0], [1.25], [1.0]]));
        check(both, 2, (&[[0, 1], [3, 0], [4, 1]], &[[1.0, 1.0], [1.25, 3.25], [1.0, 10.0]]));
        let indices = [[0, 1, 2, 3, 4], [3, 0, 2, 1, 4], [4, 1, 0, 2, 3]];
        let distances = [[1.0, 1.0, 1.0, 13.0, 20.0], [1.25, 3.25, 3.25, 6.25, 29.25], [1.0, 10.0, 20.0, 20.0, 20.0]];
        check(both, 9, (&indices, &distances));
    }

    #[test]
    fn many_centers_of_which_some_are_equal() {
        let centers: Vec<[f32; 1]> = (0..50).map(|at| [(at % 7) as f32]).collect();
        check((&[[3.0]], &centers), 4, (&[[3, 10, 17, 24]], &[[0.0; 4]]));
        check((&[[3.0]], &centers), 1, (&[[3]], &[[0.0]]));
        check(
            (&[[-1.0]], &centers),
            9,
            (&[[0, 7, 14, 21, 28, 35, 42, 49, 1]], &[[1., 1., 1., 1., 1., 1., 1., 1., 4.]]),
        );
    }

    #[test]
    fn what_is_no_number() {
        let centers = [[1.0, 0.0], [f32::NAN, 1.0], [2.0, 0.0]];
        check((&[[1.0, 0.0]], &centers), 1, (&[[0]], &[[0.0]]));
        check((&[[1.0, 0.0]], &centers), 2, (&[[0, 2]], &[[0.0, 1.0]]));
    }

    #[test]
    fn inputs_are_checked() {
        let (points, centers) = (matrix(&[[1.0, 2.0]]), matrix(&[[1.0]]));
        check_error("NearestNeighbors", [points.clone(), centers, 1i64.into()], "2 coordinates, centers 1");
        check_error("NearestNeighbors", [points.clone(), points.clone(), (-1i64).into()], "must not be negative");
        check_error("NearestNeighbors", [points.clone(), points.clone(), [1i64].into()], "k must be a scalar");
        let none = Tensor::zeros(DType::Float, [0, 2]).unwrap();
        check_error("NearestNeighbors", [none, points.clone(), 1i64.into()], "must have a row");
        check_error("NearestNeighbors", [[1f32].into(), points, 1i64.into()], "must be matrices");
    }
}
