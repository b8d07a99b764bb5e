//! `Skipgram`: pairs of words that stand near each other in a text.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::files::read;
use super::paths::path;
use oplink::memory::{exhausted, try_collect, try_filled, try_reserve, try_vec};
use oplink::prelude::*;
use oplink_ops::io::{Skipgram, SkipgramInputs, SkipgramOutputs};
use oplink_ops::philox::{Philox, Singles};

/// Pairs that are made at once.
const PAIRS: usize = 3000;
/// Words of a sentence.
const SENTENCE: usize = 1000;
/// Words that a text has at least, by the words of a window.
const LEAST: i64 = 10;

/// `Skipgram`, with the place in the text that its node has come to.
pub struct SkipgramCpu {
    filename: Vec<u8>,
    batch_size: usize,
    options: Options,
    reader: Mutex<Option<Reader>>,
}

#[derive(Clone, Copy)]
struct Options {
    window: i64,
    min_count: i64,
    subsample: f32,
}

#[kernel(Skipgram, device = CPU)]
impl Kernel for SkipgramCpu {
    type Op = Skipgram;

    fn new(construction: Construction<'_, Skipgram>) -> Result<Self> {
        let attrs = &construction.attrs;
        let (size, window) = (attrs.batch_size, attrs.window_size);
        let batch_size = usize::try_from(size);
        let batch_size =
            batch_size.map_err(|_| Error::invalid_argument(format!("batch_size must be at least 0, it is {size}")))?;
        ensure!((1..=i64::from(i32::MAX)).contains(&window), "window_size must be at least 1, it is {window}");
        let options = Options { window, min_count: attrs.min_count, subsample: attrs.subsample };
        Ok(Self { filename: attrs.filename.to_vec(), batch_size, options, reader: Mutex::new(None) })
    }

    fn compute(&self, _: SkipgramInputs<'_>, outputs: &mut SkipgramOutputs<'_>, env: Env<'_>) -> Result<()> {
        let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        let reader = match &mut *reader {
            Some(reader) => reader,
            none => none.insert(Reader::open(&self.filename, self.options, env)?),
        };
        let mut examples = try_vec(self.batch_size)?;
        let mut labels = try_vec(self.batch_size)?;
        for _ in env.watch(0..self.batch_size) {
            let (example, label) = reader.next(env);
            examples.push(example);
            labels.push(label);
        }
        outputs.vocab_word.set(reader.words.clone());
        outputs.vocab_freq.set(reader.counts.clone());
        outputs.words_per_epoch.set_scalar(reader.corpus.len() as i64);
        outputs.current_epoch.set_scalar(reader.epoch);
        outputs.total_words_processed.set_scalar(reader.processed);
        outputs.examples.set(Tensor::from_vec([examples.len()], examples)?);
        outputs.labels.set(Tensor::from_vec([labels.len()], labels)?);
        Ok(())
    }
}

/// A text, and the next pair of it.
struct Reader {
    options: Options,
    words: Tensor,
    counts: Tensor,
    /// The number of each word of the text.
    corpus: Vec<i32>,
    /// How likely each word is kept in a sentence; none where all are.
    chances: Vec<f32>,
    numbers: Singles,
    pairs: Vec<(i32, i32)>,
    /// The pair that is given next.
    given: usize,
    epoch: i32,
    processed: i64,
    /// The word of the text that is read next.
    position: usize,
    sentence: Vec<i32>,
    /// The example in the sentence, its next label, and the end of its labels.
    example: usize,
    label: usize,
    label_end: usize,
}

impl Reader {
    fn open(filename: &[u8], options: Options, env: Env<'_>) -> Result<Self> {
        let text = read(&path(filename)?, env)?;
        let Vocabulary { words, counts, corpus } = Vocabulary::of(&text, options.min_count, env)?;
        let (count, name) = (corpus.len(), filename.escape_ascii());
        ensure!(
            count as i64 >= options.window * LEAST,
            "the file `{name}` has {count} words, it must have {LEAST} times window_size ({}) at least",
            options.window
        );
        let scaled = options.subsample * count as f32;
        let chance = |&count: &i32| {
            let count = count as f32;
            ((count / scaled).sqrt() + 1.0) * scaled / count
        };
        let chances = if options.subsample > 0.0 { try_collect(env.watch(&counts).map(chance))? } else { Vec::new() };
        Ok(Self {
            options,
            words: words.into(),
            counts: counts.into(),
            corpus,
            chances,
            numbers: Singles::new(Philox::new(0, 0)),
            pairs: try_vec(PAIRS)?,
            given: PAIRS,
            epoch: -1,
            processed: 0,
            position: count,
            sentence: try_filled(0, SENTENCE)?,
            example: SENTENCE,
            label: 0,
            label_end: 0,
        }
        .begun(env))
    }

    /// With the first pairs made.
    fn begun(mut self, env: Env<'_>) -> Self {
        self.refill(env);
        self
    }

    /// Gives the next pair, and makes further ones when it was the last.
    fn next(&mut self, env: Env<'_>) -> (i32, i32) {
        let pair = self.pairs[self.given];
        self.given += 1;
        if self.given == PAIRS {
            self.refill(env);
        }
        pair
    }

    fn refill(&mut self, env: Env<'_>) {
        self.pairs.clear();
        for _ in 0..PAIRS {
            let pair = self.make_pair(env);
            self.pairs.push(pair);
        }
        self.given = 0;
    }

