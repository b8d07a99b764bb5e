//! Attr values made of Rust values.

use crate::{AttrValue, DType, FuncAttr, PartialShape, Tensor};

macro_rules! into_attr {
    ($($ty:ty => |$v:ident| $value:expr;)*) => {$(
        impl From<$ty> for AttrValue {
            fn from($v: $ty) -> Self { $value }
        }
    )*};
}

into_attr! {
    &str => |v| Self::String(v.as_bytes().to_vec());
    String => |v| Self::String(v.into_bytes());
    &[u8] => |v| Self::String(v.to_vec());
    i64 => |v| Self::Int(v);
    i32 => |v| Self::Int(i64::from(v));
    f32 => |v| Self::Float(v);
    bool => |v| Self::Bool(v);
    DType => |v| Self::Type(v);
    PartialShape => |v| Self::Shape(v);
    &PartialShape => |v| Self::Shape(v.clone());
    crate::Shape => |v| Self::Shape((&v).into());
    Tensor => |v| Self::Tensor(v);
    &Tensor => |v| Self::Tensor(v.clone());
    FuncAttr => |v| Self::Func(v);
    &FuncAttr => |v| Self::Func(v.clone());
    &[i64] => |v| Self::Ints(v.to_vec());
    &[f32] => |v| Self::Floats(v.to_vec());
    &[bool] => |v| Self::Bools(v.to_vec());
    &[DType] => |v| Self::Types(v.to_vec());
    &[PartialShape] => |v| Self::Shapes(v.to_vec());
    &[Vec<u8>] => |v| Self::Strings(v.to_vec());
    &[&str] => |v| Self::Strings(v.iter().map(|s| s.as_bytes().to_vec()).collect());
    &[Tensor] => |v| Self::Tensors(v.to_vec());
    &[FuncAttr] => |v| Self::Funcs(v.to_vec());
    Vec<i64> => |v| Self::Ints(v);
    Vec<DType> => |v| Self::Types(v);
}

impl<T, const N: usize> From<&[T; N]> for AttrValue
where
    for<'a> AttrValue: From<&'a [T]>,
{
    fn from(values: &[T; N]) -> Self {
        Self::from(values.as_slice())
    }
}
