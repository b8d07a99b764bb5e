//! Candidate samplers, and `ComputeAccidentalHits`.

use std::collections::{HashMap, HashSet};

use super::range_sampler::{Learned, LogUniform, Numbers, RangeSampler, Uniform, Weighted};
use super::vocabulary::{Vocabulary, weights};
use oplink::arguments::TypedOp;
use oplink::memory::try_collect;
use oplink::prelude::*;
use oplink_ops::random::draws::Generator;
use oplink_ops::random::{
    AllCandidateSampler, ComputeAccidentalHits, FixedUnigramCandidateSampler, LearnedUnigramCandidateSampler,
    LogUniformCandidateSampler, ThreadUnsafeUnigramCandidateSampler, UniformCandidateSampler,
};

/// Blocks that are set aside for a candidate.
const BLOCKS_PER_CANDIDATE: u64 = 512;
/// Draws after which there is an error.
const DRAWS: i32 = i32::MAX;

/// What samplers have in common.
struct Candidates {
    generator: Generator,
    num_true: usize,
    num_sampled: usize,
    unique: bool,
    range: u64,
    /// None where every integer of the range is a candidate.
    sampler: Option<Box<dyn RangeSampler>>,
}

/// The three outputs: candidates, and the expected counts of true classes and of candidates.
type Outputs<'a, 'c> = [&'a mut OutputSlot<'c>; 3];

impl Candidates {
    fn draw(&self, classes: &Tensor, outputs: Outputs<'_, '_>, env: &Env<'_>) -> Result<()> {
        let &[batch, columns] = classes.shape().dims() else {
            bail!("true_classes must be a matrix, its shape is {}", classes.shape())
        };
        ensure!(columns == self.num_true, "true_classes must have {} columns, it has {columns}", self.num_true);
        let is_enough = !self.unique || self.num_sampled as u64 <= self.range;
        ensure!(is_enough, "{} different candidates are asked for, there are {}", self.num_sampled, self.range);
        let [candidates, expected, expected_candidates] = outputs;
        let candidates = candidates.allocate([self.num_sampled])?.as_mut_slice::<i64>()?;
        let expected = expected.allocate([batch, columns])?.as_mut_slice::<f32>()?;
        let expected_candidates = expected_candidates.allocate([self.num_sampled])?.as_mut_slice::<f32>()?;
        let classes = classes.as_slice::<i64>()?;
        for class in env.watch(classes) {
            let is_known = u64::try_from(*class).is_ok_and(|class| class < self.range);
            ensure!(is_known, "true_classes must be from 0 to {}, one is {class}", self.range - 1);
        }
        let Some(sampler) = &self.sampler else {
            candidates.iter_mut().zip(0..).for_each(|(candidate, at)| *candidate = at);
            expected.fill(1.0);
            expected_candidates.fill(1.0);
            return Ok(());
        };
        // bounded: numbers of a sequence, no memory
        let start = self.generator.reserve((self.num_sampled as u64).wrapping_mul(BLOCKS_PER_CANDIDATE));
        let draws = self.fill(&**sampler, Numbers::new(start), candidates, env)?;
        let count = |value: &i64| expected_count(sampler.probability(*value as u64), self.num_sampled, draws);
        for (values, counts) in [(&*candidates, expected_candidates), (classes, expected)] {
            counts.iter_mut().zip(env.watch(values)).for_each(|(out, value)| *out = count(value));
        }
        sampler.update(classes);
        Ok(())
    }

    /// Draws candidates, and gives the number of draws.
    fn fill(
        &self,
        sampler: &dyn RangeSampler,
        mut numbers: Numbers,
        candidates: &mut [i64],
        env: &Env<'_>,
    ) -> Result<usize> {
        let (mut drawn, mut places) = (HashSet::new(), candidates.iter_mut());
        let (mut place, mut draws) = (places.next(), 0);
        for _ in env.watch(0..DRAWS) {
            let Some(candidate) = place.take() else { return Ok(draws) };
            *candidate = sampler.sample(&mut numbers) as i64;
            draws += 1;
            place = if self.unique && !drawn.insert(*candidate) { Some(candidate) } else { places.next() };
        }
        bail!("{DRAWS} draws gave fewer than {} different candidates", self.num_sampled)
    }
}

/// How often a value of this probability is expected among candidates that took so many draws.
fn expected_count(probability: f32, candidates: usize, draws: usize) -> f32 {
    if draws == candidates {
        return probability * candidates as f32;
    }
    -(draws as f32 * (-probability).ln_1p()).exp_m1()
}

/// Declares kernels that differ in their range and sampler alone, which are made of the attrs.
macro_rules! samplers {
    ($(#[kernel($op:ident $($keys:tt)*)] $name:ident: |$attrs:ident| $made:expr;)*) => {$(
        #[doc = concat!("`", stringify!($op), "` with the generator and the sampler of the node.")]
        pub struct $name(Candidates);

        #[oplink::kernel($op $($keys)*)]
        impl Kernel for $name {
            type Op = $op;

            fn new(construction: Construction<'_, $op>) -> Result<Self> {
                let $attrs = construction.attrs;
                let (range, sampler): (u64, Option<Box<dyn RangeSampler>>) = $made;
                Ok(Self(Candidates {
                    generator: Generator::from_seeds($attrs.seed, $attrs.seed2),
                    num_true: $attrs.num_true as usize,
                    num_sampled: $attrs.num_sampled as usize,
                    unique: $attrs.unique,
                    range,
                    sampler,
                }))
            }

            fn compute(
                &self,
                inputs: <$op as TypedOp>::Inputs<'_>,
                outputs: &mut <$op as TypedOp>::Outputs<'_>,
                env: Env<'_>,
            ) -> Result<()> {
                let outputs = [
                    &mut outputs.sampled_candidates,
                    &mut outputs.true_expected_count,
                    &mut outputs.sampled_expected_count,
                ];
                self.0.draw(&inputs.true_classes, outputs, &env)
            }
        }
    )*};
}

