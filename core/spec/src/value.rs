//! Values of attrs, as far as declarations need them: defaults, and the values inside function defaults.
//!
//! Equality of floats is by value with two exceptions that make it an equivalence: every NaN equals every other, and
//! the two zeros differ.

use crate::dtype::DType;

/// A shape: `None` is unknown rank, `-1` an unknown dimension.
pub type ShapeValue = Option<Vec<i64>>;

/// A value of an attr.
#[derive(Clone, Debug)]
pub enum AttrValue {
    /// Bytes, mostly UTF-8 text.
    String(Vec<u8>),
    /// An integer.
    Int(i64),
    /// A float.
    Float(f32),
    /// A truth value.
    Bool(bool),
    /// An element type.
    Type(DType),
    /// A shape.
    Shape(ShapeValue),
    /// A constant tensor.
    Tensor(Box<TensorValue>),
    /// A function.
    Func(FuncValue),
    /// A list.
    List(Box<ListValue>),
    /// The name of the attr whose value stands here; only inside the attrs of a function.
    Placeholder(String),
}

/// A list of attr values. All but one of the vectors are empty; the attr's kind says which one counts.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct ListValue {
    pub strings: Vec<Vec<u8>>,
    pub ints: Vec<i64>,
    pub floats: Vec<f32>,
    pub bools: Vec<bool>,
    pub types: Vec<DType>,
    pub shapes: Vec<ShapeValue>,
    pub tensors: Vec<TensorValue>,
    pub funcs: Vec<FuncValue>,
}

/// A constant tensor as TensorFlow's `TensorProto` holds it: either `content`, the elements' bytes in row-major order
/// and little endian, or one of the vectors of values, where the last value stands for all missing ones.
#[derive(Clone, Debug)]
pub struct TensorValue {
    /// The element type.
    pub dtype: DType,
    /// The shape; fully known in any tensor that can be built. `None` is unknown rank.
    pub shape: ShapeValue,
    /// The version of the format, 0 so far.
    pub version_number: i32,
    /// The elements' bytes; empty when one of the vectors below is used.
    pub content: Vec<u8>,
    /// Bit patterns of `half` and `bfloat16`.
    pub half_val: Vec<i32>,
    /// `float`.
    pub float_val: Vec<f32>,
    /// `double`.
    pub double_val: Vec<f64>,
    /// The integer types of at most 32 bits except `uint32`, quantized ones too.
    pub int_val: Vec<i32>,
    /// `string`.
    pub string_val: Vec<Vec<u8>>,
    /// `complex64`: real and imaginary parts by turns.
    pub scomplex_val: Vec<f32>,
    /// `int64`.
    pub int64_val: Vec<i64>,
    /// `bool`.
    pub bool_val: Vec<bool>,
    /// `complex128`: real and imaginary parts by turns.
    pub dcomplex_val: Vec<f64>,
    /// `uint32`.
    pub uint32_val: Vec<u32>,
    /// `uint64`.
    pub uint64_val: Vec<u64>,
    /// The types of one byte or less that `int_val` does not hold: the bytes.
    pub float8_val: Vec<u8>,
}

/// A function's name with values for its attrs, sorted by name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FuncValue {
    /// The function's name; empty is allowed and means none.
    pub name: String,
    /// The values of its attrs, sorted by name, each name once; `None` is a value that is not set.
    pub attrs: Vec<(String, Option<AttrValue>)>,
}

impl TensorValue {
    /// A tensor without values yet.
    pub fn new(dtype: DType, shape: ShapeValue) -> TensorValue {
        TensorValue {
            dtype,
            shape,
            version_number: 0,
            content: Vec::new(),
            half_val: Vec::new(),
            float_val: Vec::new(),
            double_val: Vec::new(),
            int_val: Vec::new(),
            string_val: Vec::new(),
            scomplex_val: Vec::new(),
            int64_val: Vec::new(),
            bool_val: Vec::new(),
            dcomplex_val: Vec::new(),
            uint32_val: Vec::new(),
            uint64_val: Vec::new(),
            float8_val: Vec::new(),
        }
    }
}

impl ListValue {
    /// The number of values.
    pub fn len(&self) -> usize {
        self.strings.len()
            + self.ints.len()
            + self.floats.len()
            + self.bools.len()
            + self.types.len()
            + self.shapes.len()
            + self.tensors.len()
            + self.funcs.len()
    }

    /// Whether there is no value.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl PartialEq for AttrValue {
    fn eq(&self, other: &AttrValue) -> bool {
        match (self, other) {
            (AttrValue::String(a), AttrValue::String(b)) => a == b,
            (AttrValue::Int(a), AttrValue::Int(b)) => a == b,
            (AttrValue::Float(a), AttrValue::Float(b)) => same32(*a, *b),
            (AttrValue::Bool(a), AttrValue::Bool(b)) => a == b,
            (AttrValue::Type(a), AttrValue::Type(b)) => a == b,
            (AttrValue::Shape(a), AttrValue::Shape(b)) => a == b,
            (AttrValue::Tensor(a), AttrValue::Tensor(b)) => a == b,
            (AttrValue::Func(a), AttrValue::Func(b)) => a == b,
            (AttrValue::List(a), AttrValue::List(b)) => a == b,
            (AttrValue::Placeholder(a), AttrValue::Placeholder(b)) => a == b,
            _ => false,
        }
    }
}

impl PartialEq for ListValue {
    fn eq(&self, other: &ListValue) -> bool {
        self.strings == other.strings
            && self.ints == other.ints
            && all_same32(&self.floats, &other.floats)
            && self.bools == other.bools
            && self.types == other.types
            && self.shapes == other.shapes
            && self.tensors == other.tensors
            && self.funcs == other.funcs
    }
}

impl PartialEq for TensorValue {
    fn eq(&self, other: &TensorValue) -> bool {
        self.dtype == other.dtype
            && self.shape == other.shape
            && self.version_number == other.version_number
            && self.content == other.content
            && self.half_val == other.half_val
            && all_same32(&self.float_val, &other.float_val)
            && all_same64(&self.double_val, &other.double_val)
            && self.int_val == other.int_val
            && self.string_val == other.string_val
            && all_same32(&self.scomplex_val, &other.scomplex_val)
            && self.int64_val == other.int64_val
            && self.bool_val == other.bool_val
            && all_same64(&self.dcomplex_val, &other.dcomplex_val)
            && self.uint32_val == other.uint32_val
            && self.uint64_val == other.uint64_val
            && self.float8_val == other.float8_val
    }
}

impl Eq for AttrValue {}
impl Eq for ListValue {}
impl Eq for TensorValue {}

fn same32(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

fn same64(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

fn all_same32(a: &[f32], b: &[f32]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same32(*a, *b))
}

fn all_same64(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same64(*a, *b))
}
