//! `StringNGrams`: runs of neighbouring strings, joined, within each row of a ragged matrix.
//!
//! `data_splits` says where rows start and end in the vector `data`: it starts with 0, does not decrease and ends with
//! the number of strings. For each of the attr `ngram_widths` in turn a row gives all runs of that many strings, joined
//! with `separator`. Rows count as if `pad_width` times `left_pad` stood before them and `right_pad` after them, but at
//! most, and for a negative `pad_width` exactly, one less than the width of a run. With `preserve_short_sequences` a
//! row that is not empty but gives no run gives one with all its strings and `pad_width` paddings on both sides. The
//! outputs are the runs and their row splits.

use oplink::memory::{try_resize, try_vec};
use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_ops::string::StringNGrams;

/// `StringNGrams` with row splits of int32 and int64.
#[kernel(StringNGrams, device = CPU, Tsplits = any)]
pub fn string_n_grams_cpu(
    data: &Tensor,
    data_splits: &Tensor,
    separator: &[u8],
    ngram_widths: &[i64],
    left_pad: &[u8],
    right_pad: &[u8],
    pad_width: i64,
    preserve_short_sequences: bool,
    mut ngrams: OutputSlot<'_>,
    mut ngrams_splits: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    ensure!(ngram_widths.iter().all(|&width| width > 0), "ngram_widths must be > 0, they are {ngram_widths:?}");
    check_padding(ngram_widths, pad_width, data.num_elements())?;
    let rows = Rows {
        env,
        separator,
        widths: ngram_widths,
        left: left_pad,
        right: right_pad,
        padding: pad_width,
        keeps_short: preserve_short_sequences,
    };
    let splits = int_values(data_splits)?;
    check_splits(&splits, data.num_elements())?;
    let strings = data.as_slice::<TString>()?;
    let mut ends = vec![0];
    if strings.is_empty() || splits.is_empty() {
        ngrams.set(Tensor::zeros(DType::String, data.shape().clone())?);
        try_resize(&mut ends, splits.len(), 0)?;
    } else {
        let mut runs = Vec::new();
        for row in env.watch(splits.windows(2)) {
            rows.extend(&strings[row[0] as usize..row[1] as usize], &mut runs)?;
            ends.push(runs.len() as i64);
        }
        ngrams.set(runs.into());
    }
    let out = ngrams_splits.allocate(data_splits.shape().clone())?;
    match out.dtype() {
        DType::Int32 => out.as_mut_slice::<i32>()?.iter_mut().zip(ends).for_each(|(out, end)| *out = end as i32),
        _ => out.as_mut_slice::<i64>()?.copy_from_slice(&ends),
    }
    Ok(())
}

/// Whether widths and paddings are numbers that TensorFlow takes: no row with its paddings has more than [`LONGEST`]
/// strings.
fn check_padding(widths: &[i64], pad_width: i64, strings: usize) -> Result<()> {
    for &width in widths {
        let padding = if pad_width < 0 { width - 1 } else { pad_width.min(width - 1) };
        ensure!(
            width <= LONGEST && 2 * padding <= LONGEST - strings.min(LONGEST as usize) as i64,
            "ngram_widths has {width}: a run of {width} strings with {padding} paddings on both sides is too long"
        );
    }
    Ok(())
}

/// Strings of a run at most.
const LONGEST: i64 = i32::MAX as i64;

fn check_splits(splits: &[i64], count: usize) -> Result<()> {
    let (Some(&first), Some(&last)) = (splits.first(), splits.last()) else { return Ok(()) };
    ensure!(first == 0, "data_splits must start with 0, they start with {first}");
    if let Some([low, split, ..]) = splits.windows(2).find(|pair| pair[1] < pair[0] || pair[1] > count as i64) {
        bail!("data_splits has {split}, which must be in [{low}, {count}]");
    }
    ensure!(last == count as i64, "data_splits must end with the number of strings {count}, they end with {last}");
    Ok(())
}

/// How rows are joined.
struct Rows<'a> {
    env: Env<'a>,
    separator: &'a [u8],
    widths: &'a [i64],
    left: &'a [u8],
    right: &'a [u8],
    padding: i64,
    keeps_short: bool,
}

