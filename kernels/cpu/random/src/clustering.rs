//! `KmeansPlusPlusInitialization`, `KMC2ChainInitialization`: first centres of clusters, drawn from points.

use oplink::memory::{try_collect, try_filled};
use oplink::prelude::*;
use oplink_cpu_support::parallel::for_each_chunk;
use oplink_ops::philox::{Philox, Singles};
use oplink_ops::random::{KMC2ChainInitialization, KmeansPlusPlusInitialization};

/// Multiply-adds that a thread is given at least.
const GRAIN: usize = 1 << 14;
/// Draws after which there is an error.
const DRAWS: i32 = i32::MAX;

/// `KmeansPlusPlusInitialization`.
#[kernel(KmeansPlusPlusInitialization, device = CPU)]
pub fn kmeans_plus_plus_initialization_cpu(
    points: &Tensor,
    num_to_sample: &Tensor,
    seed: &Tensor,
    num_retries_per_sample: &Tensor,
    mut samples: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let &[count, width] = points.shape().dims() else {
        bail!("points must be a matrix, its shape is {}", points.shape())
    };
    let wanted = scalar(num_to_sample, "num_to_sample")?;
    let numbers = Singles::new(Philox::new(scalar(seed, "seed")? as u64, 0));
    let retries = match scalar(num_retries_per_sample, "num_retries_per_sample")? {
        retries @ 0.. => retries,
        _ => 2 + (wanted as f64).ln() as i64,
    };
    ensure!(count > 0, "points must have a row, its shape is {}", points.shape());
    ensure!(wanted > 0, "num_to_sample must be at least 1, it is {wanted}");
    let fits = usize::try_from(wanted).ok().filter(|&wanted| wanted <= count);
    let Some(wanted) = fits else { bail!("num_to_sample is {wanted}, points has {count} rows only") };
    let out = samples.allocate([wanted, width])?.as_mut_slice::<f32>()?;
    let mut sampler = Sampler::new(Points { values: points.as_slice()?, width, env }, count, numbers)?;
    for at in 0..wanted {
        let row = sampler.sample(retries)?;
        out[at * width..][..width].copy_from_slice(sampler.points.row(row));
    }
    Ok(())
}

/// The rows of a matrix.
#[derive(Clone, Copy)]
struct Points<'a> {
    values: &'a [f32],
    width: usize,
    env: Env<'a>,
}

impl<'a> Points<'a> {
    fn row(&self, at: usize) -> &'a [f32] {
        &self.values[at * self.width..][..self.width]
    }

    fn product(&self, first: usize, second: usize) -> f32 {
        self.row(first).iter().zip(self.row(second)).map(|(a, b)| a * b).sum()
    }
}

/// What k-means++ knows between two draws.
struct Sampler<'a> {
    points: Points<'a>,
    numbers: Singles,
    /// Half the squared norm of each point.
    norms: Vec<f32>,
    /// Half the squared distance of each point from the nearest one that was drawn.
    distances: Vec<f32>,
    /// The sums of the distances up to each one.
    sums: Vec<f32>,
    drawn: Vec<bool>,
    is_first: bool,
}

impl<'a> Sampler<'a> {
    fn new(points: Points<'a>, count: usize, numbers: Singles) -> Result<Self> {
        Ok(Self {
            points,
            numbers,
            norms: try_collect(points.env.watch(0..count).map(|at| 0.5 * points.product(at, at)))?,
            distances: try_filled(f32::INFINITY, count)?,
            sums: try_filled(0.0, count)?,
            drawn: try_filled(false, count)?,
            is_first: true,
        })
    }

    /// Draws one more point, the best one of a number of tries.
    fn sample(&mut self, retries: i64) -> Result<usize> {
        let mut sum = 0.0;
        for (out, distance) in self.sums.iter_mut().zip(self.points.env.watch(&self.distances)) {
            sum += distance;
            *out = sum;
        }
        let (mut best, mut least) = (0, f32::INFINITY);
        if retries == 0 {
            best = self.draw()?;
            self.distances = self.distances_with(best)?;
        } else {
            let mut best_distances = None;
            for _ in 0..=retries {
                self.points.env.poll();
                let row = self.draw()?;
                let distances = self.distances_with(row)?;
                let potential = distances.iter().sum();
                if potential < least {
                    (best, least, best_distances) = (row, potential, Some(distances));
                }
            }
            self.distances = best_distances.unwrap_or_else(|| std::mem::take(&mut self.distances));
        }
        self.drawn[best] = true;
        self.is_first = false;
        Ok(best)
    }

    /// Draws a row.
    fn draw(&mut self) -> Result<usize> {
        let count = self.sums.len();
        if self.is_first {
            return Ok(self.numbers.long_below(count as u64) as usize);
        }
        let total = self.sums[count - 1];
        for _ in self.points.env.watch(0..DRAWS) {
            let number = self.numbers.single() * total;
            let row = self.sums.partition_point(|&sum| number >= sum || number.is_nan() || sum.is_nan());
            // Beyond the last one where all sums are 0: the last one, whether it was drawn or not.
            let Some(drawn) = self.drawn.get(row) else { return Ok(count - 1) };
            if !drawn {
                return Ok(row);
            }
        }
        bail!("{DRAWS} draws gave points alone that were drawn before; their distances differ too much")
    }

