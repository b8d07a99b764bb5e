//! What the library chose for a convolution.

use std::ffi::{c_int, c_void};
use std::ptr;

use oplink_api::DType;
use oplink_api::device::{ConvolutionResult, ConvolutionSpec};
use oplink_cuda::Place;

use super::descriptors::{Descriptors, told};
use super::functions::{Candidate, Find, Functions, Opaque, Run, Size, Status};

/// The most workspace that an algorithm may want: what it does not get back by its speed, others need.
const WORKSPACE: usize = 256 << 20;
/// The most algorithms that the library has.
const ALGORITHMS: usize = 16;

/// One kind of convolution.
pub(crate) struct Plan {
    descriptors: Descriptors,
    result: ConvolutionResult,
    is_double: bool,
    algorithms: Vec<Algorithm>,
}

// SAFETY: descriptions that are only read after they were made.
unsafe impl Send for Plan {}
// SAFETY: a shared plan is only read.
unsafe impl Sync for Plan {}

/// A way to compute it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Algorithm {
    number: c_int,
    /// Bytes that it uses besides the tensors.
    pub(crate) workspace: usize,
}

/// Where the tensors of a convolution lie, and memory that the library may use meanwhile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tensors {
    pub(crate) image: u64,
    pub(crate) filter: u64,
    pub(crate) output: u64,
    pub(crate) workspace: Place,
}

impl Plan {
    /// The algorithms that the library would take for the convolution, the fastest first by its own judgement; `None`
    /// where there are none, its status where it fails.
    ///
    /// Those are left out that do not give the same bits each time, and those that multiply transformed numbers
    /// (Winograd's, Fourier's), which lose digits.
    pub(super) fn choose(
        functions: &Functions,
        handle: Opaque,
        spec: &ConvolutionSpec,
    ) -> Result<Option<Self>, Status> {
        let Some(descriptors) = Descriptors::new(functions, spec) else { return Ok(None) };
        let (result, is_double) = (spec.result, spec.dtype == DType::Double);
        let mut plan = Self { descriptors: descriptors?, result, is_double, algorithms: Vec::new() };
        let (find, size, _) = calls(functions, result);
        for candidate in plan.candidates(find, handle)? {
            let is_new = plan.algorithms.iter().all(|algorithm| algorithm.number != candidate.algorithm);
            if is_new
                && is_wanted(result, &candidate)
                && let Ok(workspace) = plan.workspace(size, handle, &candidate)
            {
                plan.algorithms.push(Algorithm { number: candidate.algorithm, workspace });
            }
        }
        plan.algorithms.retain(|algorithm| algorithm.workspace <= WORKSPACE);
        Ok((!plan.algorithms.is_empty()).then_some(plan))
    }

    /// Fastest first.
    pub(crate) fn algorithms(&self) -> &[Algorithm] {
        &self.algorithms
    }

    /// What the library says of its algorithms.
    fn candidates(&self, find: Find, handle: Opaque) -> Result<Vec<Candidate>, Status> {
        let mut candidates = vec![Candidate::default(); ALGORITHMS];
        let (mut count, convolution) = (0, self.descriptors.convolution.pointer);
        let [first, second, result] = self.described();
        // SAFETY: the folder's contract; there is room for as many as are asked for.
        told(unsafe {
            let most = ALGORITHMS as c_int;
            find(handle, first, second, convolution, result, most, &raw mut count, candidates.as_mut_ptr())
        })?;
        candidates.truncate(usize::try_from(count).unwrap_or(0));
        Ok(candidates)
    }

    /// The bytes that an algorithm needs for the descriptions as they are; its status where it does not take them.
    fn workspace(&self, size: Size, handle: Opaque, candidate: &Candidate) -> Result<usize, Status> {
        let (mut bytes, convolution) = (0, self.descriptors.convolution.pointer);
        let [first, second, result] = self.described();
        // SAFETY: the handle and the descriptions are of owners that are alive; the number of bytes is writable.
        told(unsafe { size(handle, first, second, convolution, result, candidate.algorithm, &raw mut bytes) })?;
        Ok(bytes)
    }

    fn described(&self) -> [Opaque; 3] {
        let Descriptors { image, filter, output, .. } = &self.descriptors;
        ordered(self.result, [image.pointer, filter.pointer, output.pointer])
    }

