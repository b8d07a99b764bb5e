//! The shapes of dense features of examples.

use oplink::prelude::*;
use oplink::shape::Dim;

/// What a dense feature has: its extents, the first one perhaps open.
pub struct DenseShape {
    /// Whether the first extent is open.
    pub is_open: bool,
    /// The extents that are known.
    pub extents: Shape,
}

impl DenseShape {
    /// The meaning of one of `dense_shapes`.
    ///
    /// # Errors
    /// The rank is unknown, or another extent than the first.
    pub fn of(shape: &PartialShape) -> Result<Self> {
        let known = |dims: &[Dim]| dims.iter().copied().collect::<Option<Shape>>();
        let (is_open, extents) = match shape.dims() {
            Some([None, rest @ ..]) => (true, known(rest)),
            Some(dims) => (false, known(dims)),
            None => (false, None),
        };
        let Some(extents) = extents.filter(|extents| extents.checked_num_elements().is_some()) else {
            bail!("dense_shapes has {shape}: of each shape only the first extent may be unknown")
        };
        Ok(Self { is_open, extents })
    }
}
