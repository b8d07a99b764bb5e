//! Values that launches pass to programs.

use smallvec::SmallVec;

use crate::Tensor;
use crate::device::{ProgramArg, ScalarValue};

/// A value that a program takes: a number, a fixed array of such values, or a struct with `#[device_struct]`. A launch
/// passes each number by itself, so that every language has its own layout.
#[diagnostic::on_unimplemented(
    message = "a launch cannot pass a `{Self}`",
    note = "programs take numbers, arrays of them, and structs with `#[device_struct]` and `#[derive(Clone, Copy)]`"
)]
pub trait DeviceValue: Copy {
    /// Gives the numbers in order: fields as they stand, elements by their indices.
    fn scalars(&self, push: &mut dyn FnMut(ScalarValue));
}

macro_rules! numbers {
    ($($ty:ty),*) => {$(
        impl DeviceValue for $ty {
            #[inline]
            fn scalars(&self, push: &mut dyn FnMut(ScalarValue)) {
                push(ScalarValue::from(*self));
            }
        }
    )*};
}

numbers!(i32, u32, i64, u64, f32, f64, ScalarValue);

/// A bool is passed as an integer: uniform blocks have no bools.
impl DeviceValue for bool {
    #[inline]
    fn scalars(&self, push: &mut dyn FnMut(ScalarValue)) {
        push(ScalarValue::U32(u32::from(*self)));
    }
}

impl<V: DeviceValue, const N: usize> DeviceValue for [V; N] {
    #[inline]
    fn scalars(&self, push: &mut dyn FnMut(ScalarValue)) {
        self.iter().for_each(|value| value.scalars(push));
    }
}

/// The arguments of a launch, in the order of the function's parameters.
#[derive(Debug, Default)]
pub struct ProgramArguments<'a>(SmallVec<[ProgramArg<'a>; 48]>);

impl<'a> ProgramArguments<'a> {
    /// Adds a tensor.
    pub fn buffer(&mut self, tensor: &'a Tensor) {
        self.0.push(ProgramArg::Buffer(tensor));
    }

    /// Adds the numbers of a value.
    pub fn value(&mut self, value: &impl DeviceValue) {
        value.scalars(&mut |scalar| self.0.push(ProgramArg::Scalar(scalar)));
    }
}

impl<'a> std::ops::Deref for ProgramArguments<'a> {
    type Target = [ProgramArg<'a>];

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}
