//! Slices of elements whose type is known at run time: what formulas read and write.
//!
//! Contract: `count` elements of the type of `dtype` lie at `start`, aligned, and are values of it for `'a`; those of a
//! [`ValuesMut`] are reached through nothing else. Only dtypes that formulas are for occur, whose elements are plain.
#![allow(unsafe_code, reason = "room: tensor memory")]

use std::marker::PhantomData;
use std::ops::Range;
use std::ptr::NonNull;

use num_complex::Complex;
use oplink_vmath::half::{bf16_to_single, f16_to_single, single_to_bf16, single_to_f16};
use oplink_vmath::loops::map;

use super::Tensor;
use crate::element::{bf16, f16};
use crate::{DType, Element, Error, Result};

/// An element type that formulas are for, and the 16-bit floats, which are computed with in single precision.
///
/// # Safety
/// The type is plain: copied bit by bit, without a destructor.
pub unsafe trait Value: Element + Copy {}

macro_rules! values {
    ($($variant:ident $ty:ty),*) => {
        // SAFETY: numbers and bools.
        $(unsafe impl Value for $ty {})*

        /// Whether formulas are for elements of the dtype.
        const fn is_value(dtype: DType) -> bool {
            matches!(dtype, $(DType::$variant)|*)
        }
    };
}

values! {
    Bool bool, Int8 i8, Int16 i16, Int32 i32, Int64 i64, UInt8 u8, UInt16 u16, UInt32 u32, UInt64 u64, Half f16, BFloat16 bf16,
    Float f32, Double f64, Complex64 Complex<f32>, Complex128 Complex<f64>
}

/// Elements to be read.
#[derive(Debug, Clone, Copy)]
pub struct Values<'a> {
    start: NonNull<u8>,
    count: usize,
    dtype: DType,
    elements: PhantomData<&'a [u8]>,
}

/// Elements to be written.
#[derive(Debug)]
pub struct ValuesMut<'a> {
    start: NonNull<u8>,
    count: usize,
    dtype: DType,
    elements: PhantomData<&'a mut [u8]>,
}

// SAFETY: a shared slice of plain elements.
unsafe impl Send for Values<'_> {}
// SAFETY: a shared slice of plain elements, which are only read.
unsafe impl Sync for Values<'_> {}
// SAFETY: a mutable slice of plain elements.
unsafe impl Send for ValuesMut<'_> {}
// SAFETY: through a shared reference the elements are only read.
unsafe impl Sync for ValuesMut<'_> {}

#[cold]
fn no_formula(dtype: DType) -> Error {
    Error::unimplemented(format!("formulas are not for elements of dtype {dtype}"))
}

#[cold]
fn bad_range(range: &Range<usize>, count: usize) -> ! {
    panic!("the elements {}..{} of {count} values", range.start, range.end)
}

impl<'a> Values<'a> {
    /// No elements.
    pub(crate) const NONE: Self =
        Self { start: NonNull::dangling(), count: 0, dtype: DType::Bool, elements: PhantomData };

    /// The elements of a slice.
    #[inline]
    pub(crate) fn new<T: Value>(slice: &'a [T]) -> Self {
        Self { start: NonNull::from(slice).cast(), count: slice.len(), dtype: T::DTYPE, elements: PhantomData }
    }

    /// The elements of a tensor in host memory.
    ///
    /// # Errors
    /// It has another dtype than formulas are for, or is in a device's memory.
    #[inline]
    pub fn of(tensor: &'a Tensor) -> Result<Self> {
        if !is_value(tensor.dtype) {
            return Err(no_formula(tensor.dtype));
        }
        Ok(Self { start: tensor.start()?, count: tensor.count, dtype: tensor.dtype, elements: PhantomData })
    }

