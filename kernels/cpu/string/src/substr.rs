//! `Substr`: a part of each string.
//!
//! `pos` is the first position, negative ones counted from the end, `len` the number of positions, fewer where the
//! string ends. Both have one shape: that of the input, a scalar's, or one that broadcasts with the input's to at most
//! two axes. Positions are bytes or, with the unit `UTF8_CHAR`, characters: a byte and those that go on with it,
//! whether or not they are well-formed. In bytes a negative `len` means the rest of the string; in characters it gives
//! an empty string, and is an error after a negative `pos`. A position outside of a string is an error.

use super::strings::is_continuation;
use oplink::prelude::*;
use oplink::shape_inference::{broadcast_shapes, int_values};
use oplink_ops::string::{StringUnit, Substr};

/// `Substr` with positions of int32 and int64.
#[kernel(Substr, device = CPU, T = any)]
pub fn substr_cpu(
    input: &Tensor,
    pos: &Tensor,
    len: &Tensor,
    unit: StringUnit,
    mut output: OutputSlot<'_>,
) -> Result<()> {
    ensure!(
        pos.shape() == len.shape(),
        "pos and len must have the same shape, theirs are {} and {}",
        pos.shape(),
        len.shape()
    );
    let part = match unit {
        StringUnit::Byte => bytes,
        StringUnit::Utf8Char => characters,
    };
    let shape = output_shape(input.shape(), pos.shape())?;
    let out = output.allocate(shape.clone())?;
    let (of_string, of_pos) = (Broadcast::new(input.shape(), &shape), Broadcast::new(pos.shape(), &shape));
    let (strings, pos, len) = (input.as_slice::<TString>()?, int_values(pos)?, int_values(len)?);
    for (index, out) in out.as_mut_slice::<TString>()?.iter_mut().enumerate() {
        let (string, at) = (strings[of_string.index(index)].as_bytes(), of_pos.index(index));
        let Some(part) = part(string, pos[at], len[at]) else {
            bail!("pos {} is outside of the string at index {index}, which has {} bytes", pos[at], string.len())
        };
        *out = TString::new(part);
    }
    Ok(())
}

fn output_shape(input: &Shape, pos: &Shape) -> Result<Shape> {
    if pos.rank() == 0 || pos == input {
        return Ok(input.clone());
    }
    let shape = broadcast_shapes(input, pos)?;
    if shape.rank() > 2 {
        return Err(Error::unimplemented(format!("Substr broadcasts to at most 2 axes, here to {shape}")));
    }
    Ok(shape)
}

/// Where elements of a tensor of at most two axes lie that is broadcast, or of any tensor that is not.
struct Broadcast {
    columns: usize,
    row: usize,
    column: usize,
}

impl Broadcast {
    fn new(from: &Shape, to: &Shape) -> Self {
        if from == to {
            return Self { columns: usize::MAX, row: 0, column: 1 };
        }
        if from.num_elements() == 1 {
            return Self { columns: usize::MAX, row: 0, column: 0 };
        }
        let extent = |shape: &Shape, from_end: usize| shape.rank().checked_sub(from_end).map_or(1, |axis| shape[axis]);
        let stride = |extent: usize, stride: usize| if extent == 1 { 0 } else { stride };
        let columns = extent(from, 1);
        Self { columns: extent(to, 1).max(1), row: stride(extent(from, 2), columns), column: stride(columns, 1) }
    }

    fn index(&self, index: usize) -> usize {
        index / self.columns * self.row + index % self.columns * self.column
    }
}

fn bytes(string: &[u8], pos: i64, len: i64) -> Option<&[u8]> {
    let start = if pos < 0 { pos.checked_add(string.len() as i64)? } else { pos };
    let rest = string.get(usize::try_from(start).ok()?..)?;
    Some(&rest[..usize::try_from(len).map_or(rest.len(), |len| len.min(rest.len()))])
}

fn characters(string: &[u8], pos: i64, len: i64) -> Option<&[u8]> {
    let starts = (0..string.len()).filter(|&at| at == 0 || !is_continuation(string[at]));
    let starts: Vec<usize> = starts.chain([string.len()]).collect();
    let count = starts.len() - 1;
    let first = if pos < 0 { pos.checked_add(count as i64)? } else { pos };
    let first = usize::try_from(first).ok().filter(|&first| first <= count)?;
    let len = match usize::try_from(len) {
        Ok(len) => len,
        Err(_) if pos < 0 => return None,
        Err(_) => 0,
    };
    Some(&string[starts[first]..starts[first.saturating_add(len).min(count)]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check, run};

    #[test]
    fn parts_of_bytes() {
        let cases = [(0, 2, "he"), (1, 100, "ello"), (5, 1, ""), (-1, 1, "o"), (2, -1, "llo"), (-2, -1, "lo")];
        for (pos, len, expected) in cases {
            assert_eq!(bytes(b"hello", pos, len), Some(expected.as_bytes()));
        }
        for pos in [6, -6, i64::MIN, i64::MAX] {
            assert_eq!(bytes(b"hello", pos, 1), None);
        }
    }

    #[test]
    fn parts_of_characters() {
        let string = "h\u{e9}ll\u{f6}".as_bytes();
        let cases = [(0, 2, "h\u{e9}"), (-1, 1, "\u{f6}"), (-5, 2, "h\u{e9}"), (5, 1, ""), (2, -1, "")];
        for (pos, len, expected) in cases {
            assert_eq!(characters(string, pos, len), Some(expected.as_bytes()));
        }
        for (pos, len) in [(6, 1), (-6, 1), (-2, -1), (i64::MIN, 1)] {
            assert_eq!(characters(string, pos, len), None);
        }
        assert_eq!(characters(b"\x80\x80a", 0, 1), Some(&b"\x80\x80"[..]));
    }

    #[test]
    fn positions_broadcast() {
        let matrix = Tensor::from_vec([2, 2], ["hello", "hi", "abc", "xyz"].map(TString::from).to_vec()).unwrap();
        let expected = Tensor::from_vec([2, 2], ["el", "h", "bc", "x"].map(TString::from).to_vec()).unwrap();
        check("Substr", [matrix.clone(), [1, 0].into(), [2, 1].into()], expected);
        check("Substr", ["hello".into(), [1, 0].into(), [2, 1].into()], ["el", "h"].map(TString::from));
        let rows = |values: Vec<i32>| Tensor::from_vec([2, 1], values).unwrap();
        let expected = Tensor::from_vec([2, 2], ["e", "i", "ab", "xy"].map(TString::from).to_vec()).unwrap();
        check("Substr", [matrix.clone(), rows(vec![1, 0]), rows(vec![1, 2])], expected);
        let cube = matrix.with_shape([1, 2, 2]).unwrap();
        let error = run("Substr", &[], vec![cube, [1, 0].into(), [2, 1].into()]).unwrap_err();
        assert_eq!(error.code(), Code::Unimplemented);
    }
}
