//! `Cast` between numbers.

use oplink::device::Region;
use oplink::prelude::*;

use super::launch;
use crate::memory::Plain;

/// Converts to another dtype.
#[op("Cast",
     input = "x: SrcT",
     output = "y: DstT",
     attr = "SrcT: type",
     attr = "DstT: type",
     attr = "Truncate: bool = false",
     shape = shape_fns::unchanged)]
pub struct Cast;

/// `Cast` on the device.
#[kernel(Cast, device = SIM, SrcT = [f32, f64, i32, i64], DstT = [f32, f64, i32, i64])]
pub fn cast<SrcT: Value, DstT: Value>(context: &KernelContext<'_>, x: &Tensor, y: &mut Tensor) -> Result<()> {
    if x.num_elements() == 0 {
        return Ok(());
    }
    let (x, y) = (Region::of_tensor(x)?, Region::of_tensor(y)?);
    launch(context, move |memory| {
        let values: Vec<DstT> =
            memory.read::<SrcT>(x)?.into_iter().map(|value| DstT::from_number(value.number())).collect();
        memory.write(y, &values)
    })
}

/// A number in the wider of its kind.
pub enum Number {
    Integer(i64),
    Float(f64),
}

/// What is converted.
pub trait Value: Element + Plain {
    fn number(self) -> Number;
    fn from_number(number: Number) -> Self;
}

macro_rules! value {
    ($($ty:ty: $kind:ident $wide:ty;)*) => {$(
        impl Value for $ty {
            fn number(self) -> Number {
                Number::$kind(self as $wide)
            }

            fn from_number(number: Number) -> Self {
                match number {
                    Number::Integer(value) => value as $ty,
                    Number::Float(value) => value as $ty,
                }
            }
        }
    )*};
}
value! {
    f32: Float f64;
    f64: Float f64;
    i32: Integer i64;
    i64: Integer i64;
}