    fn make_pair(&mut self, env: Env<'_>) -> (i32, i32) {
        loop {
            if self.label >= self.label_end {
                self.next_example(env);
            }
            self.label += 1;
            if self.label - 1 != self.example {
                return (self.sentence[self.example], self.sentence[self.label - 1]);
            }
        }
    }

    /// Goes to the next word, and draws how far its labels are from it.
    fn next_example(&mut self, env: Env<'_>) {
        self.processed += 1;
        self.example += 1;
        if self.example >= SENTENCE {
            self.example = 0;
            self.read_sentence(env);
        }
        let far = 1 + self.numbers.below(self.options.window as u32) as usize;
        self.label = self.example.saturating_sub(far);
        self.label_end = SENTENCE.min(self.example + far + 1);
    }

    fn read_sentence(&mut self, env: Env<'_>) {
        let mut at = 0;
        for _ in env.watch(0u64..) {
            if at == SENTENCE {
                return;
            }
            if self.position >= self.corpus.len() {
                self.epoch = self.epoch.saturating_add(1);
                self.position = 0;
            }
            let word = self.corpus[self.position];
            self.position += 1;
            let dropped = self.chances.get(word as usize).is_some_and(|&chance| self.numbers.single() > chance);
            if !dropped {
                self.sentence[at] = word;
                at += 1;
            }
        }
    }
}

/// The words of a text.
struct Vocabulary {
    words: Vec<TString>,
    counts: Vec<i32>,
    /// The number of each word of the text.
    corpus: Vec<i32>,
}

impl Vocabulary {
    /// The words that occur at least `min_count` times, the most frequent first.
    fn of(text: &[u8], min_count: i64, env: Env<'_>) -> Result<Self> {
        let separates = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'\x0b';
        let all = || env.watch(text.split(separates).filter(|word| !word.is_empty()));
        // For each word the place of its first occurrence, and how often it occurs.
        let mut found: HashMap<&[u8], (usize, i32)> = HashMap::new();
        let mut count = 0usize;
        for word in all() {
            found.try_reserve(1).map_err(|_| exhausted(size_of::<(&[u8], usize, i32)>()))?;
            let (_, occurrences) = found.entry(word).or_insert((count, 0));
            *occurrences = occurrences.saturating_add(1);
            count += 1;
        }
        let mut frequent = try_collect(found.iter().filter(|(_, (_, count))| i64::from(*count) >= min_count))?;
        frequent.sort_unstable_by_key(|(_, (first, count))| (std::cmp::Reverse(*count), *first));
        let mut words = try_vec(frequent.len() + 1)?;
        let mut counts = try_vec(frequent.len() + 1)?;
        words.push(TString::new("UNK"));
        counts.push(0);
        let mut numbers = HashMap::new();
        numbers.try_reserve(frequent.len()).map_err(|_| exhausted(frequent.len().saturating_mul(32)))?;
        for ((&word, &(_, count)), number) in env.watch(frequent.iter().copied()).zip(1i32..) {
            numbers.insert(word, number);
            words.push(TString::new(word));
            counts.push(count);
        }
        let known: i64 = counts.iter().map(|&count| i64::from(count)).sum();
        counts[0] = i32::try_from(count as i64 - known).unwrap_or(i32::MAX);
        let mut corpus = Vec::new();
        try_reserve(&mut corpus, count)?;
        corpus.extend(all().map(|word| numbers.get(word).copied().unwrap_or(0)));
        Ok(Self { words, counts, corpus })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    /// The outputs for a text with `batch_size` pairs.
    fn outputs(name: &str, text: &str, batch_size: i64, window_size: i64) -> Result<Vec<Tensor>> {
        let file = std::env::temp_dir().join(format!("oplink-skipgram-{}-{name}", std::process::id()));
        std::fs::write(&file, text).unwrap();
        let attrs = [
            ("filename", file.to_str().unwrap().into()),
            ("batch_size", batch_size.into()),
            ("window_size", window_size.into()),
            ("min_count", 5i64.into()),
            ("subsample", 0.001f32.into()),
        ];
        let out = run("Skipgram", &attrs, Vec::new());
        std::fs::remove_file(&file).unwrap();
        out
    }

    #[test]
    fn words_are_ordered_by_how_often_they_occur() {
        let text = "b ".repeat(20) + &"a\tc\n".repeat(30) + &"rare ".repeat(4) + "d\x0bd\rd d d d";
        let out = outputs("words", &text, 4000, 5).unwrap();
        let words: Vec<_> = out[0].as_slice::<TString>().unwrap().iter().map(|word| word.as_bytes().to_vec()).collect();
        assert_eq!(words, [b"UNK".as_slice(), b"a", b"c", b"b", b"d"]);
        assert_eq!(out[1].as_slice::<i32>().unwrap(), [4, 30, 30, 20, 6]);
        assert_eq!(out[2].to_scalar::<i64>().unwrap(), 90);
        assert!(out[3].to_scalar::<i32>().unwrap() > 0 && out[4].to_scalar::<i64>().unwrap() > 500);
        assert!(out[5].as_slice::<i32>().unwrap().iter().all(|word| (0..5).contains(word)));
        assert_eq!(out[6].shape().dims(), [4000]);
    }

    #[test]
    fn a_short_text_is_refused() {
        assert_eq!(outputs("short", &"a ".repeat(49), 1, 5).unwrap_err().code(), Code::InvalidArgument);
        assert!(outputs("enough", &"a ".repeat(50), 1, 5).is_ok());
        assert!(outputs("no pairs", &"a ".repeat(50), -1, 5).is_err());
        assert!(outputs("no window", &"a ".repeat(50), 1, 0).is_err());
    }
}
