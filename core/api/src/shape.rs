//! Fully known shapes (`Shape`) and shapes as inference knows them (`PartialShape`).

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;

use smallvec::SmallVec;

use crate::{Result, bail};

/// The extents of a tensor in row-major order; rank 0 is a scalar.
#[derive(Clone)]
pub struct Shape(Extents);

/// Extents that are kept in place.
const FEW: usize = 4;

/// Copied and compared as a whole, where lists of any length would be so by calls.
enum Extents {
    /// The first `rank`; the others are 0.
    Few {
        rank: usize,
        extents: [usize; FEW],
    },
    Many(Vec<usize>),
}

impl Shape {
    /// The shape of a scalar.
    #[inline]
    pub const fn scalar() -> Self {
        Self(Extents::Few { rank: 0, extents: [0; FEW] })
    }

    /// The shape of a vector.
    #[inline]
    pub(crate) const fn vector(extent: usize) -> Self {
        Self(Extents::Few { rank: 1, extents: [extent, 0, 0, 0] })
    }

    /// A shape of these extents.
    #[inline]
    pub fn new(dims: &[usize]) -> Self {
        let mut extents = [0; FEW];
        match extents.get_mut(..dims.len()) {
            Some(first) => first.copy_from_slice(dims),
            None => return Self(Extents::many(dims)),
        }
        Self(Extents::Few { rank: dims.len(), extents })
    }

    /// The extents.
    #[inline]
    pub fn dims(&self) -> &[usize] {
        match &self.0 {
            Extents::Few { rank, extents } => &extents[..*rank],
            Extents::Many(extents) => extents,
        }
    }

    /// The number of dimensions.
    #[inline]
    pub fn rank(&self) -> usize {
        match &self.0 {
            Extents::Few { rank, .. } => *rank,
            Extents::Many(extents) => extents.len(),
        }
    }

    /// The number of elements; 1 for a scalar, `usize::MAX` where it is larger than that.
    #[inline]
    pub fn num_elements(&self) -> usize {
        self.dims().iter().fold(1, |count: usize, &dim| count.saturating_mul(dim))
    }

    /// The number of elements, or `None` where the product does not fit `isize`. That of no elements fits where the
    /// other extents multiply to a size that elements of 16 bytes could have: so no product of extents of a tensor
    /// overflows.
    pub fn checked_num_elements(&self) -> Option<usize> {
        let others = self.dims().iter().try_fold(1usize, |count, &dim| count.checked_mul(dim.max(1)));
        let has_none = self.dims().contains(&0);
        let most = if has_none { isize::MAX as usize / 16 } else { isize::MAX as usize };
        others.filter(|&count| count <= most).map(|count| if has_none { 0 } else { count })
    }

    /// Appends an extent.
    pub fn push(&mut self, dim: usize) {
        match &mut self.0 {
            Extents::Few { rank, extents } => match extents.get_mut(*rank) {
                Some(extent) => {
                    *extent = dim;
                    *rank += 1;
                }
                None => self.0 = Extents::longer(*extents, dim),
            },
            Extents::Many(extents) => extents.push(dim),
        }
    }

    /// Mutable extents.
    pub fn dims_mut(&mut self) -> &mut [usize] {
        match &mut self.0 {
            Extents::Few { rank, extents } => &mut extents[..*rank],
            Extents::Many(extents) => extents,
        }
    }

    /// From signed extents as the wire has them; a negative one is an error.
    ///
    /// # Errors
    /// An extent is negative, other than -1 where that stands for an unknown one.
    #[inline]
    pub fn from_i64(dims: &[i64]) -> Result<Self> {
        if dims.len() <= FEW && dims.iter().all(|dim| *dim >= 0) {
            let mut extents = [0; FEW];
            extents.iter_mut().zip(dims).for_each(|(extent, dim)| *extent = *dim as usize);
            return Ok(Self(Extents::Few { rank: dims.len(), extents }));
        }
        match dims.iter().position(|dim| *dim < 0) {
            Some(axis) => bail!("dimension {axis} of shape {dims:?} is {}, must be >= 0", dims[axis]),
            None => Ok(dims.iter().map(|dim| *dim as usize).collect()),
        }
    }
}

