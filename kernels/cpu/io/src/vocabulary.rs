//! `GenerateVocabRemapping`: which old words the words of a new vocabulary are.

use std::collections::HashMap;

use super::files::read;
use super::paths::{path, scalar};
use oplink::memory::{exhausted, try_vec};
use oplink::prelude::*;
use oplink_ops::io::GenerateVocabRemapping;

/// What stands for a word that there was not.
const ABSENT: i64 = -1;

/// `GenerateVocabRemapping`.
#[kernel(GenerateVocabRemapping, device = CPU)]
pub fn generate_vocab_remapping_cpu(
    new_vocab_file: &Tensor,
    old_vocab_file: &Tensor,
    new_vocab_offset: i64,
    num_new_vocab: i64,
    old_vocab_size: i64,
    mut remapping: OutputSlot<'_>,
    mut num_present: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let new = Vocabulary::read(new_vocab_file, "new_vocab_file", env)?;
    let new_words = new.words(None, env)?;
    let chosen = usize::try_from(new_vocab_offset).ok().and_then(|first| {
        let count = usize::try_from(num_new_vocab).ok()?;
        new_words.get(first..first.checked_add(count)?)
    });
    let Some(chosen) = chosen else {
        bail!(
            "{num_new_vocab} words from the number {new_vocab_offset} on are asked for, {:?} has {}",
            new.name,
            new_words.len()
        )
    };
    let old = Vocabulary::read(old_vocab_file, "old_vocab_file", env)?;
    let old_words = old.words(usize::try_from(old_vocab_size).ok(), env)?;
    let numbers = old.numbers(&old_words, env)?;
    let mut present = 0;
    let out = remapping.allocate([chosen.len()])?.as_mut_slice::<i64>()?;
    for (out, word) in out.iter_mut().zip(env.watch(chosen)) {
        *out = numbers.get(word).copied().unwrap_or(ABSENT);
        present += i32::from(*out != ABSENT);
    }
    num_present.set_scalar(present);
    Ok(())
}

/// A file with a word a line.
struct Vocabulary<'a> {
    name: &'a TString,
    text: Vec<u8>,
}

impl<'a> Vocabulary<'a> {
    /// Reads the file that an input names. Carriage returns are left out, wherever they stand.
    fn read(file: &'a Tensor, input: &str, env: Env<'_>) -> Result<Self> {
        let name = scalar(file, input)?;
        ensure!(!name.as_bytes().is_empty(), "{input} must name a file, it is empty");
        let mut text = read(&path(name.as_bytes())?, env)?;
        text.retain(|&byte| byte != b'\r');
        Ok(Self { name, text })
    }

    /// The first words, or all.
    fn words(&self, wanted: Option<usize>, env: Env<'_>) -> Result<Vec<&[u8]>> {
        let text = self.text.strip_suffix(b"\n").unwrap_or(&self.text);
        let lines = || text.split(|&byte| byte == b'\n');
        let count = if self.text.is_empty() { 0 } else { env.watch(lines()).count() };
        let wanted = wanted.unwrap_or(count);
        if count == 0 || wanted == 0 {
            return Err(Error::out_of_range(format!("no words are read of {:?}, which has {count}", self.name)));
        }
        ensure!(wanted <= count, "{wanted} words are asked for, {:?} has {count}", self.name);
        let mut words = try_vec(wanted)?;
        for (number, word) in env.watch(lines().take(wanted)).enumerate() {
            ensure!(!word.is_empty(), "line {number} of {:?} is empty, it must be a word", self.name);
            words.push(word);
        }
        Ok(words)
    }

    /// The number of each word.
    fn numbers<'w>(&self, words: &[&'w [u8]], env: Env<'_>) -> Result<HashMap<&'w [u8], i64>> {
        let mut numbers = HashMap::new();
        let bytes = words.len().saturating_mul(size_of::<(&[u8], i64)>());
        numbers.try_reserve(words.len()).map_err(|_| exhausted(bytes))?;
        for (&word, number) in env.watch(words).zip(0..) {
            if let Some(first) = numbers.insert(word, number) {
                let word = word.escape_ascii();
                let message = format!("the word `{word}` stands in lines {first} and {number} of {:?}", self.name);
                return Err(Error::new(Code::FailedPrecondition, ErrorKind::InvalidArgument, message));
            }
        }
        Ok(numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    /// Remaps words from `offset` on, `count` of them, of vocabularies in files of a folder of this test.
    fn remapped(name: &str, new: &str, old: &str, [offset, count, size]: [i64; 3]) -> Result<(Vec<i64>, i32)> {
        let folder = std::env::temp_dir().join(format!("oplink-vocabulary-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = |name: &str, text: &str| {
            std::fs::write(folder.join(name), text).unwrap();
            Tensor::from(folder.join(name).to_str().unwrap())
        };
        let inputs = vec![file("new", new), file("old", old)];
        let attrs =
            [("new_vocab_offset", offset.into()), ("num_new_vocab", count.into()), ("old_vocab_size", size.into())];
        let out = run("GenerateVocabRemapping", &attrs, inputs);
        std::fs::remove_dir_all(&folder).unwrap();
        let out = out?;
        Ok((out[0].as_slice::<i64>()?.to_vec(), out[1].to_scalar()?))
    }

    #[test]
    fn words_are_found_again() {
        let found = |new: &str, old: &str, numbers| remapped("found", new, old, numbers).unwrap();
        let (new, old) = ("a\nb\nc\nd\n", "c\nx\na\nd");
        assert_eq!(found(new, old, [0, 4, -1]), (vec![2, -1, 0, 3], 3));
        assert_eq!(found(new, old, [1, 2, -1]), (vec![-1, 0], 1));
        assert_eq!(found(new, old, [0, 4, 2]), (vec![-1, -1, 0, -1], 1));
        assert_eq!(found(new, old, [4, 0, -1]), (vec![], 0));
        assert_eq!(found("a\nb\na\n", old, [0, 3, -1]), (vec![2, -1, 2], 2));
        assert_eq!(found(new, "a\nb\na\n", [0, 4, 2]), (vec![0, 1, -1, -1], 2));
        assert_eq!(found(new, "a\n\nb\n\n", [0, 4, 1]), (vec![0, -1, -1, -1], 1));
        assert_eq!(found("a\rb\nc\r\r\n", "ab\nc\n", [0, 2, -1]), (vec![0, 1], 2));
    }

    #[test]
    fn errors_are_those_of_tensorflow() {
        let code = |new: &str, old: &str, numbers| remapped("errors", new, old, numbers).unwrap_err().code();
        let (new, old) = ("a\nb\nc\nd\n", "c\nx\na\nd");
        assert_eq!(code(new, old, [0, 4, 0]), Code::OutOfRange);
        assert_eq!(code(new, old, [0, 4, 9]), Code::InvalidArgument);
        assert_eq!(code(new, old, [0, 5, -1]), Code::InvalidArgument);
        assert_eq!(code(new, old, [5, 0, -1]), Code::InvalidArgument);
        assert_eq!(code(new, "a\nb\na\n", [0, 4, -1]), Code::FailedPrecondition);
        assert_eq!(code("", old, [0, 0, -1]), Code::OutOfRange);
        assert_eq!(code(new, "", [0, 1, 0]), Code::OutOfRange);
        assert_eq!(code("a\n\nb\n\n", old, [0, 1, -1]), Code::InvalidArgument);
        assert_eq!(code(new, "\n", [0, 1, -1]), Code::InvalidArgument);
    }
}
