//! Element types with TensorFlow's numbers and names.
//!
//! Numbers are those of TensorFlow's `DataType` enum; names are those of its op definitions (`float`, `half`, …), with
//! the width-carrying spellings (`float32`, `float16`, …) accepted on parsing.

use std::fmt;

/// A tensor's element type; the discriminant is TensorFlow's `DataType` number.
#[repr(u8)]
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum DType {
    /// No type: the value of a field that is not set.
    Invalid = 0,
    Float = 1,
    Double = 2,
    Int32 = 3,
    UInt8 = 4,
    Int16 = 5,
    Int8 = 6,
    String = 7,
    Complex64 = 8,
    Int64 = 9,
    Bool = 10,
    QInt8 = 11,
    QUInt8 = 12,
    QInt32 = 13,
    BFloat16 = 14,
    QInt16 = 15,
    QUInt16 = 16,
    UInt16 = 17,
    Complex128 = 18,
    Half = 19,
    Resource = 20,
    Variant = 21,
    UInt32 = 22,
    UInt64 = 23,
    Float8E5M2 = 24,
    Float8E4M3FN = 25,
    Float8E4M3FNUZ = 26,
    Float8E4M3B11FNUZ = 27,
    Float8E5M2FNUZ = 28,
    Int4 = 29,
    UInt4 = 30,
    Int2 = 31,
    UInt2 = 32,
    Float4E2M1FN = 33,
}

#[allow(clippy::enum_glob_use)]
use DType::*;

/// One row a type, in the order of the numbers: type, name, enum name, bytes an element (0: no fixed size).
const TABLE: [(DType, &str, &str, u8); 34] = [
    (Invalid, "invalid", "DT_INVALID", 0),
    (Float, "float", "DT_FLOAT", 4),
    (Double, "double", "DT_DOUBLE", 8),
    (Int32, "int32", "DT_INT32", 4),
    (UInt8, "uint8", "DT_UINT8", 1),
    (Int16, "int16", "DT_INT16", 2),
    (Int8, "int8", "DT_INT8", 1),
    (String, "string", "DT_STRING", 0),
    (Complex64, "complex64", "DT_COMPLEX64", 8),
    (Int64, "int64", "DT_INT64", 8),
    (Bool, "bool", "DT_BOOL", 1),
    (QInt8, "qint8", "DT_QINT8", 1),
    (QUInt8, "quint8", "DT_QUINT8", 1),
    (QInt32, "qint32", "DT_QINT32", 4),
    (BFloat16, "bfloat16", "DT_BFLOAT16", 2),
    (QInt16, "qint16", "DT_QINT16", 2),
    (QUInt16, "quint16", "DT_QUINT16", 2),
    (UInt16, "uint16", "DT_UINT16", 2),
    (Complex128, "complex128", "DT_COMPLEX128", 16),
    (Half, "half", "DT_HALF", 2),
    (Resource, "resource", "DT_RESOURCE", 0),
    (Variant, "variant", "DT_VARIANT", 0),
    (UInt32, "uint32", "DT_UINT32", 4),
    (UInt64, "uint64", "DT_UINT64", 8),
    (Float8E5M2, "float8_e5m2", "DT_FLOAT8_E5M2", 1),
    (Float8E4M3FN, "float8_e4m3fn", "DT_FLOAT8_E4M3FN", 1),
    (Float8E4M3FNUZ, "float8_e4m3fnuz", "DT_FLOAT8_E4M3FNUZ", 1),
    (Float8E4M3B11FNUZ, "float8_e4m3b11fnuz", "DT_FLOAT8_E4M3B11FNUZ", 1),
    (Float8E5M2FNUZ, "float8_e5m2fnuz", "DT_FLOAT8_E5M2FNUZ", 1),
    (Int4, "int4", "DT_INT4", 1),
    (UInt4, "uint4", "DT_UINT4", 1),
    (Int2, "int2", "DT_INT2", 1),
    (UInt2, "uint2", "DT_UINT2", 1),
    (Float4E2M1FN, "float4_e2m1fn", "DT_FLOAT4_E2M1FN", 1),
];

/// The types that the constraint `numbertype` allows, in TensorFlow's order.
pub const NUMBER_TYPES: &[DType] = &[
    Float, Double, Int32, UInt8, Int16, Int8, Complex64, Int64, QInt8, QUInt8, QInt32, BFloat16, QInt16, QUInt16,
    UInt16, Complex128, Half, UInt32, UInt64,
];