impl Default for Shape {
    /// That of a scalar.
    #[inline]
    fn default() -> Self {
        Self::scalar()
    }
}

impl Shape {
    /// The same code for every iterator.
    #[inline(never)]
    fn listed(dims: &mut dyn Iterator<Item = usize>) -> Self {
        let mut shape = Self::scalar();
        dims.for_each(|dim| shape.push(dim));
        shape
    }
}

// Many extents are rare: what they need is called, and stands once in a program.
impl Extents {
    #[cold]
    #[inline(never)]
    fn many(extents: &[usize]) -> Self {
        Self::Many(extents.to_vec())
    }

    #[cold]
    #[inline(never)]
    fn longer(extents: [usize; FEW], last: usize) -> Self {
        Self::Many([&extents[..], &[last]].concat())
    }
}

impl Clone for Extents {
    #[inline]
    fn clone(&self) -> Self {
        match self {
            &Self::Few { rank, extents } => Self::Few { rank, extents },
            Self::Many(extents) => Self::many(extents),
        }
    }
}

impl PartialEq for Shape {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Extents::Few { rank, extents }, Extents::Few { rank: others, extents: other }) => {
                // By registers: a call, or a load wider than the stores of a tensor that was just moved, takes longer.
                let differing = extents.iter().zip(other).fold(0, |differing, (a, b)| differing | (a ^ b));
                rank == others && differing == 0
            }
            _ => self.dims() == other.dims(),
        }
    }
}

impl Eq for Shape {}

impl Hash for Shape {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.dims().hash(state);
    }
}

impl Deref for Shape {
    type Target = [usize];

    #[inline]
    fn deref(&self) -> &[usize] {
        self.dims()
    }
}

impl From<&[usize]> for Shape {
    fn from(dims: &[usize]) -> Self {
        Self::new(dims)
    }
}

impl<const N: usize> From<[usize; N]> for Shape {
    fn from(dims: [usize; N]) -> Self {
        Self::new(&dims)
    }
}

impl<const N: usize> From<&[usize; N]> for Shape {
    fn from(dims: &[usize; N]) -> Self {
        Self::new(dims)
    }
}

impl From<Vec<usize>> for Shape {
    fn from(dims: Vec<usize>) -> Self {
        Self::new(&dims)
    }
}

