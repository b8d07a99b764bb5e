//! The types that values of a GPU kernel have.

use oplink_spec::DType;

/// The type of a scalar value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ty {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    /// An index: 64 bits in CUDA, 32 bits in WGSL, whose buffers are smaller.
    Usize,
    F16,
    BF16,
    F32,
    F64,
}

/// Each type with its name and its dtype.
const TYPES: &[(Ty, &str, Option<DType>)] = &[
    (Ty::Bool, "bool", Some(DType::Bool)),
    (Ty::I8, "i8", Some(DType::Int8)),
    (Ty::I16, "i16", Some(DType::Int16)),
    (Ty::I32, "i32", Some(DType::Int32)),
    (Ty::I64, "i64", Some(DType::Int64)),
    (Ty::U8, "u8", Some(DType::UInt8)),
    (Ty::U16, "u16", Some(DType::UInt16)),
    (Ty::U32, "u32", Some(DType::UInt32)),
    (Ty::U64, "u64", Some(DType::UInt64)),
    (Ty::Usize, "usize", None),
    (Ty::F16, "f16", Some(DType::Half)),
    (Ty::BF16, "bf16", Some(DType::BFloat16)),
    (Ty::F32, "f32", Some(DType::Float)),
    (Ty::F64, "f64", Some(DType::Double)),
];

impl Ty {
    pub(crate) fn of_dtype(dtype: DType) -> Option<Self> {
        TYPES.iter().find(|row| row.2 == Some(dtype)).map(|row| row.0)
    }

    pub(crate) fn of_name(name: &str) -> Option<Self> {
        TYPES.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    /// The dtype of tensors with this element; `None` for an index.
    pub(crate) fn dtype(self) -> Option<DType> {
        TYPES.iter().find(|row| row.0 == self).and_then(|row| row.2)
    }

    /// Rust's name, which the CUDA texts use too.
    pub(crate) fn name(self) -> &'static str {
        TYPES.iter().find(|row| row.0 == self).map_or("", |row| row.1)
    }

    pub(crate) fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::BF16 | Self::F32 | Self::F64)
    }

    pub(crate) fn is_integer(self) -> bool {
        !self.is_float() && self != Self::Bool
    }

    pub(crate) fn is_signed(self) -> bool {
        self.is_float() || matches!(self, Self::I8 | Self::I16 | Self::I32 | Self::I64)
    }

    /// Bytes of an element in memory.
    pub(crate) fn bytes(self) -> u32 {
        match self {
            Self::Bool | Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 | Self::F16 | Self::BF16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::Usize | Self::F64 => 8,
        }
    }

    /// The smallest and the largest value of an integer type.
    pub(crate) fn limits(self) -> (i128, i128) {
        let bits = self.bytes() * 8;
        if self.is_signed() { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
    }
}
