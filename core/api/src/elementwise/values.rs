//! Slices of elements of any type that formulas are for.

use std::ops::Range;

use num_complex::Complex;
use oplink_vmath::half::{bf16_to_single, f16_to_single, single_to_bf16, single_to_f16};
use oplink_vmath::loops::map;

use super::compute::Stored;
use crate::element::{bf16, f16};
use crate::{DType, Element, Error, Result, Tensor};

/// Calls a macro with each variant and its element type; 16-bit floats, which nothing is computed in, come last.
macro_rules! for_stored {
    ($macro:ident) => {
        $macro! {
            Bool bool, Int8 i8, Int16 i16, Int32 i32, Int64 i64, UInt8 u8, UInt16 u16, UInt32 u32, UInt64 u64, Float f32,
            Double f64, Complex64 Complex<f32>, Complex128 Complex<f64>
        }
    };
}

macro_rules! enums {
    ($($variant:ident $ty:ty),*) => {
        /// Elements to be read; variants are named after dtypes.
        #[derive(Debug, Clone, Copy)]
        #[allow(missing_docs, reason = "the names of dtypes")]
        pub enum Values<'a> { $($variant(&'a [$ty]),)* Half(&'a [f16]), BFloat16(&'a [bf16]) }

        /// Elements to be written; variants are named after dtypes.
        #[derive(Debug)]
        #[allow(missing_docs, reason = "the names of dtypes")]
        pub enum ValuesMut<'a> { $($variant(&'a mut [$ty]),)* Half(&'a mut [f16]), BFloat16(&'a mut [bf16]) }

        /// Elements of the types that are computed in.
        #[derive(Debug)]
        pub(super) enum Buffer { $($variant(Vec<$ty>),)* }

        $(impl Stored for $ty {
            const HAS_EVERY_FORM: bool = matches!(<$ty as Element>::DTYPE, DType::Float | DType::Double);
            #[inline(always)]
            fn slice<'a>(values: &Values<'a>) -> Option<&'a [Self]> {
                match values { Values::$variant(values) => Some(values), _ => None }
            }
            #[inline(always)]
            fn slice_mut(values: ValuesMut<'_>) -> Option<&mut [Self]> {
                match values { ValuesMut::$variant(values) => Some(values), _ => None }
            }
        })*

        impl Buffer {
            /// So many elements of the type that `dtype` is computed in; `None` where formulas are not for it.
            pub(super) fn new(dtype: DType, length: usize) -> Option<Self> {
                match dtype {
                    $(DType::$variant => Some(Self::$variant(vec![<$ty>::default(); length])),)*
                    DType::Half | DType::BFloat16 => Some(Self::Float(vec![0.0; length])),
                    _ => None,
                }
            }

            pub(super) fn dtype(&self) -> DType {
                match self { $(Self::$variant(_) => DType::$variant,)* }
            }

            #[inline]
            pub(super) fn first(&self, length: usize) -> Values<'_> {
                match self { $(Self::$variant(values) => Values::$variant(&values[..length]),)* }
            }

            #[inline]
            pub(super) fn first_mut(&mut self, length: usize) -> ValuesMut<'_> {
                match self { $(Self::$variant(values) => ValuesMut::$variant(&mut values[..length]),)* }
            }
        }
    };
}

for_stored!(enums);

/// An expression for the slice of any variant.
macro_rules! each {
    ($enum:ident, $value:expr, $slice:ident => $body:expr) => {
        match $value {
            $enum::Bool($slice) => $body,
            $enum::Int8($slice) => $body,
            $enum::Int16($slice) => $body,
            $enum::Int32($slice) => $body,
            $enum::Int64($slice) => $body,
            $enum::UInt8($slice) => $body,
            $enum::UInt16($slice) => $body,
            $enum::UInt32($slice) => $body,
            $enum::UInt64($slice) => $body,
            $enum::Float($slice) => $body,
            $enum::Double($slice) => $body,
            $enum::Complex64($slice) => $body,
            $enum::Complex128($slice) => $body,
            $enum::Half($slice) => $body,
            $enum::BFloat16($slice) => $body,
        }
    };
}

/// The same, as a value of the same variant.
macro_rules! map_each {
    ($from:ident => $to:ident, $value:expr, $slice:ident => $body:expr) => {
        match $value {
            $from::Bool($slice) => $to::Bool($body),
            $from::Int8($slice) => $to::Int8($body),
            $from::Int16($slice) => $to::Int16($body),
            $from::Int32($slice) => $to::Int32($body),
            $from::Int64($slice) => $to::Int64($body),
            $from::UInt8($slice) => $to::UInt8($body),
            $from::UInt16($slice) => $to::UInt16($body),
            $from::UInt32($slice) => $to::UInt32($body),
            $from::UInt64($slice) => $to::UInt64($body),
            $from::Float($slice) => $to::Float($body),
            $from::Double($slice) => $to::Double($body),
            $from::Complex64($slice) => $to::Complex64($body),
            $from::Complex128($slice) => $to::Complex128($body),
            $from::Half($slice) => $to::Half($body),
            $from::BFloat16($slice) => $to::BFloat16($body),
        }
    };
}

