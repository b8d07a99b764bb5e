//! The weights of `FixedUnigramCandidateSampler`.

use std::fs::File;
use std::io::{BufRead, BufReader};

use oplink::memory::{try_filled, try_reserve};
use oplink::prelude::*;

/// The longest line of a file of weights, in bytes.
const LONGEST_LINE: usize = 1 << 20;

/// The attrs that tell weights.
#[derive(Debug)]
pub(super) struct Vocabulary<'a> {
    pub(super) range: u64,
    pub(super) file: &'a str,
    pub(super) unigrams: &'a [f32],
    pub(super) distortion: f32,
    pub(super) reserved: i64,
    pub(super) shards: i64,
    pub(super) shard: i64,
}

/// The weights of a shard, and their sum.
///
/// # Errors
/// There are not as many as the range says, a file cannot be read, or there are neither a file nor weights, or both.
pub(super) fn weights(vocabulary: &Vocabulary<'_>) -> Result<(Vec<f32>, f32)> {
    let Vocabulary { range, file, unigrams, .. } = *vocabulary;
    ensure!(i32::try_from(range).is_ok(), "range_max must be at most {}, it is {range}", i32::MAX);
    ensure!(
        file.is_empty() != unigrams.is_empty(),
        "exactly one of vocab_file and unigrams must be given, {} are",
        if file.is_empty() { "none" } else { "both" }
    );
    let mut shard = Shard::new(vocabulary)?;
    if file.is_empty() {
        unigrams.iter().try_for_each(|&weight| shard.add(|| Ok(weight)))?;
    } else {
        read(file, &mut shard)?;
    }
    let count = shard.weights.len();
    ensure!(count as u64 == range, "range_max must be the number of weights, they are {range} and {count}");
    Ok((shard.weights, shard.total))
}

/// The weights that are kept.
struct Shard<'a> {
    vocabulary: &'a Vocabulary<'a>,
    next: i64,
    weights: Vec<f32>,
    total: f32,
}

impl<'a> Shard<'a> {
    /// With the reserved classes, of weight 0.
    fn new(vocabulary: &'a Vocabulary<'a>) -> Result<Self> {
        let Vocabulary { range, reserved, shards, shard, .. } = *vocabulary;
        let count = if reserved > shard { (reserved - 1 - shard) / shards + 1 } else { 0 };
        ensure!(count as u64 <= range, "{count} classes are reserved, range_max is {range}");
        Ok(Self { vocabulary, next: count, weights: try_filled(0.0, count as usize)?, total: 0.0 })
    }

    /// Adds the next weight where it is this shard's; only then it is asked for.
    fn add(&mut self, weight: impl FnOnce() -> Result<f32>) -> Result<()> {
        let Vocabulary { range, shards, shard, distortion, .. } = *self.vocabulary;
        if self.next % shards == shard {
            ensure!(
                (self.weights.len() as u64) < range,
                "there are more weights than range_max says, which is {range}"
            );
            let weight = weight()?.powf(distortion);
            try_reserve(&mut self.weights, 1)?;
            self.weights.push(weight);
            self.total += weight;
        }
        self.next += 1;
        Ok(())
    }
}

/// Adds the last fields of the lines of a file. Empty lines are left out.
fn read(path: &str, shard: &mut Shard<'_>) -> Result<()> {
    let failed = |error: std::io::Error| Error::from(error).context(format!("reading the weights in {path}"));
    let mut file = BufReader::new(File::open(path).map_err(failed)?);
    let mut line = Vec::new();
    loop {
        line.clear();
        let mut part = std::io::Read::take(&mut file, LONGEST_LINE as u64);
        if part.read_until(b'\n', &mut line).map_err(failed)? == 0 {
            return Ok(());
        }
        ensure!(line.len() < LONGEST_LINE, "a line of {path} is longer than {LONGEST_LINE} bytes");
        let text = String::from_utf8_lossy(line.strip_suffix(b"\n").unwrap_or(&line));
        let text = text.trim_end_matches('\r');
        if !text.is_empty() {
            let field = text.rsplit(',').next().unwrap_or(text);
            let wrong =
                |_| Error::invalid_argument(format!("the last field of the line `{text}` of {path} is no number"));
            shard.add(|| field.trim().parse().map_err(wrong))?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vocabulary(unigrams: &[f32]) -> Vocabulary<'_> {
        Vocabulary { range: 3, file: "", unigrams, distortion: 2.0, reserved: 1, shards: 1, shard: 0 }
    }

    #[test]
    fn reserved_classes_come_first() {
        assert_eq!(weights(&vocabulary(&[1.0, 3.0])).unwrap(), (vec![0.0, 1.0, 9.0], 10.0));
        assert!(weights(&vocabulary(&[1.0])).unwrap_err().to_string().contains("must be the number of weights"));
        assert!(weights(&vocabulary(&[1.0; 3])).unwrap_err().to_string().contains("more weights than range_max"));
        assert!(weights(&vocabulary(&[])).unwrap_err().to_string().contains("none are"));
    }

    #[test]
    fn shards_keep_what_leaves_their_number() {
        let unigrams = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let shard = |shard| Vocabulary { shards: 2, shard, reserved: 0, distortion: 1.0, ..vocabulary(&unigrams) };
        assert_eq!(weights(&shard(1)).unwrap().0, [2.0, 4.0, 6.0]);
        assert_eq!(weights(&shard(0)).unwrap().0, [1.0, 3.0, 5.0]);
    }
}
