//! Filters of convolutions that are the same at every run, in the forms that runs need.

use std::sync::{Arc, OnceLock};

use oplink::arguments::{Construction, TypedOp};
use oplink::{KernelEnv, Result, Tensor};
use oplink_cpu_contraction::HAS_GEMM;
use oplink_cpu_contraction::direct::{PackedFilter, TransformedFilter};
use oplink_cpu_contraction::dot::halves::HalfPanels;
use oplink_cpu_contraction::shared::{OfConstant, of_constant};
use oplink_cpu_contraction::source::Source;

use super::direct::suits_winograd;
use super::geometry::Geometry;

/// What a kernel knows of its filter when it is made.
pub(super) struct FilterState {
    constant: Option<ConstantFilter>,
    /// Whether a filter may be transformed.
    winograd: bool,
}

impl FilterState {
    /// Of a node whose second input is the filter.
    pub(super) fn of_node<O: TypedOp>(construction: &Construction<'_, O>) -> Self {
        Self::of_input(construction, 1)
    }

    /// Of a node whose filter is the input at a position.
    pub(super) fn of_input<O: TypedOp>(construction: &Construction<'_, O>, input: usize) -> Self {
        if !HAS_GEMM {
            return Self { constant: None, winograd: false };
        }
        let constant = construction.constant(input).cloned();
        Self { constant: constant.map(ConstantFilter::new), winograd: construction.options().winograd }
    }

    /// Whether a filter may be transformed.
    pub(super) fn winograd(&self) -> bool {
        self.winograd
    }

    /// Of `filter`, which a run got.
    pub(super) fn of(&self, filter: &Tensor) -> KnownFilter<'_> {
        let is_same =
            |known: &&ConstantFilter| known.value.is_same_part(filter) && known.value.shape() == filter.shape();
        KnownFilter { constant: self.constant.as_ref().filter(is_same), winograd: self.winograd }
    }
}

/// What is known of the filter of a run.
#[derive(Clone, Copy)]
pub(super) struct KnownFilter<'a> {
    /// The filter, where it is the same at every run.
    pub(super) constant: Option<&'a ConstantFilter>,
    /// Whether it may be transformed.
    pub(super) winograd: bool,
}

impl KnownFilter<'_> {
    /// Of a filter that differs from run to run, and is not to be transformed.
    pub(super) fn unknown() -> Self {
        Self { constant: None, winograd: false }
    }

    /// Whether a convolution is computed by Winograd's algorithm.
    pub(super) fn is_transformed(&self, g: &Geometry) -> bool {
        self.winograd && g.axes[0].is_identity() && g.groups == 1 && suits_winograd(g)
    }
}

/// A filter that is the same at every run, in the forms that runs need, each made when it is first used.
pub(super) struct ConstantFilter {
    value: Tensor,
    packed: OnceLock<Arc<OfConstant<PackedFilter>>>,
    transformed: OnceLock<Arc<OfConstant<TransformedFilter>>>,
    /// The panels of a filter of 16-bit floats.
    halves: OnceLock<HalfPanels>,
}

impl ConstantFilter {
    fn new(value: Tensor) -> Self {
        Self { value, packed: OnceLock::new(), transformed: OnceLock::new(), halves: OnceLock::new() }
    }

    /// The transform of `filter`, the constant's elements; they are read where they are not given.
    pub(super) fn transformed(&self, env: &dyn KernelEnv, g: &Geometry, filter: &[f32]) -> Result<&TransformedFilter> {
        if let Some(transformed) = self.transformed.get() {
            return Ok(transformed);
        }
        let transformed = of_constant(&self.value, (g.out_depth, 0), || {
            let filter = if filter.is_empty() { Source::of(&self.value)? } else { Source::Memory(filter) };
            TransformedFilter::lasting(env, filter, g.out_depth)
        })?;
        Ok(self.transformed.get_or_init(|| transformed))
    }

    /// The panels of a filter of 16-bit floats, which `pack` makes.
    pub(super) fn halves(&self, pack: impl FnOnce(&Tensor) -> Result<HalfPanels>) -> Result<&HalfPanels> {
        if let Some(panels) = self.halves.get() {
            return Ok(panels);
        }
        let panels = pack(&self.value.for_one_use())?;
        Ok(self.halves.get_or_init(|| panels))
    }

    /// Whether what a convolution in single precision needs of the constant has been made.
    pub(super) fn is_ready(&self, is_transformed: bool) -> bool {
        if is_transformed { self.transformed.get().is_some() } else { self.packed.get().is_some() }
    }

    /// The panels of `filter`, the constant's elements; they are read where they are not given.
    pub(super) fn packed(&self, env: &dyn KernelEnv, g: &Geometry, filter: &[f32]) -> Result<&PackedFilter> {
        if let Some(packed) = self.packed.get() {
            return Ok(packed);
        }
        let packed = of_constant(&self.value, (g.out_depth, 0), || {
            let filter = if filter.is_empty() { Source::of(&self.value)? } else { Source::Memory(filter) };
            PackedFilter::lasting(env, filter, g.out_depth)
        })?;
        Ok(self.packed.get_or_init(|| packed))
    }
}
