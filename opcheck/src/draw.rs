//! Calls that follow from an op's declaration: attrs within what it allows, shapes by a few patterns.

use fastrand::Rng;
use oplink_api::spec::{Allowed, ArgSpec, ArgType, AttrSpec, ScalarKind};
use oplink_api::{AttrValue, DType, PartialShape, Shape, Tensor};
use oplink_core::OpEntry;

use crate::OpCall;
use crate::values::{Values, drawn, is_integer};

/// How the shapes of a call's inputs have to do with each other.
#[derive(Clone, Copy, Debug)]
enum Pattern {
    /// All the same.
    Same,
    /// The others scalars.
    Scalars,
    /// The others the last extents of the first.
    Suffixes,
    /// The others vectors, as long as the first's last extent.
    LastExtent,
    /// The others vectors, as long as the first's first extent.
    FirstExtent,
    /// Matrices that can be multiplied.
    Matrices,
    /// Nothing.
    Unrelated,
}

const PATTERNS: [Pattern; 7] = [
    Pattern::Same,
    Pattern::Scalars,
    Pattern::Suffixes,
    Pattern::LastExtent,
    Pattern::FirstExtent,
    Pattern::Matrices,
    Pattern::Unrelated,
];

/// The dtypes that a kernel's entry gives to type attrs.
pub(crate) type Combination = Vec<(&'static str, DType)>;

/// Draws calls of one op.
pub(crate) struct Draws<'a> {
    pub(crate) entry: &'a OpEntry,
    pub(crate) random: Rng,
}