impl FromIterator<usize> for Shape {
    fn from_iter<I: IntoIterator<Item = usize>>(iter: I) -> Self {
        Self::listed(&mut iter.into_iter())
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (axis, dim) in self.dims().iter().enumerate() {
            write!(f, "{}{dim}", if axis > 0 { "," } else { "" })?;
        }
        f.write_str("]")
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The largest rank that a shape can have in TensorFlow.
pub const MAX_RANK: usize = 254;

/// One extent as inference knows it; `None` is unknown.
pub type Dim = Option<usize>;

/// A shape of which rank and extents may be unknown.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct PartialShape(Option<SmallVec<[Dim; 4]>>);

impl PartialShape {
    /// Unknown rank.
    #[inline]
    pub const fn unknown() -> Self {
        Self(None)
    }

    /// Rank 0.
    pub fn scalar() -> Self {
        Self(Some(SmallVec::new()))
    }

    /// Known rank with these extents.
    #[inline]
    pub fn new(dims: &[Dim]) -> Self {
        Self(Some(SmallVec::from_slice(dims)))
    }

    /// Known rank, every extent unknown. A rank beyond [`MAX_RANK`], as a damaged graph can ask for, gives an unknown
    /// one.
    pub fn unknown_of_rank(rank: usize) -> Self {
        if rank > MAX_RANK {
            return Self::unknown();
        }
        Self(Some(SmallVec::from_elem(None, rank)))
    }

    /// From the wire form: `None` is unknown rank, -1 an unknown extent.
    ///
    /// # Errors
    /// An extent is negative, other than -1 where that stands for an unknown one.
    pub fn from_i64(dims: Option<&[i64]>) -> Result<Self> {
        let Some(dims) = dims else { return Ok(Self::unknown()) };
        let mut out = SmallVec::new();
        for &dim in dims {
            if dim < -1 {
                bail!("shape {dims:?} has the extent {dim}; an extent is >= 0, or -1 for unknown");
            }
            out.push(usize::try_from(dim).ok());
        }
        Ok(Self(Some(out)))
    }

    /// The wire form: `None` for unknown rank, -1 for unknown extents.
    pub fn to_i64(&self) -> Option<Vec<i64>> {
        self.0.as_ref().map(|dims| dims.iter().map(|d| d.map_or(-1, |d| d as i64)).collect())
    }

    /// The rank, where known.
    #[inline]
    pub fn rank(&self) -> Option<usize> {
        self.0.as_ref().map(SmallVec::len)
    }

    /// The extents, where the rank is known.
    #[inline]
    pub fn dims(&self) -> Option<&[Dim]> {
        self.0.as_deref()
    }

    /// One extent; `None` where it or the rank is unknown, or the axis does not exist.
    pub fn dim(&self, axis: usize) -> Dim {
        self.dims().and_then(|dims| dims.get(axis).copied().flatten())
    }

    /// The shape itself where everything is known.
    pub fn to_shape(&self) -> Option<Shape> {
        self.dims()?.iter().copied().collect::<Option<Shape>>()
    }

    /// Whether rank and every extent are known.
    pub fn is_fully_known(&self) -> bool {
        self.dims().is_some_and(|dims| dims.iter().all(Option::is_some))
    }

    /// The number of elements where everything is known.
    pub fn num_elements(&self) -> Option<usize> {
        self.dims()?.iter().try_fold(1usize, |n, d| d.and_then(|d| n.checked_mul(d)))
    }

    /// Whether some fully known shape satisfies both.
    pub fn is_compatible_with(&self, other: &Self) -> bool {
        match (self.dims(), other.dims()) {
            (Some(a), Some(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_none() || b.is_none() || a == b)
            }
            _ => true,
        }
    }

    /// Whether a tensor of this shape satisfies what is known.
    pub fn accepts(&self, shape: &[usize]) -> bool {
        self.dims().is_none_or(|dims| {
            dims.len() == shape.len() && dims.iter().zip(shape).all(|(d, &s)| d.is_none_or(|d| d == s))
        })
    }

    /// Appends an extent; an unknown rank stays unknown.
    pub fn push(&mut self, dim: Dim) {
        if let Some(dims) = &mut self.0 {
            dims.push(dim);
        }
    }
}

impl FromIterator<Dim> for PartialShape {
    fn from_iter<I: IntoIterator<Item = Dim>>(iter: I) -> Self {
        Self(Some(iter.into_iter().collect()))
    }
}

impl From<&Shape> for PartialShape {
    #[inline]
    fn from(shape: &Shape) -> Self {
        shape.iter().map(|&d| Some(d)).collect()
    }
}

impl From<Shape> for PartialShape {
    fn from(shape: Shape) -> Self {
        Self::from(&shape)
    }
}

impl fmt::Display for PartialShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(dims) = self.dims() else { return f.write_str("?") };
        f.write_str("[")?;
        for (axis, dim) in dims.iter().enumerate() {
            f.write_str(if axis > 0 { "," } else { "" })?;
            match dim {
                Some(dim) => write!(f, "{dim}")?,
                None => f.write_str("?")?,
            }
        }
        f.write_str("]")
    }
}

impl fmt::Debug for PartialShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
