//! Attribute values of nodes, and the map from names to them.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use crate::{AttrKind, Code, DType, Error, ErrorKind, PartialShape, Result, Tensor};

/// Whether two names are equal. Names are short: comparing words in place is faster than a call that compares memory.
#[doc(hidden)]
#[inline]
pub fn same_name(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    match (a.last_chunk::<8>(), b.last_chunk::<8>()) {
        (Some(end_of_a), Some(end_of_b)) => end_of_a == end_of_b && a.as_chunks::<8>().0 == b.as_chunks::<8>().0,
        _ => a.iter().zip(b).all(|(a, b)| a == b),
    }
}

/// The value of an attr.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "each variant is the attr kind of its name")]
pub enum AttrValue {
    String(Vec<u8>),
    Int(i64),
    Float(f32),
    Bool(bool),
    Type(DType),
    Shape(PartialShape),
    Tensor(Tensor),
    Func(FuncAttr),
    Strings(Vec<Vec<u8>>),
    Ints(Vec<i64>),
    Floats(Vec<f32>),
    Bools(Vec<bool>),
    Types(Vec<DType>),
    Shapes(Vec<PartialShape>),
    Tensors(Vec<Tensor>),
    Funcs(Vec<FuncAttr>),
    /// A list without elements whose kind the wire does not tell.
    EmptyList,
    /// The name of the function attr that gives the value when the function is called; in general, a value that is not
    /// known here.
    Placeholder(String),
}

/// A function's name with values for its attrs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FuncAttr {
    /// Name of the function in the graph's library.
    pub name: String,
    /// Its attrs.
    pub attrs: AttrMap,
}

/// Attr values by name. Those the op declares come first and in its order, then any others.
#[derive(Clone, Default)]
pub struct AttrMap {
    attrs: Vec<(Arc<str>, AttrValue)>,
    /// Positions by name, where there are more attrs than are looked through one by one.
    #[allow(clippy::box_collection, reason = "few maps have one, and all are small without it")]
    index: Option<Box<HashMap<Arc<str>, usize>>>,
}

/// Attrs that are looked through one by one; more of them have an index.
const MAX_UNINDEXED: usize = 32;

impl AttrMap {
    /// No attrs.
    pub const fn new() -> Self {
        Self { attrs: Vec::new(), index: None }
    }

    /// No attrs, and room for this many.
    pub fn with_capacity(count: usize) -> Self {
        Self { attrs: Vec::with_capacity(count), index: None }
    }

    /// The value of the attr `name`.
    pub fn get(&self, name: &str) -> Option<&AttrValue> {
        self.position(name).map(|at| &self.attrs[at].1)
    }

    fn position(&self, name: &str) -> Option<usize> {
        match &self.index {
            None => self.attrs.iter().position(|(n, _)| same_name(n, name)),
            Some(index) => index.get(name).copied(),
        }
    }

    /// Makes the index where there are enough attrs for one.
    fn index_all(&mut self) {
        let positions = || self.attrs.iter().map(|(name, _)| name.clone()).zip(0..).collect();
        self.index = (self.attrs.len() > MAX_UNINDEXED).then(|| Box::new(positions()));
    }

    /// The value at a position, checked to be of the attr `name`.
    #[inline]
    pub fn at(&self, index: usize, name: &str) -> Option<&AttrValue> {
        match self.attrs.get(index) {
            Some((n, value)) if same_name(n, name) => Some(value),
            _ => self.get(name),
        }
    }

    /// Sets a value, replacing the former one.
    pub fn set(&mut self, name: impl Into<Arc<str>>, value: impl Into<AttrValue>) {
        let (name, value) = (name.into(), value.into());
        match self.position(&name) {
            Some(at) => self.attrs[at].1 = value,
            None => self.push(name, value),
        }
    }

    fn push(&mut self, name: Arc<str>, value: AttrValue) {
        if let Some(index) = &mut self.index {
            index.insert(name.clone(), self.attrs.len());
        }
        self.attrs.push((name, value));
        if self.index.is_none() {
            self.index_all();
        }
    }

    /// Removes an attr.
    pub fn remove(&mut self, name: &str) -> Option<AttrValue> {
        let at = self.position(name)?;
        let (_, value) = self.attrs.remove(at);
        self.index_all();
        Some(value)
    }

    /// All attrs in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &AttrValue)> {
        self.attrs.iter().map(|(n, v)| (&**n, v))
    }

    /// The number of attrs.
    pub fn len(&self) -> usize {
        self.attrs.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.attrs.is_empty()
    }

    /// The value of the attr `name` as a Rust type.
    ///
    /// # Errors
    /// There is no such attr, or it is of another kind.
    pub fn read<'a, T: FromAttr<'a>>(&'a self, name: &str) -> Result<T> {
        let value = self.get(name).ok_or_else(|| Error::invalid_argument(format!("the node has no attr `{name}`")))?;
        T::from_attr(value).ok_or_else(|| wrong_kind(name, value, T::KIND))
    }
}