impl Draws<'_> {
    /// A call with these dtypes, which the kernel may refuse; `None` where the op takes what cannot be drawn.
    pub(crate) fn call(&mut self, combination: &Combination) -> Option<OpCall> {
        // Texts of what has effects may be names of files.
        let takes_texts = |arg: &ArgSpec| arg.ty == ArgType::Type(DType::String);
        if self.entry.spec.flags.stateful && self.entry.spec.inputs.iter().any(takes_texts) {
            return None;
        }
        let rank = self.random.usize(0..=4);
        let base: Vec<usize> = (0..rank).map(|_| self.random.usize(1..=4)).collect();
        let pattern = PATTERNS[self.random.usize(0..PATTERNS.len())];
        let values = if self.random.u8(0..10) < 6 { Values::Signed } else { Values::Positive };
        let mut attrs = Vec::new();
        for attr in &self.entry.spec.attrs {
            let value = self.attr(attr, combination, &base)?;
            attrs.push((attr.name.clone(), value));
        }
        let mut inputs = Vec::new();
        for arg in &self.entry.spec.inputs {
            if arg.is_ref {
                return None;
            }
            for dtype in dtypes(arg, &attrs)? {
                let is_index = is_integer(dtype) && !inputs.is_empty() && self.is_told_apart(arg);
                let input = match is_index {
                    true => self.index(dtype, &base)?,
                    false => {
                        let shape = self.shape(pattern, inputs.len(), &base);
                        drawn(dtype, &shape, values, &mut self.random)?
                    }
                };
                inputs.push(input);
            }
        }
        Some(OpCall { op: self.entry.name().to_owned(), attrs, inputs })
    }

    /// Whether an argument's dtype is not that of the first: indices, sizes and axes have one of their own.
    fn is_told_apart(&self, arg: &ArgSpec) -> bool {
        self.entry.spec.inputs.first().is_some_and(|first| first.ty != arg.ty)
    }

    /// Whole numbers that may be axes, positions, extents or counts.
    fn index(&mut self, dtype: DType, base: &[usize]) -> Option<Tensor> {
        let rank = base.len();
        let vector = |length: usize| Shape::new(&[length]);
        let shape = match self.random.u8(0..8) {
            0..=2 => Shape::scalar(),
            3 => vector(1),
            4 => vector(rank),
            5 => Shape::new(&[rank, 2]),
            6 => vector(base.first().copied().unwrap_or(1)),
            _ => Shape::new(base),
        };
        let bound = [1, 2, rank.max(1), base.first().copied().unwrap_or(1)][self.random.usize(0..4)] as u32;
        let values = match self.random.u8(0..6) {
            0 | 1 => Values::Ascending(bound),
            2 => Values::Positive,
            _ => Values::Below(bound),
        };
        drawn(dtype, &shape, values, &mut self.random)
    }

    fn shape(&mut self, pattern: Pattern, at: usize, base: &[usize]) -> Shape {
        match (pattern, at) {
            (Pattern::Matrices, _) => {
                let extents = [2, 3, 4, 2, 3];
                Shape::new(&[extents[at % extents.len()], extents[(at + 1) % extents.len()]])
            }
            (Pattern::Unrelated, _) => {
                let rank = self.random.usize(0..=4);
                Shape::new(&(0..rank).map(|_| self.random.usize(1..=3)).collect::<Vec<_>>())
            }
            (_, 0) | (Pattern::Same, _) => Shape::new(base),
            (Pattern::Scalars, _) => Shape::scalar(),
            (Pattern::Suffixes, _) => Shape::new(&base[self.random.usize(0..=base.len())..]),
            (Pattern::LastExtent, _) => Shape::new(&[base.last().copied().unwrap_or(1)]),
            (Pattern::FirstExtent, _) => Shape::new(&[base.first().copied().unwrap_or(1)]),
        }
    }

    /// The combination's dtype, mostly the default where there is one, else a small value that is allowed.
    fn attr(&mut self, attr: &AttrSpec, combination: &Combination, base: &[usize]) -> Option<AttrValue> {
        if let Some((_, dtype)) = combination.iter().find(|(name, _)| *name == attr.name) {
            let count = attr.minimum.unwrap_or(1).clamp(1, 4) as usize;
            return Some(if attr.kind.list { vec![*dtype; count].into() } else { AttrValue::Type(*dtype) });
        }
        let default = self.entry.default_of(&attr.name).ok().flatten();
        if let Some(default) = default.filter(|_| self.random.u8(0..4) > 0) {
            return Some(default.clone());
        }
        if attr.kind.list { self.list(attr, base) } else { self.scalar(attr, base) }
    }

    fn scalar(&mut self, attr: &AttrSpec, base: &[usize]) -> Option<AttrValue> {
        Some(match attr.kind.scalar {
            ScalarKind::String => AttrValue::String(self.text(attr)),
            ScalarKind::Int => AttrValue::Int(attr.minimum.unwrap_or(0).saturating_add(self.random.i64(0..3))),
            ScalarKind::Float => AttrValue::Float([0.5, 1.0, 2.0, 0.25][self.random.usize(0..4)]),
            ScalarKind::Bool => AttrValue::Bool(self.random.bool()),
            ScalarKind::Type => AttrValue::Type(self.dtype(attr)),
            ScalarKind::Shape => AttrValue::Shape(PartialShape::from(Shape::new(base))),
            ScalarKind::Tensor => AttrValue::Tensor(Tensor::scalar(self.random.i32(0..4) as f32)),
            ScalarKind::Func => return None,
        })
    }

    /// As long as it must be, or as windows and axes of usual ranks are.
    fn list(&mut self, attr: &AttrSpec, base: &[usize]) -> Option<AttrValue> {
        let least = attr.minimum.unwrap_or(0).clamp(0, 8) as usize;
        let usual = [least, 1, 2, 4, base.len()][self.random.usize(0..5)].max(least);
        Some(match attr.kind.scalar {
            ScalarKind::String => AttrValue::Strings((0..usual).map(|_| self.text(attr)).collect()),
            ScalarKind::Int if usual == 4 => {
                AttrValue::Ints([vec![1; 4], vec![1, 2, 2, 1]][self.random.usize(0..2)].clone())
            }
            ScalarKind::Int => AttrValue::Ints((0..usual).map(|_| self.random.i64(0..3)).collect()),
            ScalarKind::Float => AttrValue::Floats((0..usual).map(|at| at as f32 * 0.5).collect()),
            ScalarKind::Bool => AttrValue::Bools((0..usual).map(|_| self.random.bool()).collect()),
            ScalarKind::Type => AttrValue::Types((0..usual.max(1)).map(|_| self.dtype(attr)).collect()),
            ScalarKind::Shape => AttrValue::Shapes(vec![PartialShape::from(Shape::new(base)); usual.max(1)]),
            ScalarKind::Tensor | ScalarKind::Func => return None,
        })
    }

    fn text(&mut self, attr: &AttrSpec) -> Vec<u8> {
        match &attr.allowed {
            Some(Allowed::Strings(strings)) => strings[self.random.usize(0..strings.len())].clone(),
            _ => b"a".to_vec(),
        }
    }

    fn dtype(&mut self, attr: &AttrSpec) -> DType {
        const USUAL: &[DType] = &[DType::Float, DType::Int32, DType::Int64, DType::Double];
        let allowed = match &attr.allowed {
            Some(Allowed::Types(types)) => types,
            _ => USUAL,
        };
        allowed[self.random.usize(0..allowed.len())]
    }
}

/// The dtypes of an argument's tensors; `None` where the attrs do not tell.
fn dtypes(arg: &ArgSpec, attrs: &[(String, AttrValue)]) -> Option<Vec<DType>> {
    let value = |name: &str| attrs.iter().find(|(attr, _)| attr == name).map(|(_, value)| value);
    let one = match &arg.ty {
        ArgType::Type(dtype) => *dtype,
        ArgType::Attr(name) => match value(name)? {
            AttrValue::Type(dtype) => *dtype,
            _ => return None,
        },
        ArgType::ListAttr(name) => match value(name)? {
            AttrValue::Types(types) => return Some(types.clone()),
            _ => return None,
        },
    };
    let count = match arg.number_attr.as_deref().map(value) {
        Some(Some(AttrValue::Int(count))) => usize::try_from(*count).ok()?.min(8),
        Some(_) => return None,
        None => 1,
    };
    Some(vec![one; count])
}
