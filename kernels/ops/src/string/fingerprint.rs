//! Fingerprints of rows and of strings.

use oplink::prelude::*;

/// The fingerprint of each row of `data`, [rows, 8] bytes.
///
/// `method` is the scalar `farmhash64`: FarmHash's `Fingerprint64`, the lowest byte first. Numbers are taken as the
/// bytes that memory has, strings one by one; of a row of several strings it is the fingerprint of their fingerprints.
#[op("Fingerprint", input = "data: T", input = "method: string", output = "fingerprint: uint8", attr = "T: type")]
pub fn fingerprint(c: &mut ShapeContext<'_>) -> Result<()> {
    let data = c.with_rank_at_least(0, 1)?;
    c.with_rank(1, 0)?;
    let size = c.input_tensor(1).map(|_| 8);
    let rows = data.rank().and_then(|_| data.dim(0));
    c.set_output(0, PartialShape::new(&[rows, size]));
    Ok(())
}

/// The fingerprint of each string of a vector, [strings, 2]: FarmHash's `Fingerprint128`, the low 64 bits first.
///
/// The low bits are never 0 or 1: in the place of these stand -2 and -1.
#[op("SdcaFprint", no_gradient, input = "input: string", output = "output: int64")]
pub fn sdca_fprint(c: &mut ShapeContext<'_>) -> Result<()> {
    let strings = c.with_rank(0, 1)?.dim(0);
    c.set_output(0, PartialShape::new(&[strings, Some(2)]));
    Ok(())
}