#[cold]
pub(crate) fn wrong_kind(name: &str, value: &AttrValue, wanted: &str) -> Error {
    if let AttrValue::Placeholder(_) = value {
        let message = format!("the value of the attr `{name}` is not known here");
        return Error::new(Code::FailedPrecondition, ErrorKind::AttrUnknown, message);
    }
    Error::invalid_argument(format!("attr `{name}` is {}, not {wanted}", value.kind_name()))
}

/// The error of an attr whose value is none of those that its op allows.
#[cold]
pub(crate) fn not_allowed(name: &str, value: &AttrValue) -> Error {
    match value {
        AttrValue::String(text) => Error::invalid_argument(format!(
            "attr `{name}` is `{}`, which the op does not allow",
            String::from_utf8_lossy(text)
        )),
        _ => wrong_kind(name, value, "string"),
    }
}

impl fmt::Debug for AttrMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl PartialEq for AttrMap {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|(name, value)| other.get(name) == Some(value))
    }
}

impl<N: Into<Arc<str>>> FromIterator<(N, AttrValue)> for AttrMap {
    fn from_iter<I: IntoIterator<Item = (N, AttrValue)>>(iter: I) -> Self {
        let mut map = Self::new();
        iter.into_iter().for_each(|(name, value)| map.set(name, value));
        map
    }
}

impl PartialEq for AttrValue {
    /// Tensors are equal when dtype, shape and elements are (bytes of plain dtypes, so NaN equals NaN).
    fn eq(&self, other: &Self) -> bool {
        use AttrValue as V;
        match (self, other) {
            (V::String(a), V::String(b)) => a == b,
            (V::Int(a), V::Int(b)) => a == b,
            (V::Float(a), V::Float(b)) => a.to_bits() == b.to_bits(),
            (V::Bool(a), V::Bool(b)) => a == b,
            (V::Type(a), V::Type(b)) => a == b,
            (V::Shape(a), V::Shape(b)) => a == b,
            (V::Tensor(a), V::Tensor(b)) => same_tensor(a, b),
            (V::Func(a), V::Func(b)) => a == b,
            (V::Strings(a), V::Strings(b)) => a == b,
            (V::Ints(a), V::Ints(b)) => a == b,
            (V::Floats(a), V::Floats(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
            }
            (V::Bools(a), V::Bools(b)) => a == b,
            (V::Types(a), V::Types(b)) => a == b,
            (V::Shapes(a), V::Shapes(b)) => a == b,
            (V::Tensors(a), V::Tensors(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_tensor(a, b)),
            (V::Funcs(a), V::Funcs(b)) => a == b,
            (V::Placeholder(a), V::Placeholder(b)) => a == b,
            (V::EmptyList, other) | (other, V::EmptyList) => other.list_len() == Some(0),
            _ => false,
        }
    }
}

fn same_tensor(a: &Tensor, b: &Tensor) -> bool {
    if a.dtype() != b.dtype() || a.shape() != b.shape() {
        return false;
    }
    match (a.as_slice::<crate::TString>(), b.as_slice::<crate::TString>()) {
        (Ok(a), Ok(b)) => a == b,
        _ => matches!((a.as_bytes(), b.as_bytes()), (Ok(a), Ok(b)) if a == b),
    }
}

impl AttrValue {
    /// The kind's name in the op language; `list(…)` for an empty list of unknown kind.
    pub fn kind_name(&self) -> &'static str {
        match self {
            Self::String(_) => "string",
            Self::Int(_) => "int",
            Self::Float(_) => "float",
            Self::Bool(_) => "bool",
            Self::Type(_) => "type",
            Self::Shape(_) => "shape",
            Self::Tensor(_) => "tensor",
            Self::Func(_) => "func",
            Self::Strings(_) => "list(string)",
            Self::Ints(_) => "list(int)",
            Self::Floats(_) => "list(float)",
            Self::Bools(_) => "list(bool)",
            Self::Types(_) => "list(type)",
            Self::Shapes(_) => "list(shape)",
            Self::Tensors(_) => "list(tensor)",
            Self::Funcs(_) => "list(func)",
            Self::EmptyList => "list(…)",
            Self::Placeholder(_) => "placeholder",
        }
    }

    /// Whether the value is of this kind (an empty list is of any list kind).
    pub fn is_of(&self, kind: AttrKind) -> bool {
        let name = self.kind_name();
        let inner = name.strip_prefix("list(").and_then(|inner| inner.strip_suffix(')'));
        match (self, kind.list) {
            (Self::EmptyList, list) => list,
            (_, true) => inner == Some(kind.scalar.name()),
            (_, false) => name == kind.scalar.name(),
        }
    }

    /// The number of elements of a list.
    pub fn list_len(&self) -> Option<usize> {
        Some(match self {
            Self::Strings(v) => v.len(),
            Self::Ints(v) => v.len(),
            Self::Floats(v) => v.len(),
            Self::Bools(v) => v.len(),
            Self::Types(v) => v.len(),
            Self::Shapes(v) => v.len(),
            Self::Tensors(v) => v.len(),
            Self::Funcs(v) => v.len(),
            Self::EmptyList => 0,
            _ => return None,
        })
    }
}

/// A Rust type that attr values of one kind are read as.
#[diagnostic::on_unimplemented(
    message = "an attr cannot be read as `{Self}`",
    label = "no attr kind has this Rust type",
    note = "attrs are i64, f32, bool, &str, &[u8], DType, &PartialShape, &Tensor, &FuncAttr, and slices such as &[i64], \
            &[f32], &[bool], &[Vec<u8>], &[DType], &[PartialShape]"
)]
pub trait FromAttr<'a>: Sized {
    /// The kind's name in the op language.
    const KIND: &'static str;
    /// The value, or `None` where it is of another kind.
    fn from_attr(value: &'a AttrValue) -> Option<Self>;
}

