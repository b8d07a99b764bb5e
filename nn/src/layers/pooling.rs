//! Pooling of images, and images as rows.

use oplink_api::{AttrEnum, Op, Result};
use oplink_ops::{AvgPool, MaxPool, Padding};

use super::{Layer, Mode};
use crate::module::module;
use crate::precision::in_compute_dtype;
use crate::run::call_with;
use crate::value::Value;

fn pool<O: Op>(x: &Value, window: [usize; 2], strides: [usize; 2], padding: Padding) -> Result<Value> {
    let all = |[rows, columns]: [usize; 2]| vec![1, rows as i64, columns as i64, 1];
    let attrs =
        vec![("ksize", all(window).into()), ("strides", all(strides).into()), ("padding", padding.as_str().into())];
    call_with::<O>([in_compute_dtype(x)?], attrs)
}

macro_rules! pooling {
    ($($(#[$doc:meta])* $ty:ident $op:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $ty {
            window: [usize; 2],
            strides: [usize; 2],
            padding: Padding,
        }

        module!($ty {});

        impl $ty {
            /// Windows one beside the other.
            pub fn new(window: [usize; 2]) -> Self {
                Self { window, strides: window, padding: Padding::Valid }
            }

            /// The same with other steps.
            #[must_use]
            pub fn strides(self, strides: [usize; 2]) -> Self {
                Self { strides, ..self }
            }

            /// The same with windows that leave the image.
            #[must_use]
            pub fn padding(self, padding: Padding) -> Self {
                Self { padding, ..self }
            }
        }

        impl Layer for $ty {
            fn forward(&self, x: &Value, _: Mode) -> Result<Value> {
                pool::<$op>(x, self.window, self.strides, self.padding)
            }
        }
    )*};
}

pooling! {
    /// The largest element of each window.
    MaxPooling2D MaxPool;
    /// The mean of each window.
    AveragePooling2D AvgPool;
}

/// The mean of each channel.
#[derive(Clone, Copy, Debug, Default)]
pub struct GlobalAveragePooling2D;

module!(GlobalAveragePooling2D {});

impl Layer for GlobalAveragePooling2D {
    fn forward(&self, x: &Value, _: Mode) -> Result<Value> {
        in_compute_dtype(x)?.mean([1, 2])
    }
}

/// The largest element of each channel.
#[derive(Clone, Copy, Debug, Default)]
pub struct GlobalMaxPooling2D;

module!(GlobalMaxPooling2D {});

impl Layer for GlobalMaxPooling2D {
    fn forward(&self, x: &Value, _: Mode) -> Result<Value> {
        in_compute_dtype(x)?.max([1, 2])
    }
}

/// All axes but the first as one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flatten;

module!(Flatten {});

impl Layer for Flatten {
    fn forward(&self, x: &Value, _: Mode) -> Result<Value> {
        let x = in_compute_dtype(x)?;
        let shape = x.partial_shape()?;
        let rest: Option<usize> = shape.dims().and_then(|dims| dims.iter().skip(1).copied().product());
        match (shape.dim(0), rest) {
            (_, Some(rest)) if rest > 0 => x.reshape([-1, rest as i64]),
            (Some(batch), _) => x.reshape([batch as i64, -1]),
            _ => Err(oplink_api::Error::invalid_argument(format!("a value of shape {shape} cannot be flattened"))),
        }
    }
}
