//! Products of matrices by cuBLASLt without this crate, in single precision sums as it has them.
#![allow(unsafe_code, reason = "room: calls of cuBLASLt by cudarc")]

use std::time::Duration;

use cudarc::cublaslt::sys::{cublasComputeType_t, cublasLtHandle_t, cudaDataType};
use cudarc::cublaslt::{CudaBlasLT, Matmul, MatmulConfig, MatmulShared, Workspace};
use cudarc::driver::{CudaContext, CudaStream, DeviceRepr, ValidAsZeroBits};
use oplink::element::f16;
use oplink::{DType, Tensor};

use super::timed;
use crate::Outcome;
use crate::measure::Sizes;

/// cuBLASLt with the element types of the measurement; bf16 is passed as its bits.
struct Direct(CudaBlasLT);

impl MatmulShared for Direct {
    fn handle(&self) -> &cublasLtHandle_t {
        self.0.handle()
    }

    fn workspace(&self) -> &Workspace {
        self.0.workspace()
    }

    fn stream(&self) -> &std::sync::Arc<CudaStream> {
        self.0.stream()
    }
}

impl Matmul<f32> for Direct {
    fn matrix_type() -> cudaDataType {
        cudaDataType::CUDA_R_32F
    }

    fn compute_type() -> cublasComputeType_t {
        cublasComputeType_t::CUBLAS_COMPUTE_32F
    }
}

impl Matmul<u16> for Direct {
    fn matrix_type() -> cudaDataType {
        cudaDataType::CUDA_R_16BF
    }

    fn compute_type() -> cublasComputeType_t {
        cublasComputeType_t::CUBLAS_COMPUTE_32F
    }
}

impl Matmul<f16> for Direct {
    fn matrix_type() -> cudaDataType {
        cudaDataType::CUDA_R_16F
    }

    fn compute_type() -> cublasComputeType_t {
        cublasComputeType_t::CUBLAS_COMPUTE_32F
    }
}

/// The GPU's time for a product of square matrices with these values.
pub(crate) fn time(dtype: DType, values: &Tensor, size: usize, sizes: &Sizes) -> Outcome<Duration> {
    let bytes = values.as_bytes()?;
    let halves = || bytes.chunks_exact(2).map(|x| u16::from_ne_bytes([x[0], x[1]]));
    match dtype {
        DType::Float => {
            let floats = bytes.chunks_exact(4).map(|x| f32::from_ne_bytes([x[0], x[1], x[2], x[3]]));
            measure(&floats.collect::<Vec<_>>(), size, sizes)
        }
        DType::Half => measure(&halves().map(f16::from_bits).collect::<Vec<_>>(), size, sizes),
        _ => measure(&halves().collect::<Vec<_>>(), size, sizes),
    }
}

fn measure<T: DeviceRepr + ValidAsZeroBits>(values: &[T], size: usize, sizes: &Sizes) -> Outcome<Duration>
where
    Direct: Matmul<T>,
{
    let stream = CudaContext::new(0)?.new_stream()?;
    let library = Direct(CudaBlasLT::new(stream.clone())?);
    let (a, b) = (stream.clone_htod(values)?, stream.clone_htod(values)?);
    let mut c = stream.alloc_zeros::<T>(values.len())?;
    timed(&stream, sizes, || {
        // SAFETY: three square matrices of this size, without gaps.
        unsafe { library.matmul(config(size), &a, &b, &mut c, None, None) }?;
        Ok(())
    })
}

fn config(size: usize) -> MatmulConfig {
    let (length, leading) = (size as u64, size as i64);
    MatmulConfig {
        transa: false,
        transb: false,
        transc: false,
        m: length,
        n: length,
        k: length,
        alpha: 1.0,
        lda: leading,
        ldb: leading,
        beta: 0.0,
        ldc: leading,
        stride_a: None,
        stride_b: None,
        stride_c: None,
        stride_bias: None,
        batch_size: None,
    }
}