/// A parameter that takes an attr of one kind. `Kind` is the Rust type of the kind's values: `str`, `i64`, `f32`,
/// `bool`, `DType`, `PartialShape`, `Tensor`, `FuncAttr`, slices of them for lists (`[Vec<u8>]` for `list(string)`).
#[diagnostic::on_unimplemented(
    message = "an attr whose values are `{Kind}` cannot be taken as `{Self}`",
    label = "the op declares `{Kind}` here",
    note = "int is taken as i64, float as f32, bool as bool, string as &str or &[u8], one of a few strings also as an enum \
            of them, type as DType, shape as &PartialShape, tensor as &Tensor, func as &FuncAttr, and a list as a slice: list(int) as &[i64], list(string) \
            as &[Vec<u8>]"
)]
pub trait AttrParam<'a, Kind: ?Sized>: FromAttr<'a> {}

macro_rules! from_attr {
    ($($ty:ty, $kind:literal $type:ty, $pattern:pat => $value:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<'a> AttrParam<'a, $type> for $ty {}
        impl<'a> FromAttr<'a> for $ty {
            const KIND: &'static str = $kind;
            #[inline]
            fn from_attr(value: &'a AttrValue) -> Option<Self> {
                match value { $pattern => $value, _ => None }
            }
        }
    )*};
}

/// List kinds; an empty list of unknown kind reads as any of them.
macro_rules! from_list_attr {
    ($($ty:ty, $kind:literal, $variant:ident;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<'a> AttrParam<'a, [$ty]> for &'a [$ty] {}
        #[diagnostic::do_not_recommend]
        impl<'a> AttrParam<'a, [$ty]> for Vec<$ty> {}
        impl<'a> FromAttr<'a> for &'a [$ty] {
            const KIND: &'static str = $kind;
            #[inline]
            fn from_attr(value: &'a AttrValue) -> Option<Self> {
                match value { AttrValue::$variant(v) => Some(v), AttrValue::EmptyList => Some(&[]), _ => None }
            }
        }
        impl<'a> FromAttr<'a> for Vec<$ty> {
            const KIND: &'static str = $kind;
            fn from_attr(value: &'a AttrValue) -> Option<Self> {
                <&[$ty]>::from_attr(value).map(<[$ty]>::to_vec)
            }
        }
    )*};
}

from_attr! {
    i64, "int" i64, AttrValue::Int(v) => Some(*v);
    f32, "float" f32, AttrValue::Float(v) => Some(*v);
    bool, "bool" bool, AttrValue::Bool(v) => Some(*v);
    DType, "type" DType, AttrValue::Type(v) => Some(*v);
    &'a [u8], "string" str, AttrValue::String(v) => Some(v);
    &'a str, "string" str, AttrValue::String(v) => std::str::from_utf8(v).ok();
    String, "string" str, AttrValue::String(v) => String::from_utf8(v.clone()).ok();
    &'a PartialShape, "shape" PartialShape, AttrValue::Shape(v) => Some(v);
    PartialShape, "shape" PartialShape, AttrValue::Shape(v) => Some(v.clone());
    &'a Tensor, "tensor" Tensor, AttrValue::Tensor(v) => Some(v);
    Tensor, "tensor" Tensor, AttrValue::Tensor(v) => Some(v.clone());
    &'a FuncAttr, "func" FuncAttr, AttrValue::Func(v) => Some(v);
}

from_list_attr! {
    i64, "list(int)", Ints;
    f32, "list(float)", Floats;
    bool, "list(bool)", Bools;
    DType, "list(type)", Types;
    Vec<u8>, "list(string)", Strings;
    PartialShape, "list(shape)", Shapes;
    Tensor, "list(tensor)", Tensors;
    FuncAttr, "list(func)", Funcs;
}
