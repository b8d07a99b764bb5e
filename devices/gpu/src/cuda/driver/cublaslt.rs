//! Products of matrices by cuBLASLt.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ffi::c_void;
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::cublaslt::result::{self, CublasError};
use cudarc::cublaslt::sys;
use cudarc::driver::CudaStream;
use oplink_api::{Code, DType, Error, ErrorKind, Result};

use crate::cuda::gemm::{Gemm, Operand};
use oplink_cuda::{Gpu, Place};

type Answer<T> = std::result::Result<T, CublasError>;

/// Where the operands of a product lie, and memory that the library may use meanwhile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operands {
    pub(crate) a: u64,
    pub(crate) b: u64,
    pub(crate) c: u64,
    pub(crate) workspace: Place,
}

/// The library, for one GPU.
pub(crate) struct CublasLt {
    gpu: Arc<Gpu>,
    handle: sys::cublasLtHandle_t,
    /// What was chosen for products so far; none where the library has nothing for them.
    plans: Mutex<HashMap<Key, Option<Arc<Plan>>>>,
}

// SAFETY: the library takes calls with one handle from any thread.
unsafe impl Send for CublasLt {}
// SAFETY: a shared handle is only passed to the library, which takes calls from any thread; the plans are locked.
unsafe impl Sync for CublasLt {}

/// What a choice depends on: the product, its dtype, and what the addresses are multiples of.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    gemm: Gemm,
    dtype: DType,
    alignments: [u32; 3],
}

impl CublasLt {
    /// The library, if the loader finds it.
    ///
    /// # Errors
    /// It is there and does not start.
    pub(crate) fn find(gpu: Arc<Gpu>) -> Result<Option<Self>> {
        // SAFETY: opens the library by name and closes it.
        if !unsafe { sys::is_culib_present() } {
            return Ok(None);
        }
        gpu.enter()?;
        let handle = result::create_handle().map_err(|error| failed(&gpu, "starting", error))?;
        Ok(Some(Self { gpu, handle, plans: Mutex::default() }))
    }

    /// Enqueues the product; false where the library has nothing for it.
    pub(crate) fn enqueue(&self, stream: &CudaStream, gemm: Gemm, dtype: DType, operands: Operands) -> Result<bool> {
        self.gpu.enter()?;
        let bytes = dtype.size().unwrap_or(1) as u64;
        let addresses = [(operands.a, gemm.a), (operands.b, gemm.b), (operands.c, gemm.c)];
        let alignments = addresses.map(|(address, operand)| alignment(address, operand.stride as u64 * bytes));
        let key = Key { gemm, dtype, alignments };
        let Some(plan) = self.plan(key, operands.workspace.bytes)? else { return Ok(false) };
        // SAFETY: the folder's contract; the plan is for operands of this layout and alignment, and for no more
        // workspace than there is.
        let enqueued = unsafe { plan.enqueue(self.handle, stream, &operands) };
        enqueued.map(|()| true).map_err(|error| failed(&self.gpu, "multiplying matrices", error))
    }

    fn plan(&self, key: Key, workspace: usize) -> Result<Option<Arc<Plan>>> {
        let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = match plans.entry(key) {
            Entry::Occupied(entry) => return Ok(entry.get().clone()),
            Entry::Vacant(entry) => entry,
        };
        let Some(data_type) = data_type(key.dtype) else { return Ok(entry.insert(None).clone()) };
        let plan = match Plan::choose(self.handle, key, data_type, workspace) {
            Ok(plan) => Some(Arc::new(plan)),
            Err(CublasError(sys::cublasStatus_t::CUBLAS_STATUS_NOT_SUPPORTED)) => None,
            Err(error) => return Err(failed(&self.gpu, "choosing how to multiply matrices", error)),
        };
        Ok(entry.insert(plan).clone())
    }
}

impl Drop for CublasLt {
    fn drop(&mut self) {
        if self.gpu.enter().is_ok() {
            // SAFETY: made by the library, ended once.
            let _ = unsafe { result::destroy_handle(self.handle) };
        }
    }
}

/// How the library does one kind of product.
struct Plan {
    product: Product,
    a: Layout,
    b: Layout,
    c: Layout,
    algorithm: sys::cublasLtMatmulAlgo_t,
    workspace: usize,
}

// SAFETY: descriptions that are only read after they were made.
unsafe impl Send for Plan {}
// SAFETY: a shared plan is only read.
unsafe impl Sync for Plan {}

impl Plan {
    /// The library's choice that needs at most `workspace` bytes.
    fn choose(handle: sys::cublasLtHandle_t, key: Key, data_type: sys::cudaDataType, workspace: usize) -> Answer<Self> {
        let Key { gemm, alignments, .. } = key;
        let product = Product::new(&gemm)?;
        let [a, b, c] = [gemm.a, gemm.b, gemm.c].map(|operand| Layout::new(operand, gemm.batches, data_type));
        let (a, b, c) = (a?, b?, c?);
        let wishes = Wishes::new(workspace, alignments)?;
        // SAFETY: the library was found; the handle and the descriptions are of owners that are alive.
        let chosen = unsafe { result::get_matmul_algo_heuristic(handle, product.0, a.0, b.0, c.0, c.0, wishes.0) }?;
        Ok(Self { product, a, b, c, algorithm: chosen.algo, workspace: chosen.workspaceSize })
    }