samplers! {
    #[kernel(UniformCandidateSampler, device = CPU)]
    UniformCandidateSamplerCpu: |attrs| {
        let range = attrs.range_max as u64;
        (range, Some(Box::new(Uniform(range))))
    };
    #[kernel(LogUniformCandidateSampler, device = CPU)]
    LogUniformCandidateSamplerCpu: |attrs| {
        let range = attrs.range_max as u64;
        (range, Some(Box::new(LogUniform(range))))
    };
    #[kernel(LearnedUnigramCandidateSampler, device = CPU)]
    LearnedUnigramCandidateSamplerCpu: |attrs| {
        let range = attrs.range_max as u64;
        (range, Some(Box::new(Learned::new(range)?)))
    };
    #[kernel(ThreadUnsafeUnigramCandidateSampler, device = CPU)]
    ThreadUnsafeUnigramCandidateSamplerCpu: |attrs| {
        let range = attrs.range_max as u64;
        (range, Some(Box::new(Learned::new(range)?)))
    };
    #[kernel(FixedUnigramCandidateSampler, device = CPU)]
    FixedUnigramCandidateSamplerCpu: |attrs| {
        let (weights, total) = weights(&Vocabulary {
            range: attrs.range_max as u64,
            file: attrs.vocab_file,
            unigrams: attrs.unigrams,
            distortion: attrs.distortion,
            reserved: attrs.num_reserved_ids,
            shards: attrs.num_shards,
            shard: attrs.shard,
        })?;
        (attrs.range_max as u64, Some(Box::new(Weighted::new(weights, total)?)))
    };
    #[kernel(AllCandidateSampler, device = CPU)]
    AllCandidateSamplerCpu: |attrs| (attrs.num_sampled as u64, None);
}

/// `ComputeAccidentalHits`.
#[kernel(ComputeAccidentalHits, device = CPU)]
pub fn compute_accidental_hits_cpu(
    true_classes: &Tensor,
    sampled_candidates: &Tensor,
    num_true: i64,
    env: Env<'_>,
) -> Result<(Tensor, Tensor, Tensor)> {
    let is_fit = true_classes.rank() == 2 && true_classes.shape()[1] as i64 == num_true;
    ensure!(is_fit, "true_classes must be a matrix of {num_true} columns, its shape is {}", true_classes.shape());
    let shape = sampled_candidates.shape();
    ensure!(sampled_candidates.rank() == 1, "sampled_candidates must be a vector, its shape is {shape}");
    let candidates = sampled_candidates.as_slice::<i64>()?;
    let positions: HashMap<i64, i64> = env.watch(candidates).copied().zip(0..).collect();
    let classes = env.watch(true_classes.as_slice::<i64>()?);
    let width = num_true.max(1) as usize;
    let hits = classes.enumerate().filter_map(|(at, class)| Some(((at / width) as i32, *positions.get(class)?)));
    let hits = try_collect(hits)?;
    let (rows, ids): (Vec<i32>, Vec<i64>) = hits.into_iter().unzip();
    let weights = Tensor::full([rows.len()], -f32::MAX);
    Ok((rows.into(), ids.into(), weights))
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{Threads, run, run_times};

    fn attrs(unique: bool) -> Vec<(&'static str, AttrValue)> {
        let seeds = [("seed", 1.into()), ("seed2", 2.into())];
        let counts = [("num_true", 1.into()), ("num_sampled", 3.into()), ("range_max", 5.into())];
        seeds.into_iter().chain(counts).chain([("unique", unique.into())]).collect()
    }

    #[test]
    fn what_was_seen_is_more_likely() {
        let classes = Tensor::from_vec([4, 1], vec![1i64; 4]).unwrap();
        let run = |unique| {
            run_times(&Threads(1), "LearnedUnigramCandidateSampler", &attrs(unique), std::slice::from_ref(&classes), 2)
                .unwrap()
        };
        let expected: Vec<f32> = run(false).iter().map(|out| out[1].as_slice::<f32>().unwrap()[0]).collect();
        assert_eq!(expected, [0.6, 5.0 / 9.0 * 3.0]);
        let runs = run(true);
        let mut candidates = runs[0][0].as_slice::<i64>().unwrap().to_vec();
        candidates.sort_unstable();
        candidates.dedup();
        assert_eq!(candidates.len(), 3);
    }

    #[test]
    fn classes_outside_of_the_range_are_errors() {
        let drawn = |class: i64| {
            run("UniformCandidateSampler", &attrs(true), vec![Tensor::from_vec([1, 1], vec![class]).unwrap()])
        };
        assert!(drawn(5).unwrap_err().to_string().contains("true_classes must be from 0 to 4, one is 5"));
        assert!(drawn(-1).is_err() && drawn(0).is_ok());
    }

    #[test]
    fn hits_are_the_last_positions() {
        let classes = Tensor::from_vec([2, 2], vec![1i64, 5, 3, 1]).unwrap();
        let out = run("ComputeAccidentalHits", &[("num_true", 2.into())], vec![classes, [1i64, 1, 3].into()]).unwrap();
        assert_eq!(out[0].as_slice::<i32>().unwrap(), [0, 1, 1]);
        assert_eq!(out[1].as_slice::<i64>().unwrap(), [1, 2, 1]);
        assert_eq!(out[2].as_slice::<f32>().unwrap(), [-f32::MAX; 3]);
    }
}
