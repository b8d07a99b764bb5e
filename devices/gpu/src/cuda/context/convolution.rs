//! Convolutions by cuDNN, where it was found.

use std::sync::{Arc, OnceLock};

use oplink_api::device::ConvolutionSpec;
use oplink_api::log::warn;
use oplink_api::{DType, Result, Shape, Tensor};

use super::Shared;
use crate::cuda::driver::{ConvolutionAlgorithm, ConvolutionPlan, ConvolutionTensors, Cudnn};

/// What the library wants addresses to be multiples of.
const ALIGNMENT: u64 = 16;

/// The library; looked for when the first convolution is asked for.
#[derive(Default)]
pub(super) struct Convolutions(OnceLock<Option<Cudnn>>);

impl Shared {
    /// Whether the library is here and has something for the convolution.
    pub(super) fn has_convolution(&self, spec: &ConvolutionSpec) -> bool {
        self.convolution(spec).is_some()
    }

    /// Enqueues a convolution; `None` where the library is not here, has nothing for it, or wants more memory for it
    /// than there is.
    pub(super) fn convolve(
        &self,
        spec: &ConvolutionSpec,
        image: &Tensor,
        filter: &Tensor,
        output: &Tensor,
    ) -> Result<Option<()>> {
        spec.check(image, filter, output)?;
        let address = |tensor| self.place(tensor).map(|place| place.address);
        let (image, filter, output) = (address(image)?, address(filter)?, address(output)?);
        if ![image, filter, output].iter().all(|address| address.is_multiple_of(ALIGNMENT)) {
            return Ok(None);
        }
        let Some((library, plan)) = self.convolution(spec) else { return Ok(None) };
        for &algorithm in plan.algorithms() {
            // The memory is given out again to work that is enqueued later.
            let Some(memory) = self.workspace(algorithm) else { continue };
            let workspace = self.place(&memory)?;
            let tensors = ConvolutionTensors { image, filter, output, workspace };
            if library.enqueue(&plan, algorithm, &tensors)? {
                return Ok(Some(()));
            }
        }
        Ok(None)
    }

    fn workspace(&self, algorithm: ConvolutionAlgorithm) -> Option<Tensor> {
        self.memory.tensor(DType::UInt8, Shape::from([algorithm.workspace.max(1)]), "cuDNN").ok()
    }

    fn convolution(&self, spec: &ConvolutionSpec) -> Option<(&Cudnn, Arc<ConvolutionPlan>)> {
        let has_elements =
            [spec.image_shape(), spec.filter_shape(), spec.output_shape()].iter().all(|shape| !shape.contains(&0));
        let library = self.cudnn().filter(|_| has_elements)?;
        Some((library, library.plan(spec)?))
    }

    /// A library that does not start is reported once and then done without.
    fn cudnn(&self) -> Option<&Cudnn> {
        let load = || {
            Cudnn::find(self.gpu.clone(), self.streams.compute.clone()).unwrap_or_else(|error| {
                warn(&format!("{error}; convolutions are done by oplink's own programs"));
                None
            })
        };
        self.convolutions.0.get_or_init(load).as_ref()
    }
}
