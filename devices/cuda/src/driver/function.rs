//! Functions of programs that are loaded.

use std::ffi::c_void;
use std::sync::Arc;

use cudarc::driver::{CudaFunction, DriverError, result};
use cudarc::nvrtc::Ptx;

use super::{Gpu, StreamRef};

/// A function of a loaded program. It stays loaded as long as this lives.
#[derive(Debug)]
pub struct Function(CudaFunction);

impl Function {
    /// Loads compiled code and finds the function `entry` in it.
    ///
    /// # Errors
    /// The driver's.
    pub fn load(gpu: &Arc<Gpu>, code: Vec<u8>, entry: &str) -> Result<Self, DriverError> {
        let module = gpu.context().load_module(Ptx::from_binary(code))?;
        module.load_function(entry).map(Self)
    }

    /// Enqueues the function over `grid` blocks of `block` threads. Each slot starts with a parameter's bytes; they are
    /// read before the return.
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Safety
    /// There is a slot for each parameter of the function; the memory that they name stays until the work is done, and
    /// other work that uses it is ordered with this.
    pub unsafe fn launch(
        &self,
        gpu: &Gpu,
        stream: StreamRef,
        grid: [u32; 3],
        block: [u32; 3],
        slots: &mut [u64],
    ) -> Result<(), DriverError> {
        gpu.context().bind_to_thread()?;
        let mut pointers: smallvec::SmallVec<[*mut c_void; 32]> =
            slots.iter_mut().map(|slot| std::ptr::from_mut(slot).cast()).collect();
        let size = |[x, y, z]: [u32; 3]| (x, y, z);
        // SAFETY: the folder's contract; there is a slot for each parameter (Safety section), none of which is longer
        // than a slot.
        unsafe { result::launch_kernel(self.0.cu_function(), size(grid), size(block), 0, stream.raw(), &mut pointers) }
    }
}