/// The types that the constraint `realnumbertype` allows, in TensorFlow's order.
pub const REAL_NUMBER_TYPES: &[DType] =
    &[Float, Double, Int32, UInt8, Int16, Int8, Int64, BFloat16, UInt16, Half, UInt32, UInt64];

/// The types that the constraint `quantizedtype` allows, in TensorFlow's order.
pub const QUANTIZED_TYPES: &[DType] = &[QInt8, QUInt8, QInt32, QInt16, QUInt16];

impl DType {
    /// Every type a tensor can have, in the order of the numbers; `Invalid` is not one.
    pub const ALL: &[DType] = &{
        let mut all = [Float; 33];
        let mut i = 0;
        while i < all.len() {
            all[i] = TABLE[i + 1].0;
            i += 1;
        }
        all
    };

    /// The type with TensorFlow's `number` (0 is `Invalid`); `None` for a number TensorFlow does not use, and for the
    /// reference types (100 and up), which only an argument's `Ref(…)` expresses.
    pub const fn from_number(number: i32) -> Option<DType> {
        if number < 0 || number >= TABLE.len() as i32 {
            return None;
        }
        Some(TABLE[number as usize].0)
    }

    /// TensorFlow's number.
    pub const fn number(self) -> i32 {
        self as i32
    }

    /// The name in op definitions: `float`, `half`, `int32`, ….
    pub const fn name(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// The name in TensorFlow's protocol buffers: `DT_FLOAT`, `DT_HALF`, ….
    pub const fn enum_name(self) -> &'static str {
        TABLE[self as usize].2
    }

    /// The type of a name in op definitions; `float16`, `float32` and `float64` are accepted too, `invalid` is not.
    pub fn parse(name: &str) -> Option<DType> {
        match name {
            "float16" => Some(Half),
            "float32" => Some(Float),
            "float64" => Some(Double),
            _ => DType::ALL.iter().copied().find(|t| t.name() == name),
        }
    }

    /// The type of a name such as `DT_FLOAT`; `DT_INVALID` is accepted.
    pub fn parse_enum_name(name: &str) -> Option<DType> {
        TABLE.iter().find(|row| row.2 == name).map(|row| row.0)
    }

    /// Bytes an element takes in memory; types below a byte take one. `None` for the types without a fixed size:
    /// `string`, `resource`, `variant` and `Invalid`.
    pub const fn size(self) -> Option<usize> {
        match TABLE[self as usize].3 {
            0 => None,
            n => Some(n as usize),
        }
    }

    /// Whether it is a floating-point type: not complex, not quantized.
    pub const fn is_floating(self) -> bool {
        matches!(
            self,
            Float
                | Double
                | BFloat16
                | Half
                | Float8E5M2
                | Float8E4M3FN
                | Float8E4M3FNUZ
                | Float8E4M3B11FNUZ
                | Float8E5M2FNUZ
                | Float4E2M1FN
        )
    }

    /// Whether it is an integer type, signed or not: not quantized, not `bool`.
    pub const fn is_integer(self) -> bool {
        self.is_signed_integer() || self.is_unsigned()
    }

    /// Whether it is a signed integer type: not quantized.
    pub const fn is_signed_integer(self) -> bool {
        matches!(self, Int2 | Int4 | Int8 | Int16 | Int32 | Int64)
    }

    /// Whether it is an unsigned integer type: not quantized.
    pub const fn is_unsigned(self) -> bool {
        matches!(self, UInt2 | UInt4 | UInt8 | UInt16 | UInt32 | UInt64)
    }

    /// Whether it is `complex64` or `complex128`.
    pub const fn is_complex(self) -> bool {
        matches!(self, Complex64 | Complex128)
    }

    /// Whether it is one of `QUANTIZED_TYPES`.
    pub const fn is_quantized(self) -> bool {
        matches!(self, QInt8 | QUInt8 | QInt16 | QUInt16 | QInt32)
    }

    /// The type of a complex type's real part, any other type itself.
    #[must_use]
    pub const fn real(self) -> DType {
        match self {
            Complex64 => Float,
            Complex128 => Double,
            other => other,
        }
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
