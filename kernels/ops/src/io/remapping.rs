//! Rows and columns of a checkpoint's matrix brought into the order of another vocabulary.

use oplink::prelude::*;

/// Which old words the words of a new vocabulary are, and how many of them there were.
///
/// Vocabularies are files with a word a line, of which carriage returns do not count; a word's number is that of its
/// line, from 0 on. The output `remapping` has for each of the `num_new_vocab` words from the number `new_vocab_offset`
/// on the number of the same word in the old vocabulary, or -1. Of the old vocabulary the first `old_vocab_size` words
/// count, or all with -1. Errors are vocabularies that are shorter, empty ones, empty lines, and an old word that
/// stands there twice.
#[op(
    "GenerateVocabRemapping",
    no_gradient,
    input = "new_vocab_file: string",
    input = "old_vocab_file: string",
    output = "remapping: int64",
    output = "num_present: int32",
    attr = "new_vocab_offset: int >= 0",
    attr = "num_new_vocab: int >= 0",
    attr = "old_vocab_size: int >= -1 = -1"
)]
pub fn generate_vocab_remapping(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(0, 0)?;
    c.with_rank(1, 0)?;
    c.set_output(0, PartialShape::new(&[extent(c, "num_new_vocab")?]));
    c.set_output(1, PartialShape::scalar());
    Ok(())
}

/// A matrix of floats from a checkpoint, [num_rows, num_cols], with its rows and columns in another order.
///
/// Row `i` is the row `row_remapping[i]` of the checkpoint's matrix, column `j` its column `col_remapping[j]`, or `j`
/// where that vector is empty. Elements whose row or column is negative are those of `initializing_values`, one after
/// the other; all of these must be used. No old row or column may stand there twice, and those that are read must
/// exist. Rows are read `max_rows_in_memory` at a time, or all that are needed at once where it is not above 0.
#[op(
    "LoadAndRemapMatrix",
    no_gradient,
    input = "ckpt_path: string",
    input = "old_tensor_name: string",
    input = "row_remapping: int64",
    input = "col_remapping: int64",
    input = "initializing_values: float",
    output = "output_matrix: float",
    attr = "num_rows: int >= 0",
    attr = "num_cols: int >= 1",
    attr = "max_rows_in_memory: int = -1",
    stateful
)]
pub fn load_and_remap_matrix(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(1, 0)?;
    c.set_output(0, PartialShape::new(&[extent(c, "num_rows")?, extent(c, "num_cols")?]));
    Ok(())
}

fn extent(c: &ShapeContext<'_>, attr: &str) -> Result<Option<usize>> {
    Ok(c.attr_if_known::<i64>(attr)?.and_then(|extent| usize::try_from(extent).ok()))
}
