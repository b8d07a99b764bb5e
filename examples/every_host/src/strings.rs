//! Strings, in hosts that have them.

use oplink::prelude::*;

/// Joins strings element by element, with `separator` between them. All `parts` have one shape, which the output has
/// too.
#[op(
    "JoinTexts",
    input = "parts: N * string",
    output = "joined: string",
    attr = "N: int >= 1",
    attr = "separator: string = ''"
)]
pub fn join_texts_shapes(c: &mut ShapeContext<'_>) -> Result<()> {
    let mut shape = PartialShape::unknown();
    for part in c.input_list("parts")? {
        shape = c.merge(&shape, part)?;
    }
    c.set_output(0, shape);
    Ok(())
}

#[kernel(JoinTexts, device = CPU)]
pub fn join_texts(parts: Inputs<'_, TString>, separator: &[u8], joined: &mut Tensor) -> Result<()> {
    let parts = parts.tensors().iter().map(Tensor::as_slice::<TString>).collect::<Result<Vec<_>>>()?;
    for (at, joined) in joined.as_mut_slice::<TString>()?.iter_mut().enumerate() {
        let pieces: Vec<&[u8]> = parts.iter().map(|part| part[at].as_bytes()).collect();
        *joined = TString::new(pieces.join(separator));
    }
    Ok(())
}