    /// # Safety
    /// The tensors are those that the plan is for, with the workspace of the algorithm, and stay until the handle's
    /// stream has done the work. No other call uses the handle.
    pub(super) unsafe fn enqueue(
        &self,
        functions: &Functions,
        handle: Opaque,
        algorithm: Algorithm,
        tensors: &Tensors,
    ) -> Result<(), Status> {
        let (one, zero) = ((1.0_f32, 1.0_f64), (0.0_f32, 0.0_f64));
        let factor = |(single, double): &(f32, f64)| match self.is_double {
            true => ptr::from_ref(double).cast::<c_void>(),
            false => ptr::from_ref(single).cast::<c_void>(),
        };
        let pointer = |address: u64| ptr::with_exposed_provenance_mut::<c_void>(address as usize);
        let [first, second, result] = self.described();
        let at = ordered(self.result, [tensors.image, tensors.filter, tensors.output].map(pointer));
        let (.., run) = calls(functions, self.result);
        // SAFETY: the caller's promise; the factors are read before the return, and what the result held is not used.
        told(unsafe {
            run(
                handle,
                factor(&one),
                first,
                at[0],
                second,
                at[1],
                self.descriptors.convolution.pointer,
                algorithm.number,
                pointer(tensors.workspace.address),
                algorithm.workspace,
                factor(&zero),
                result,
                at[2],
            )
        })
    }
}

/// What stands for image, filter and output, in the order in which the library wants it: operands, then the result.
fn ordered<V>(result: ConvolutionResult, [image, filter, output]: [V; 3]) -> [V; 3] {
    match result {
        ConvolutionResult::Output => [image, filter, output],
        ConvolutionResult::Image => [filter, output, image],
        ConvolutionResult::Filter => [image, output, filter],
    }
}

fn calls(f: &Functions, result: ConvolutionResult) -> (Find, Size, Run) {
    match result {
        ConvolutionResult::Output => (f.find_output, f.size_output, f.run_output),
        ConvolutionResult::Image => (f.find_image, f.size_image, f.run_image),
        ConvolutionResult::Filter => (f.find_filter, f.size_filter, f.run_filter),
    }
}

/// Whether an algorithm takes the convolution, always gives the same, and sums products of the numbers as they are.
fn is_wanted(result: ConvolutionResult, candidate: &Candidate) -> bool {
    let sums: &[c_int] = match result {
        // `IMPLICIT_GEMM`, `IMPLICIT_PRECOMP_GEMM`, `GEMM`.
        ConvolutionResult::Output => &[0, 1, 2],
        // `ALGO_0`, `ALGO_1`.
        ConvolutionResult::Image => &[0, 1],
        // `ALGO_0`, `ALGO_1`, `ALGO_3`.
        ConvolutionResult::Filter => &[0, 1, 3],
    };
    candidate.status == 0 && candidate.determinism == 1 && sums.contains(&candidate.algorithm)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_come_before_the_result() {
        let of = |result| ordered(result, ["image", "filter", "output"]);
        assert_eq!(of(ConvolutionResult::Output), ["image", "filter", "output"]);
        assert_eq!(of(ConvolutionResult::Image), ["filter", "output", "image"]);
        assert_eq!(of(ConvolutionResult::Filter), ["image", "output", "filter"]);
    }

    #[test]
    fn algorithms_of_transformed_numbers_or_changing_sums_are_not_wanted() {
        let of = |algorithm, determinism, status| Candidate { algorithm, status, determinism, ..Candidate::default() };
        let wanted = |result, candidate| is_wanted(result, &candidate);
        assert!(wanted(ConvolutionResult::Output, of(1, 1, 0)));
        // Winograd's, and one that the library would not take.
        assert!(!wanted(ConvolutionResult::Output, of(6, 1, 0)));
        assert!(!wanted(ConvolutionResult::Output, of(1, 1, 3000)));
        assert!(!wanted(ConvolutionResult::Image, of(0, 0, 0)) && wanted(ConvolutionResult::Image, of(1, 1, 0)));
        assert!(!wanted(ConvolutionResult::Filter, of(3, 0, 0)) && wanted(ConvolutionResult::Filter, of(1, 1, 0)));
    }
}
