//! `DecodeCSV`: records of comma-separated values as a tensor for each column.

use oplink::prelude::*;

/// The columns of records as RFC 4180 has them.
///
/// Each record has a field for each output. An empty field, and one that is `na_value`, takes its default, a vector of
/// one element; where that has none, the field is required. `select_cols` names the columns that are read, in rising
/// order; all where it is empty. Numbers may stand between spaces.
#[op(
    "DecodeCSV",
    no_gradient,
    input = "records: string",
    input = "record_defaults: OUT_TYPE",
    output = "output: OUT_TYPE",
    attr = "OUT_TYPE: list({float, double, int32, int64, string}) >= 1",
    attr = "field_delim: string = ','",
    attr = "use_quote_delim: bool = true",
    attr = "na_value: string = ''",
    attr = "select_cols: list(int) = []"
)]
pub fn decode_csv(c: &mut ShapeContext<'_>) -> Result<()> {
    for default in 1..c.num_inputs() {
        let shape = c.with_rank_at_most(default, 1)?;
        let fits = shape.rank() != Some(1) || shape.dim(0).is_none_or(|count| count <= 1);
        ensure!(fits, "record_defaults[{}] must have one element at most, its shape is {shape}", default - 1);
    }
    for output in 0..c.num_outputs() {
        c.set_output(output, c.input(0).clone());
    }
    Ok(())
}