    /// The slice, where the elements have this type.
    #[inline]
    pub(crate) fn slice<T: Value>(&self) -> Option<&'a [T]> {
        // SAFETY: the elements are of this type (the module's contract) and live for `'a`.
        (self.dtype == T::DTYPE).then(|| unsafe { std::slice::from_raw_parts(self.start.cast().as_ptr(), self.count) })
    }

    /// The number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The elements' dtype.
    #[inline]
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// A part of the elements.
    #[inline]
    pub(crate) fn part(&self, range: Range<usize>) -> Self {
        let start = first_of(self.start, self.dtype, &range, self.count);
        Self { start, count: range.len(), ..*self }
    }

    /// A copy of the only element, which `place` holds.
    ///
    /// # Panics
    /// Where there is not one element.
    #[inline]
    pub(crate) fn copied<'b>(&self, place: &'b mut u128) -> Values<'b> {
        assert_eq!(self.count, 1, "one value");
        let start = NonNull::from(place);
        // SAFETY: elements take as many bytes as an integer of their size, 16 at most, for which the place is large
        // enough and aligned.
        unsafe {
            match self.dtype.size() {
                Some(4) => start.cast::<u32>().write(self.start.cast::<u32>().read()),
                Some(8) => start.cast::<u64>().write(self.start.cast::<u64>().read_unaligned()),
                Some(size) => start.cast::<u8>().copy_from_nonoverlapping(self.start, size),
                None => {}
            }
        }
        Values { start: start.cast(), count: 1, dtype: self.dtype, elements: PhantomData }
    }

    /// Whether formulas compute with the elements as they are.
    #[inline]
    pub(crate) fn is_computed(&self) -> bool {
        !matches!(self.dtype, DType::Half | DType::BFloat16)
    }
}

/// Where the elements of a range of `count` ones at `start` begin.
#[inline]
fn first_of(start: NonNull<u8>, dtype: DType, range: &Range<usize>, count: usize) -> NonNull<u8> {
    if range.start > range.end || range.end > count {
        bad_range(range, count);
    }
    // SAFETY: the range lies among the elements, which are one allocation.
    unsafe { start.add(range.start * dtype.size().unwrap_or(0)) }
}

impl<'a> ValuesMut<'a> {
    /// The elements of a slice.
    #[inline]
    pub(crate) fn new<T: Value>(slice: &'a mut [T]) -> Self {
        let count = slice.len();
        Self { start: NonNull::from(slice).cast(), count, dtype: T::DTYPE, elements: PhantomData }
    }

    /// No elements.
    #[inline]
    pub(crate) fn empty() -> Self {
        Self::new::<bool>(&mut [])
    }

    /// The elements of a tensor in host memory whose memory nobody else holds.
    ///
    /// # Errors
    /// As [`Values::of`]; the memory is shared.
    #[inline]
    pub fn of(tensor: &'a mut Tensor) -> Result<Self> {
        let (dtype, count) = (tensor.dtype, tensor.count);
        if !is_value(dtype) {
            return Err(no_formula(dtype));
        }
        Ok(Self { start: tensor.writable_start()?, count, dtype, elements: PhantomData })
    }

