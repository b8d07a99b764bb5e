//! The types that elements are copied as.

use oplink::resource::Variant;
use oplink::{DType, ResourceHandle, Result, TString, Tensor};

/// What an element is moved as: its bytes for plain dtypes, itself for the others.
pub trait Cell: Clone + Default + Send + Sync + 'static {
    /// Whether copying an element is copying its bytes.
    const IS_PLAIN: bool;
    /// The elements of a tensor whose dtype is moved as `Self`.
    fn of(tensor: &Tensor) -> Result<&[Self]>;
    /// The elements, writable; an error where the memory is shared.
    fn of_mut(tensor: &mut Tensor) -> Result<&mut [Self]>;
}

impl<const BYTES: usize> Cell for [u8; BYTES]
where
    Self: Default,
{
    const IS_PLAIN: bool = true;

    fn of(tensor: &Tensor) -> Result<&[Self]> {
        Ok(tensor.as_bytes()?.as_chunks().0)
    }

    fn of_mut(tensor: &mut Tensor) -> Result<&mut [Self]> {
        Ok(tensor.as_mut_bytes()?.as_chunks_mut().0)
    }
}

macro_rules! elements_as_cells {
    ($($ty:ty: plain $plain:literal),*) => {$(
        impl Cell for $ty {
            const IS_PLAIN: bool = $plain;

            fn of(tensor: &Tensor) -> Result<&[Self]> {
                tensor.as_slice()
            }

            fn of_mut(tensor: &mut Tensor) -> Result<&mut [Self]> {
                tensor.as_mut_slice()
            }
        }
    )*};
}

elements_as_cells!(bool: plain true, TString: plain false, ResourceHandle: plain false, Variant: plain false);

/// Work on elements of any dtype.
pub trait CellJob {
    /// What it gives.
    type Output;
    /// Does it on elements moved as `C`.
    fn run<C: Cell>(self) -> Result<Self::Output>;
}

/// Does the job for a dtype.
pub fn with_cells<J: CellJob>(dtype: DType, job: J) -> Result<J::Output> {
    match (dtype, dtype.size()) {
        (DType::Bool, _) => job.run::<bool>(),
        (DType::Resource, _) => job.run::<ResourceHandle>(),
        (DType::Variant, _) => job.run::<Variant>(),
        (_, Some(1)) => job.run::<[u8; 1]>(),
        (_, Some(2)) => job.run::<[u8; 2]>(),
        (_, Some(4)) => job.run::<[u8; 4]>(),
        (_, Some(8)) => job.run::<[u8; 8]>(),
        (_, Some(_)) => job.run::<[u8; 16]>(),
        (_, None) => job.run::<TString>(),
    }
}