    /// The distances when one more row is drawn.
    fn distances_with(&self, row: usize) -> Result<Vec<f32>> {
        let mut distances = try_filled(0.0, self.distances.len())?;
        let grain = GRAIN.div_ceil(self.points.width.max(1));
        for_each_chunk(self.points.env.env(), &mut distances, grain, 1, &|start, part| {
            for (at, out) in (start..).zip(part) {
                let distance = self.norms[at] - self.points.product(at, row) + self.norms[row];
                *out = if distance < self.distances[at] { distance } else { self.distances[at] };
            }
        });
        Ok(distances)
    }
}

/// `KMC2ChainInitialization`.
#[kernel(KMC2ChainInitialization, device = CPU)]
pub fn kmc2_chain_initialization_cpu(distances: &Tensor, seed: &Tensor, env: Env<'_>) -> Result<i64> {
    ensure!(distances.rank() == 1, "distances must be a vector, its shape is {}", distances.shape());
    let mut numbers = Singles::new(Philox::new(scalar(seed, "seed")? as u64, 0));
    let [first, rest @ ..] = distances.as_slice::<f32>()? else { bail!("distances must not be empty") };
    let mut state = (0, *first);
    for (index, &distance) in (1..).zip(env.watch(rest)) {
        if distance > numbers.single() * state.1 {
            state = (index, distance);
        }
    }
    Ok(state.0)
}

/// The number in an input that must be a scalar.
fn scalar(input: &Tensor, name: &str) -> Result<i64> {
    ensure!(input.rank() == 0, "{name} must be a scalar, its shape is {}", input.shape());
    input.to_scalar()
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error, run_one};

    /// The rows that are drawn of 20 points.
    fn rows(count: i64, seed: i64, retries: i64) -> Vec<usize> {
        const POINTS: [[f32; 2]; 20] = [
            [17.886_284, 4.365_098_5],
            [0.964_974_7, -18.634_928],
            [-2.773_882_2, -3.547_589_8],
            [-0.827_414_9, -6.270_007],
            [-0.438_181_7, -4.772_180_6],
            [-13.138_647, 8.846_224],
            [8.81318, 17.09573],
            [0.500_336_4, -4.046_774_4],
            [-5.4536, -15.464_773],
            [9.823_674, -11.010_676],
            [-11.850_466, -2.056_499],
            [14.861_484, 2.367_162_7],
            [-10.237_851, -7.129_932],
            [6.25245, -1.605_133_5],
            [-7.688_364, -2.300_307_3],
            [7.450_562_5, 19.761_108],
            [-12.441_234, -6.264_169],
            [-8.037_661, -24.19083],
            [-9.23792, -10.238_757],
            [11.239_778_5, -1.319_142_3],
        ];
        let points = Tensor::from_vec([20, 2], POINTS.concat()).unwrap();
        let inputs = vec![points, count.into(), seed.into(), retries.into()];
        let out = run_one("KmeansPlusPlusInitialization", inputs).unwrap();
        let row = |point: &[f32]| POINTS.iter().position(|row| row == point).unwrap();
        out.as_slice::<f32>().unwrap().chunks(2).map(row).collect()
    }

    #[test]
    fn rows_are_those_of_tensorflow() {
        assert_eq!(rows(3, 1, 0), [8, 15, 3]);
        assert_eq!(rows(5, 2, -1), [7, 6, 16, 11, 8]);
        assert_eq!(rows(5, 2, 2), [7, 6, 16, 11, 5]);
        assert_eq!(rows(20, 7, 1), [14, 6, 19, 1, 8, 0, 4, 9, 5, 12, 17, 13, 15, 11, 2, 10, 18, 16, 3, 7]);
        assert_eq!(rows(1, 0, 0), [9]);
        assert_eq!(rows(4, -5, 3), [13, 8, 6, 16]);
    }

    #[test]
    fn equal_points_and_numbers_that_are_none() {
        let drawn = |points: [f32; 4], seed: i64, retries: i64| {
            let points = Tensor::from_vec([4, 1], points.to_vec()).unwrap();
            let out = run_one("KmeansPlusPlusInitialization", vec![points, 3i64.into(), seed.into(), retries.into()]);
            out.unwrap().as_slice::<f32>().unwrap().to_vec()
        };
        assert_eq!(drawn([0.0, 0.0, 0.0, 1.0], 1, 0), [0.0, 1.0, 1.0]);
        assert!(drawn([f32::NAN, f32::NAN, 1.0, 2.0], 1, 2).iter().all(|number| number.is_nan()));
    }

    #[test]
    fn chains_are_those_of_tensorflow() {
        for (seed, expected) in [(0i64, 4i64), (1, 4), (2, 3), (3, 1), (11, 4), (-4, 4)] {
            let distances = [5f32, 4.0, 3.0, 2.0, 1.0];
            check("KMC2ChainInitialization", [distances.into(), seed.into()], expected);
        }
        check("KMC2ChainInitialization", [[0f32, 0.0].into(), 1i64.into()], 0i64);
        check_error("KMC2ChainInitialization", [[0f32; 0].into(), 1i64.into()], "must not be empty");
        check_error("KMC2ChainInitialization", [[1f32].into(), [1i64].into()], "seed must be a scalar");
    }

    #[test]
    fn inputs_are_checked() {
        let refused = |count: i64, message| {
            let points = Tensor::from_vec([2, 1], vec![1f32, 2.0]).unwrap();
            check_error("KmeansPlusPlusInitialization", [points, count.into(), 1i64.into(), 1i64.into()], message);
        };
        refused(0, "must be at least 1");
        refused(3, "points has 2 rows only");
    }
}
