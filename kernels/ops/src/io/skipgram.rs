//! `Skipgram`: pairs of words that stand near each other in a text.

use oplink::prelude::*;

/// The words of a text file with their numbers, and pairs of words that stand near each other (Mikolov et al.,
/// "Distributed representations of words and phrases and their compositionality", 2013).
///
/// Words are what white space separates. `vocab_word` has those that occur at least `min_count` times, the most
/// frequent first, behind `UNK`, the word 0, which stands for all others; `vocab_freq` how often each occurs. Among
/// words that occur as often the first one in the text comes first. `words_per_epoch` is the number of words in the
/// file, `current_epoch` how often it was begun again, `total_words_processed` the number of words that pairs were made
/// of; both are ahead of the pairs that are given, because these are made 3000 at a time.
///
/// `examples` and `labels` are vectors of `batch_size` numbers of words. An example is each word of the text, in
/// sentences of 1000 words; its labels are the words at most a number from 1 to `window_size` before and behind it,
/// which is drawn for each. Where `subsample` is above 0, frequent words are left out at random. The numbers drawn are
/// the same in every session. A file with fewer than ten times `window_size` words is an error.
#[op("Skipgram",
     no_gradient,
     output = "vocab_word: string",
     output = "vocab_freq: int32",
     output = "words_per_epoch: int64",
     output = "current_epoch: int32",
     output = "total_words_processed: int64",
     output = "examples: int32",
     output = "labels: int32",
     attr = "filename: string",
     attr = "batch_size: int",
     attr = "window_size: int = 5",
     attr = "min_count: int = 5",
     attr = "subsample: float = 0.001",
     bytes(filename),
     stateful,
     deprecated(
         since = 19,
         note = "Moving word2vec into tensorflow_models/tutorials and deprecating its ops here as a result"
     ),
     shape = shape_fns::unknown)]
pub struct Skipgram;
