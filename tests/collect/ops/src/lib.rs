//! Two ops with a kernel each, in modules of their own so that they land in separate objects.

oplink::anchor!(ops = 2, kernels = 2);

pub mod first {
    //! The op `CollectFirst`.
    use oplink::prelude::*;

    /// Passes its input on.
    #[op("CollectFirst", input = "x: float", output = "y: float", shape = shape_fns::unchanged)]
    pub struct CollectFirst;

    #[kernel(CollectFirst, device = CPU)]
    fn first(x: ArrayViewD<'_, f32>) -> ArrayD<f32> {
        x.to_owned()
    }

    library! { pub FIRST; ops::{CollectFirst}, kernels::{first} }
}

pub mod second {
    //! The op `CollectSecond`.
    use oplink::prelude::*;

    /// Passes its input on.
    #[op("CollectSecond", input = "x: float", output = "y: float", shape = shape_fns::unchanged)]
    pub struct CollectSecond;

    #[kernel(CollectSecond, device = CPU)]
    fn second(x: ArrayViewD<'_, f32>) -> ArrayD<f32> {
        x.to_owned()
    }

    library! { pub SECOND; ops::{CollectSecond}, kernels::{second} }
}

/// Something for dependants to name.
pub fn named() {}