    /// # Safety
    /// The operands are those that the plan is for, and stay until the stream has done the product.
    unsafe fn enqueue(&self, handle: sys::cublasLtHandle_t, stream: &CudaStream, operands: &Operands) -> Answer<()> {
        let (one, zero) = (1.0_f32, 0.0_f32);
        let pointer = |address: u64| ptr::with_exposed_provenance_mut::<c_void>(address as usize);
        let c = pointer(operands.c);
        // SAFETY: the caller's promise; the factors are read before the return, and the old values of `c` are not used.
        unsafe {
            result::matmul(
                handle,
                self.product.0,
                (&raw const one).cast(),
                (&raw const zero).cast(),
                pointer(operands.a),
                self.a.0,
                pointer(operands.b),
                self.b.0,
                c,
                self.c.0,
                c,
                self.c.0,
                &raw const self.algorithm,
                pointer(operands.workspace.address),
                self.workspace,
                stream.cu_stream().cast(),
            )
        }
    }
}

/// The library's description of what is computed; sums are in single precision.
struct Product(sys::cublasLtMatmulDesc_t);

impl Product {
    fn new(gemm: &Gemm) -> Answer<Self> {
        use sys::cublasLtMatmulDescAttributes_t as Attribute;
        let compute = sys::cublasComputeType_t::CUBLAS_COMPUTE_32F;
        let product = Self(result::create_matmul_desc(compute, sys::cudaDataType::CUDA_R_32F)?);
        let transposes = [
            (Attribute::CUBLASLT_MATMUL_DESC_TRANSA, gemm.a.transposed),
            (Attribute::CUBLASLT_MATMUL_DESC_TRANSB, gemm.b.transposed),
        ];
        for (attribute, transposed) in transposes {
            // `CUBLAS_OP_N` is 0, `CUBLAS_OP_T` is 1.
            let value = i32::from(transposed);
            // SAFETY: the attribute is of this type.
            unsafe {
                result::set_matmul_desc_attribute(product.0, attribute, (&raw const value).cast(), size_of_val(&value))
            }?;
        }
        Ok(product)
    }
}

impl Drop for Product {
    fn drop(&mut self) {
        // SAFETY: made by the library, ended once.
        let _ = unsafe { result::destroy_matmul_desc(self.0) };
    }
}

/// The library's description of an operand.
struct Layout(sys::cublasLtMatrixLayout_t);

impl Layout {
    fn new(operand: Operand, batches: i32, data_type: sys::cudaDataType) -> Answer<Self> {
        use sys::cublasLtMatrixLayoutAttribute_t as Attribute;
        let Operand { rows, columns, leading, stride, .. } = operand;
        let layout = Self(result::create_matrix_layout(data_type, rows, columns, leading)?);
        let count = Attribute::CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT;
        // SAFETY: the attribute is of this type.
        unsafe {
            result::set_matrix_layout_attribute(layout.0, count, (&raw const batches).cast(), size_of_val(&batches))
        }?;
        let offset = Attribute::CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET;
        // SAFETY: the attribute is of this type.
        unsafe {
            result::set_matrix_layout_attribute(layout.0, offset, (&raw const stride).cast(), size_of_val(&stride))
        }?;
        Ok(layout)
    }
}

impl Drop for Layout {
    fn drop(&mut self) {
        // SAFETY: made by the library, ended once.
        let _ = unsafe { result::destroy_matrix_layout(self.0) };
    }
}

/// What the library's choice must keep to.
struct Wishes(sys::cublasLtMatmulPreference_t);

impl Wishes {
    fn new(workspace: usize, [a, b, c]: [u32; 3]) -> Answer<Self> {
        use sys::cublasLtMatmulPreferenceAttributes_t as Attribute;
        let wishes = Self(result::create_matmul_pref()?);
        let most = Attribute::CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES;
        // SAFETY: the attribute is of this type.
        unsafe {
            result::set_matmul_pref_attribute(wishes.0, most, (&raw const workspace).cast(), size_of_val(&workspace))
        }?;
        let alignments = [
            (Attribute::CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, a),
            (Attribute::CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, b),
            (Attribute::CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, c),
            (Attribute::CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, c),
        ];
        for (attribute, value) in alignments {
            // SAFETY: the attribute is of this type.
            unsafe {
                result::set_matmul_pref_attribute(wishes.0, attribute, (&raw const value).cast(), size_of_val(&value))
            }?;
        }
        Ok(wishes)
    }
}

impl Drop for Wishes {
    fn drop(&mut self) {
        // SAFETY: made by the library, ended once.
        let _ = unsafe { result::destroy_matmul_pref(self.0) };
    }
}

fn data_type(dtype: DType) -> Option<sys::cudaDataType> {
    match dtype {
        DType::Float => Some(sys::cudaDataType::CUDA_R_32F),
        DType::Half => Some(sys::cudaDataType::CUDA_R_16F),
        DType::BFloat16 => Some(sys::cudaDataType::CUDA_R_16BF),
        _ => None,
    }
}

/// The largest power of two, up to that of whole allocations, that the addresses of all matrices of a batch are
/// multiples of: from `address` on, each `stride` bytes after the one before.
fn alignment(address: u64, stride: u64) -> u32 {
    1 << (address | stride).trailing_zeros().min(8)
}

#[cold]
fn failed(gpu: &Gpu, what: &str, error: CublasError) -> Error {
    let message = format!("{}: {what} by cuBLASLt failed with {:?}", gpu.name(), error.0);
    Error::new(Code::Internal, ErrorKind::Device, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alignments_are_those_of_the_addresses() {
        let given = [0x7f00_0000_0000, 0x7f00_0000_0100, 0x7f00_0000_0080, 0x7f00_0000_0106].map(|at| alignment(at, 0));
        assert_eq!(given, [256, 256, 128, 2]);
        assert_eq!([0, 4096, 24, 30].map(|stride| alignment(0x7f00_0000_0000, stride)), [256, 256, 8, 2]);
    }
}