    /// The slice, where the elements have this type.
    #[inline]
    pub(crate) fn slice<T: Value>(self) -> Option<&'a mut [T]> {
        (self.dtype == T::DTYPE).then(|| {
            // SAFETY: the elements are of this type (the module's contract), and `self`, which alone reached them, is
            // gone.
            unsafe { std::slice::from_raw_parts_mut(self.start.cast().as_ptr(), self.count) }
        })
    }

    /// The number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// A part of the elements.
    #[inline]
    pub(crate) fn part(&mut self, range: Range<usize>) -> ValuesMut<'_> {
        let start = first_of(self.start, self.dtype, &range, self.count);
        ValuesMut { start, count: range.len(), dtype: self.dtype, elements: PhantomData }
    }

    /// The elements before a position, and those from it on.
    pub(crate) fn split_at(self, at: usize) -> (Self, Self) {
        let after = first_of(self.start, self.dtype, &(at..self.count), self.count);
        (Self { count: at, ..self }, Self { start: after, count: self.count - at, ..self })
    }

    /// No elements of this type.
    #[inline]
    pub(crate) fn none(&self) -> Values<'static> {
        // Aligned for every type, since the elements are.
        Values { start: self.start, count: 0, dtype: self.dtype, elements: PhantomData }
    }

    /// The elements, to be read.
    #[inline]
    pub(crate) fn as_values(&self) -> Values<'_> {
        Values { start: self.start, count: self.count, dtype: self.dtype, elements: PhantomData }
    }

    /// Whether formulas compute with the elements as they are.
    #[inline]
    pub(crate) fn is_computed(&self) -> bool {
        self.as_values().is_computed()
    }

    /// Copies elements of the same number, to or from single precision where one side has 16-bit floats. Other
    /// differences of type are the caller's error, and leave everything as it is.
    ///
    /// # Panics
    /// Where the numbers of elements differ.
    pub(crate) fn copy_from(&mut self, values: &Values<'_>) {
        assert_eq!(self.count, values.count, "as many values as there is room for");
        if self.dtype == values.dtype {
            let bytes = self.count * self.dtype.size().unwrap_or(0);
            // SAFETY: both sides have these bytes, which are values of the dtype, and a `ValuesMut` overlaps nothing.
            return unsafe { self.start.copy_from_nonoverlapping(values.start, bytes) };
        }
        match (values.dtype, self.dtype) {
            (DType::Half, DType::Float) => self.convert(values, |x: f16| f16_to_single(x.to_bits())),
            (DType::BFloat16, DType::Float) => self.convert(values, |x: bf16| bf16_to_single(x.to_bits())),
            (DType::Float, DType::Half) => self.convert(values, |x| f16::from_bits(single_to_f16(x))),
            (DType::Float, DType::BFloat16) => self.convert(values, |x| bf16::from_bits(single_to_bf16(x))),
            _ => debug_assert!(false, "values of different types"),
        }
    }

    fn convert<A: Value, B: Value>(&mut self, values: &Values<'_>, f: impl Fn(A) -> B) {
        if let (Some(from), Some(to)) = (values.slice(), self.part(0..self.count).slice()) {
            map(from, to, f);
        }
    }

    /// Sets every element to one of `values`, converted as [`copy_from`](Self::copy_from) does.
    ///
    /// # Panics
    /// Where there is no such value.
    pub(crate) fn fill_from(&mut self, values: &Values<'_>, index: usize) {
        let value = values.part(index..index + 1);
        if self.dtype != value.dtype {
            let mut single = [0.0f32];
            ValuesMut::new(&mut single).copy_from(&value);
            return match self.part(0..self.count).slice::<f32>() {
                Some(to) => to.fill(single[0]),
                None => debug_assert!(false, "values of different types"),
            };
        }
        // SAFETY: elements of this dtype have the size and at least the alignment of those that are written.
        unsafe {
            match self.dtype {
                DType::Bool | DType::Int8 | DType::UInt8 => self.fill::<u8>(&value),
                DType::Int16 | DType::UInt16 | DType::Half | DType::BFloat16 => self.fill::<u16>(&value),
                DType::Int32 | DType::UInt32 | DType::Float => self.fill::<u32>(&value),
                DType::Int64 | DType::UInt64 | DType::Double => self.fill::<u64>(&value),
                DType::Complex64 => self.fill::<[u32; 2]>(&value),
                _ => self.fill::<[u64; 2]>(&value),
            }
        }
    }

    /// Sets every element to the first of `value`.
    ///
    /// # Safety
    /// `T` is made of integers, and elements of the dtype, which that of `value` is, have its size and at least its
    /// alignment.
    unsafe fn fill<T: Copy>(&mut self, value: &Values<'_>) {
        // SAFETY: the elements are plain, and integers of their size hold any of them; there is a first value, as
        // `fill_from` has checked.
        let (to, value) = unsafe {
            (
                std::slice::from_raw_parts_mut(self.start.cast::<T>().as_ptr(), self.count),
                value.start.cast::<T>().read(),
            )
        };
        to.fill(value);
    }
}

/// Memory for elements of one dtype.
#[derive(Debug)]
pub(crate) struct ValueBuffer {
    memory: Vec<u128>,
    count: usize,
    dtype: DType,
}

impl ValueBuffer {
    /// So many elements of the type that `dtype` is computed in, zero at first; `None` where formulas are not for it.
    pub(crate) fn new(dtype: DType, count: usize) -> Option<Self> {
        let dtype = if matches!(dtype, DType::Half | DType::BFloat16) { DType::Float } else { dtype };
        let bytes = dtype.size().filter(|_| is_value(dtype))?.checked_mul(count)?;
        Some(Self { memory: vec![0; bytes.div_ceil(size_of::<u128>())], count, dtype })
    }

    pub(crate) fn dtype(&self) -> DType {
        self.dtype
    }

    /// The first elements.
    ///
    /// # Panics
    /// Where there are fewer.
    #[inline]
    pub(crate) fn first(&self, length: usize) -> Values<'_> {
        // Every byte was zero at first and is written as part of an element only: they are values.
        let start = NonNull::from(self.memory.as_slice()).cast();
        Values { start, count: self.count, dtype: self.dtype, elements: PhantomData }.part(0..length)
    }

    /// The first elements, writable.
    ///
    /// # Panics
    /// Where there are fewer.
    #[inline]
    pub(crate) fn first_mut(&mut self, length: usize) -> ValuesMut<'_> {
        if length > self.count {
            bad_range(&(0..length), self.count);
        }
        let start = NonNull::from(self.memory.as_mut_slice()).cast();
        ValuesMut { start, count: length, dtype: self.dtype, elements: PhantomData }
    }
}
