//! Whether the stored pieces of a tensor make up a wanted part of it.

use std::ops::Range;

use oplink_api::{Code, Error, ErrorKind, Result};

use crate::TensorSlice;

/// A stored piece: its slice, and the positions along each axis.
type Piece<'a> = (&'a TensorSlice, Vec<Range<usize>>);

/// An error unless the pieces are apart from each other and together hold all of `wanted`.
pub(crate) fn check(pieces: &[Piece<'_>], wanted: &[Range<usize>]) -> Result<()> {
    check_apart(pieces)?;
    let total: usize = wanted.iter().map(Range::len).product();
    let held: usize = pieces.iter().map(|(_, ranges)| common(ranges, wanted)).sum();
    if held == total {
        return Ok(());
    }
    Err(Error::invalid_argument(format!(
        "the checkpoint has {held} of the {total} elements wanted, in {} slices; \
         a slice was not saved, or its bundle was not merged",
        pieces.len()
    )))
}

/// The number of elements that two boxes have in common.
fn common(a: &[Range<usize>], b: &[Range<usize>]) -> usize {
    a.iter().zip(b).map(|(a, b)| a.end.min(b.end).saturating_sub(a.start.max(b.start))).product()
}

/// An error where two pieces overlap. Along the axis that most of them differ in, only neighbours are compared.
fn check_apart(pieces: &[Piece<'_>]) -> Result<()> {
    let rank = pieces.first().map_or(0, |(_, ranges)| ranges.len());
    let starts = |axis: usize| {
        let mut starts: Vec<usize> = pieces.iter().map(|(_, ranges)| ranges[axis].start).collect();
        starts.sort_unstable();
        starts.dedup();
        starts.len()
    };
    let axis = (0..rank).max_by_key(|&axis| starts(axis));
    let range = |piece: &Piece<'_>| axis.map_or(0..1, |axis| piece.1[axis].clone());
    let mut sorted: Vec<&Piece<'_>> = pieces.iter().collect();
    sorted.sort_by_key(|piece| range(piece).start);
    for (at, piece) in sorted.iter().enumerate() {
        let near = sorted[at + 1..].iter().take_while(|next| range(next).start < range(piece).end);
        if let Some(other) = near.into_iter().find(|other| common(&piece.1, &other.1) > 0) {
            let message = format!("the stored slices {} and {} overlap; save the tensor again", piece.0, other.0);
            return Err(Error::new(Code::Internal, ErrorKind::InvalidArgument, message));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_api::Shape;

    fn checked(shape: &[usize], pieces: &[&str], wanted: &str) -> Result<()> {
        let shape = Shape::new(shape);
        let slices: Vec<_> = pieces.iter().map(|text| TensorSlice::parse(text).unwrap()).collect();
        let pieces: Vec<_> = slices.iter().map(|slice| (slice, slice.ranges(&shape).unwrap())).collect();
        check(&pieces, &TensorSlice::parse(wanted).unwrap().ranges(&shape).unwrap())
    }

    #[test]
    fn pieces_that_make_up_what_is_wanted() {
        checked(&[4], &["0,2", "2,2"], "-").unwrap();
        checked(&[4], &["0,1", "1,2"], "0,3").unwrap();
        checked(&[4, 4], &["0,2:0,3", "2,2:-", "0,2:3,1"], "-:-").unwrap();
        checked(&[0, 4], &["-:0,2"], "-:-").unwrap();
    }

    #[test]
    fn gaps_and_overlaps() {
        assert_eq!(checked(&[4], &["0,1", "1,2"], "-").unwrap_err().code(), Code::InvalidArgument);
        assert_eq!(checked(&[4], &["0,2", "1,2"], "-").unwrap_err().code(), Code::Internal);
        assert_eq!(checked(&[4, 4], &["0,2:-", "2,2:-", "1,1:0,1"], "-:-").unwrap_err().code(), Code::Internal);
        assert_eq!(checked(&[4], &["-", "-"], "-").unwrap_err().code(), Code::Internal);
    }
}