impl Rows<'_> {
    /// Appends the runs of a row.
    fn extend(&self, row: &[TString], ngrams: &mut Vec<TString>) -> Result<()> {
        let before = ngrams.len();
        for &width in self.widths {
            let most = width - 1;
            let padding = if self.padding < 0 { most } else { self.padding.min(most) };
            self.join(row, width as usize, padding as usize, ngrams)?;
        }
        if self.keeps_short && ngrams.len() == before && !row.is_empty() {
            let Ok(padding) = usize::try_from(self.padding) else {
                bail!("pad_width must be >= 0 to preserve short sequences without a width, it is {}", self.padding)
            };
            ensure!(padding as i64 <= LONGEST / 2, "pad_width {padding} is too large to preserve short sequences");
            self.join(row, row.len() + 2 * padding, padding, ngrams)?;
        }
        Ok(())
    }

    /// Appends the runs of `width` strings of a row with so many paddings on both sides.
    fn join(&self, row: &[TString], width: usize, padding: usize, ngrams: &mut Vec<TString>) -> Result<()> {
        let padded = row.len() + 2 * padding;
        let string = |at: usize| match at.checked_sub(padding) {
            None => self.left,
            Some(at) => row.get(at).map_or(self.right, TString::as_bytes),
        };
        for start in 0..(padded + 1).saturating_sub(width) {
            self.env.poll();
            let positions = || self.env.watch(start..start + width);
            let bytes = positions().map(|at| string(at).len() + self.separator.len()).sum::<usize>();
            let mut run = try_vec(bytes)?;
            for at in positions() {
                run.extend_from_slice(if at > start { self.separator } else { &[] });
                run.extend_from_slice(string(at));
            }
            ngrams.push(TString::new(run));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    fn ngrams(splits: &[i64], widths: Vec<i64>, padding: i64, keeps_short: bool) -> Result<(String, Vec<i64>)> {
        let attrs = [
            ("separator", "|".into()),
            ("ngram_widths", widths.into()),
            ("left_pad", "L".into()),
            ("right_pad", "R".into()),
            ("pad_width", padding.into()),
            ("preserve_short_sequences", keeps_short.into()),
        ];
        let data = ["a", "b", "c", "d", "e"].map(TString::from);
        let out = run("StringNGrams", &attrs, vec![data.into(), splits.into()])?;
        let text = out[0].as_slice::<TString>()?.iter().map(|s| s.to_str().unwrap().to_owned()).collect::<Vec<_>>();
        Ok((text.join(" "), out[1].as_slice::<i64>()?.to_vec()))
    }

    #[test]
    fn runs_are_those_of_tensorflow() {
        let is = |actual: Result<(String, Vec<i64>)>, text: &str, splits: &[i64]| {
            assert_eq!(actual.unwrap(), (text.to_owned(), splits.to_vec()));
        };
        is(ngrams(&[0, 3, 3, 5], vec![2], 0, false), "a|b b|c d|e", &[0, 2, 2, 3]);
        is(ngrams(&[0, 3, 4, 5], vec![3], 1, false), "L|a|b a|b|c b|c|R L|d|R L|e|R", &[0, 3, 4, 5]);
        is(ngrams(&[0, 3, 4, 5], vec![4], 1, true), "L|a|b|c a|b|c|R L|d|R L|e|R", &[0, 2, 3, 4]);
        is(ngrams(&[0, 0, 5], vec![2], 1, false), "L|R L|a a|b b|c c|d d|e e|R", &[0, 1, 7]);
        is(ngrams(&[0, 3, 4, 5], vec![], 0, false), "", &[0, 0, 0, 0]);
    }

    #[test]
    fn wrong_splits_and_widths_are_errors() {
        for splits in [&[1i64, 5][..], &[0, 3], &[0, 4, 3, 5], &[0, 9], &[0, -1, 5]] {
            assert!(ngrams(splits, vec![2], 0, false).is_err(), "{splits:?}");
        }
        assert!(ngrams(&[0, 5], vec![0], 0, false).is_err());
        assert!(ngrams(&[0, 5], vec![], -1, true).is_err());
    }
}
