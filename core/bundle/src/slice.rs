//! Slices of tensors: which part of a full tensor a stored or wanted piece is.

use std::fmt;
use std::ops::Range;

use oplink_api::shape::MAX_RANK;
use oplink_api::{Code, Error, ErrorKind, Result, Shape, bail, ensure};

use crate::message::is_possible;

/// A box within a tensor: for each axis a range of positions, or all of them.
///
/// Its text is TensorFlow's: an item an axis, separated by `:`, each `start,length` or `-` for the whole axis.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct TensorSlice(Vec<Option<Range<usize>>>);

impl TensorSlice {
    /// All of a tensor of this rank.
    pub fn full(rank: usize) -> Self {
        Self(vec![None; rank])
    }

    /// These positions along each axis; `None` is all of them. A range must not be empty.
    ///
    /// # Errors
    /// A range is empty, or there are more axes than tensors may have.
    pub fn new(extents: impl Into<Vec<Option<Range<usize>>>>) -> Result<Self> {
        let extents = extents.into();
        ensure!(extents.len() <= MAX_RANK, "a slice of rank {} exceeds the largest rank, {MAX_RANK}", extents.len());
        for extent in extents.iter().flatten() {
            ensure!(!extent.is_empty(), "a slice must not be empty, it has the extent {extent:?}");
            ensure!(i64::try_from(extent.end).is_ok(), "a slice's end {} exceeds 63 bits", extent.end);
        }
        Ok(Self(extents))
    }

    /// From the text form.
    ///
    /// # Errors
    /// The text has another form, or a slice that is empty.
    pub fn parse(text: &str) -> Result<Self> {
        let items = text.split(':').filter(|item| !item.is_empty());
        let extents: Result<Vec<_>> = items.map(|item| parse_extent(item, text)).collect();
        Self::new(extents?)
    }

    /// The extents, one an axis.
    pub fn extents(&self) -> &[Option<Range<usize>>] {
        &self.0
    }

    /// The number of axes.
    pub fn rank(&self) -> usize {
        self.0.len()
    }

    /// Whether it takes every axis whole without naming positions.
    pub fn is_full(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }

    /// The positions along each axis of a tensor of this shape; an error where they are not within it.
    ///
    /// # Errors
    /// They are not within the shape.
    pub fn ranges(&self, shape: &Shape) -> Result<Vec<Range<usize>>> {
        if shape.rank() != self.rank() {
            return Err(does_not_apply(format!("the slice {self} does not have the rank of the shape {shape}")));
        }
        let ranges = self.0.iter().zip(shape.iter()).enumerate().map(|(axis, (extent, &dim))| match extent {
            None => Ok(0..dim),
            Some(extent) if extent.end <= dim => Ok(extent.clone()),
            Some(_) => Err(does_not_apply(format!("the slice {self} exceeds axis {axis} of the shape {shape}"))),
        });
        ranges.collect()
    }

    /// The shape of this part of a tensor of the shape `full`.
    ///
    /// # Errors
    /// As [`Self::ranges`].
    pub fn shape_in(&self, full: &Shape) -> Result<Shape> {
        Ok(self.ranges(full)?.iter().map(Range::len).collect())
    }
}

/// TensorFlow gives this case the code `Internal`.
#[cold]
fn does_not_apply(message: String) -> Error {
    Error::new(Code::Internal, ErrorKind::InvalidArgument, message)
}

fn parse_extent(item: &str, text: &str) -> Result<Option<Range<usize>>> {
    if item == "-" {
        return Ok(None);
    }
    let parts: Vec<&str> = item.split(',').filter(|part| !part.is_empty()).collect();
    let numbers: Option<Vec<i64>> = parts.iter().map(|part| part.trim().parse().ok()).collect();
    let Some([start, length]) = numbers.as_deref() else {
        bail!("expected `start,length` or `-` for an axis, got `{item}` in the slice `{text}`")
    };
    let end = start.checked_add(*length);
    match (usize::try_from(*start), end.and_then(|end| usize::try_from(end).ok())) {
        (Ok(start), Some(end)) if start < end => Ok(Some(start..end)),
        _ => bail!("a slice starts at 0 or more and has a positive length, got `{item}` in the slice `{text}`"),
    }
}

impl fmt::Display for TensorSlice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (axis, extent) in self.0.iter().enumerate() {
            f.write_str(if axis > 0 { ":" } else { "" })?;
            match extent {
                None => f.write_str("-")?,
                Some(extent) => write!(f, "{},{}", extent.start, extent.len())?,
            }
        }
        Ok(())
    }
}

/// What `SaveV2` and `RestoreV2` take for a part of a tensor: the full tensor's shape, and the slice of it.
///
/// Its text is the extents of the shape and the slice, separated by single blanks: `100 20 0,50:-`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeAndSlice {
    /// Shape of the full tensor.
    pub shape: Shape,
    /// The part of it.
    pub slice: TensorSlice,
    /// Shape of the part.
    pub slice_shape: Shape,
}

impl ShapeAndSlice {
    /// From the text form.
    ///
    /// # Errors
    /// The text has another form, or a slice that is empty.
    pub fn parse(text: &str) -> Result<Self> {
        let Some((dims, slice)) = text.rsplit_once(' ') else {
            bail!("a shape and slice are extents and a slice separated by blanks, such as `4 3 0,2:-`; got `{text}`")
        };
        let slice = TensorSlice::parse(slice)?;
        let mut shape = Shape::scalar();
        for dim in dims.split(' ') {
            match dim.parse::<i64>().map(usize::try_from) {
                Ok(Ok(dim)) => shape.push(dim),
                _ => bail!("the extent `{dim}` in the shape and slice `{text}` is not a number >= 0"),
            }
        }
        ensure!(is_possible(&shape), "the shape in the shape and slice `{text}` is too large");
        let slice_shape = slice.shape_in(&shape)?;
        Ok(Self { shape, slice, slice_shape })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_print_as_they_are_read() {
        for text in ["", "-", "0,2", "-:3,1:-"] {
            assert_eq!(TensorSlice::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(TensorSlice::parse("1,2:-").unwrap(), TensorSlice::new([Some(1..3), None]).unwrap());
    }

    #[test]
    fn malformed_slices_are_errors() {
        for text in ["1", "1,2,3", "a,2", "-1,2", "1,0", "1,-2", "9223372036854775807,1", "--"] {
            assert_eq!(TensorSlice::parse(text).unwrap_err().code(), Code::InvalidArgument, "{text}");
        }
    }

    #[test]
    fn a_slice_applies_to_shapes_that_hold_it() {
        let slice = TensorSlice::parse("1,2:-").unwrap();
        assert_eq!(slice.shape_in(&Shape::new(&[3, 5])).unwrap().dims(), [2, 5]);
        assert_eq!(slice.shape_in(&Shape::new(&[2, 5])).unwrap_err().code(), Code::Internal);
        assert_eq!(slice.shape_in(&Shape::new(&[3])).unwrap_err().code(), Code::Internal);
    }

    #[test]
    fn shape_and_slice() {
        let spec = ShapeAndSlice::parse("4 3 0,2:-").unwrap();
        assert_eq!((spec.shape.dims(), spec.slice_shape.dims()), (&[4, 3][..], &[2, 3][..]));
        for text in ["", "3", " ", "q -", "-3 -", "4  -:-", "4 -:-", "3 1,3", "4294967296 4294967296 4294967296 -:-:-"]
        {
            assert!(ShapeAndSlice::parse(text).is_err(), "{text}");
        }
    }
}