macro_rules! of_tensor {
    ($($variant:ident $ty:ty),*) => {
        impl<'a> Values<'a> {
            /// The elements of a tensor in host memory.
            ///
            /// # Errors
            /// It has another dtype than formulas are for, or is in a device's memory.
            #[inline]
            pub fn of(tensor: &'a Tensor) -> Result<Self> {
                match tensor.dtype() {
                    $(DType::$variant => tensor.as_slice::<$ty>().map(Self::$variant),)*
                    DType::Half => tensor.as_slice().map(Self::Half),
                    DType::BFloat16 => tensor.as_slice().map(Self::BFloat16),
                    other => Err(no_formula(other)),
                }
            }
        }

        impl<'a> ValuesMut<'a> {
            /// The elements of a tensor in host memory whose memory nobody else holds.
            ///
            /// # Errors
            /// As [`Values::of`]; the memory is shared.
            #[inline]
            pub fn of(tensor: &'a mut Tensor) -> Result<Self> {
                match tensor.dtype() {
                    $(DType::$variant => tensor.as_mut_slice::<$ty>().map(Self::$variant),)*
                    DType::Half => tensor.as_mut_slice().map(Self::Half),
                    DType::BFloat16 => tensor.as_mut_slice().map(Self::BFloat16),
                    other => Err(no_formula(other)),
                }
            }

            /// Copies elements of the same number, to or from single precision where one side has 16-bit floats. Other
            /// differences of type are the caller's error, and leave everything as it is.
            pub(super) fn copy_from(&mut self, values: &Values<'_>) {
                match (self, values) {
                    $((Self::$variant(to), Values::$variant(from)) => to.copy_from_slice(from),)*
                    (Self::Half(to), Values::Half(from)) => to.copy_from_slice(from),
                    (Self::BFloat16(to), Values::BFloat16(from)) => to.copy_from_slice(from),
                    (Self::Float(to), Values::Half(from)) => map(from, to, |x| f16_to_single(x.to_bits())),
                    (Self::Float(to), Values::BFloat16(from)) => map(from, to, |x| bf16_to_single(x.to_bits())),
                    (Self::Half(to), Values::Float(from)) => map(from, to, |x| f16::from_bits(single_to_f16(x))),
                    (Self::BFloat16(to), Values::Float(from)) => map(from, to, |x| bf16::from_bits(single_to_bf16(x))),
                    _ => debug_assert!(false, "values of different types"),
                }
            }

            /// Sets every element to one of `values`.
            pub(super) fn fill_from(&mut self, values: &Values<'_>, index: usize) {
                match (self, values) {
                    $((Self::$variant(to), Values::$variant(from)) => to.fill(from[index]),)*
                    (Self::Float(to), Values::Half(from)) => to.fill(f16_to_single(from[index].to_bits())),
                    (Self::Float(to), Values::BFloat16(from)) => to.fill(bf16_to_single(from[index].to_bits())),
                    _ => debug_assert!(false, "values of different types"),
                }
            }
        }
    };
}

for_stored!(of_tensor);

#[cold]
fn no_formula(dtype: DType) -> Error {
    Error::unimplemented(format!("formulas are not for elements of dtype {dtype}"))
}

impl Values<'_> {
    /// The number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        each!(Self, self, values => values.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The elements' dtype.
    #[inline]
    pub fn dtype(&self) -> DType {
        macro_rules! dtypes {
            ($($variant:ident)*) => { match self { $(Self::$variant(_) => DType::$variant,)* } };
        }
        dtypes!(Bool Int8 Int16 Int32 Int64 UInt8 UInt16 UInt32 UInt64 Float Double Complex64 Complex128 Half BFloat16)
    }

    /// A part of the elements.
    #[inline]
    pub(super) fn part(&self, range: Range<usize>) -> Self {
        map_each!(Values => Values, self, values => &values[range])
    }

    /// Whether formulas compute with the elements as they are.
    #[inline]
    pub(super) fn is_computed(&self) -> bool {
        !matches!(self, Self::Half(_) | Self::BFloat16(_))
    }
}

impl ValuesMut<'_> {
    /// The number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        each!(Self, self, values => values.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A part of the elements.
    #[inline]
    pub(super) fn part(&mut self, range: Range<usize>) -> ValuesMut<'_> {
        map_each!(Self => ValuesMut, self, values => &mut values[range])
    }

    /// The elements before a position, and those from it on.
    pub(super) fn split_at(self, at: usize) -> (Self, Self) {
        macro_rules! split {
            ($($variant:ident)*) => {
                match self {$(
                    Self::$variant(values) => {
                        let (before, after) = values.split_at_mut(at);
                        (Self::$variant(before), Self::$variant(after))
                    }
                )*}
            };
        }
        split!(Bool Int8 Int16 Int32 Int64 UInt8 UInt16 UInt32 UInt64 Float Double Complex64 Complex128 Half BFloat16)
    }

    /// No elements of this type.
    #[inline]
    pub(super) fn none(&self) -> Values<'static> {
        map_each!(Self => Values, self, _values => &[])
    }

    /// The elements, to be read.
    #[inline]
    pub(super) fn as_values(&self) -> Values<'_> {
        map_each!(Self => Values, self, values => values)
    }

    /// Whether formulas compute with the elements as they are.
    #[inline]
    pub(super) fn is_computed(&self) -> bool {
        !matches!(self, Self::Half(_) | Self::BFloat16(_))
    }
}
