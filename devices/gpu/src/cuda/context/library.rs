//! Matrix products by cuBLASLt, where it was found.

use std::sync::OnceLock;

use oplink_api::device::{MatMulSpec, MatrixLayout};
use oplink_api::log::warn;
use oplink_api::{DType, Result, Shape, Tensor};
use oplink_cuda::Place;

use super::Shared;
use crate::cuda::driver::{CublasLt, Operands};
use crate::cuda::gemm::Gemm;

/// Bytes that the library may use beside the operands: what its vendor advises for large GPUs.
const WORKSPACE: usize = 32 << 20;

/// The library; looked for when the first product is asked for.
#[derive(Default)]
pub(super) struct Library(OnceLock<Option<Loaded>>);

struct Loaded {
    library: CublasLt,
    /// Memory that all products use one after the other, in the order of the compute stream.
    workspace: Option<Tensor>,
}

impl Shared {
    /// Enqueues products; `None` where the library is not here or has nothing for them.
    pub(super) fn matmul(&self, spec: &MatMulSpec, a: &Tensor, b: &Tensor, out: &Tensor) -> Result<Option<()>> {
        if !matches!(spec.dtype, DType::Float | DType::Half | DType::BFloat16) || spec.depth == 0 {
            return Ok(None);
        }
        spec.check(a, b, out)?;
        let (a, b, c) = (self.start(spec.a, a)?, self.start(spec.b, b)?, self.start(spec.out, out)?);
        if spec.batches == 0 || spec.rows == 0 || spec.columns == 0 {
            return Ok(Some(()));
        }
        let (Some(loaded), Some(gemm)) = (self.loaded(), Gemm::of(spec)) else { return Ok(None) };
        let nowhere = Place { address: 0, bytes: 0 };
        let workspace = loaded.workspace.as_ref().map_or(Ok(nowhere), |tensor| self.place(tensor))?;
        // The library's left operand is the right one of a row-major product.
        let operands = Operands { a: b, b: a, c, workspace };
        let is_enqueued = loaded.library.enqueue(&self.streams.compute, gemm, spec.dtype, operands)?;
        Ok(is_enqueued.then_some(()))
    }

    /// The address of an operand's first matrix.
    fn start(&self, layout: MatrixLayout, tensor: &Tensor) -> Result<u64> {
        let offset = layout.offset * tensor.dtype().size().unwrap_or(0);
        Ok(self.place(tensor)?.address + offset as u64)
    }

    /// A library that does not start is reported once and then done without.
    fn loaded(&self) -> Option<&Loaded> {
        let load = || {
            let library = CublasLt::find(self.gpu.clone()).unwrap_or_else(|error| {
                warn(&format!("{error}; matrices are multiplied by oplink's own programs"));
                None
            })?;
            let workspace = self.memory.tensor(DType::UInt8, Shape::from([WORKSPACE]), "cuBLASLt").ok();
            Some(Loaded { library, workspace })
        };
        self.library.0.get_or_init(load).as_ref()
    }
}
