//! Products of patches, for the groups of a convolution and its gradients.

use oplink::{KernelEnv, Result};

use super::geometry::{Geometry, gather};
use oplink_cpu_contraction::panels::{Product, Rows, Strided};
use oplink_cpu_contraction::polled;
use oplink_cpu_contraction::scratch::Scratch;
use oplink_cpu_contraction::tile::TileElement;
use oplink_cpu_support::parallel::for_each_chunk_up_to;

/// Multiply-adds that one thread should at least have.
const TASK_COST: usize = 1 << 18;

/// The patches that the output pixels of a group see, as rows.
pub(super) struct Patches<'a, L> {
    pub(super) geometry: &'a Geometry,
    pub(super) image: &'a [L],
    pub(super) group: usize,
}

impl<L: Copy + Default + Sync> Rows<L> for Patches<'_, L> {
    fn depth(&self) -> usize {
        self.geometry.patch()
    }

    fn gathers(&self) -> bool {
        !self.geometry.is_pointwise()
    }

    fn rows<'s>(&'s self, rows: (usize, usize), depth: (usize, usize), scratch: &'s mut [L]) -> Strided<'s, L> {
        if !self.gathers() {
            return (&self.image[rows.0 * self.geometry.depth + depth.0..], (self.geometry.depth, 1));
        }
        gather(self.geometry, self.image, self.group, rows, depth, (&mut *scratch, depth.1));
        (scratch, (depth.1, 1))
    }
}

/// The elements of the patches, as rows: one for each position in a patch, of all pixels.
pub(super) struct PatchElements<'a, L>(pub(super) Patches<'a, L>);

impl<L: Copy + Default + Sync> Rows<L> for PatchElements<'_, L> {
    fn depth(&self) -> usize {
        self.0.geometry.pixels()
    }

    fn gathers(&self) -> bool {
        self.0.gathers()
    }

    fn rows<'s>(&'s self, rows: (usize, usize), depth: (usize, usize), scratch: &'s mut [L]) -> Strided<'s, L> {
        let (values, (to_pixel, to_element)) = self.0.rows(depth, rows, scratch);
        (values, (to_element, to_pixel))
    }
}

/// Computes the products of all groups, which stand side by side in rows of `width` elements.
pub(super) fn compute_groups<L: TileElement>(
    env: &dyn KernelEnv,
    products: &[Product<'_, L>],
    width: usize,
    out: &mut [L],
) -> Result<()> {
    let [first, ..] = products else { return Ok(()) };
    if products.len() == 1 || out.is_empty() {
        return first.compute(env, out);
    }
    let group_width = width / products.len();
    let grain = TASK_COST.div_ceil(first.rows.depth().max(1));
    Scratch::with(env, first.scratch(out.len() / width), |scratch| {
        for_each_chunk_up_to(env, out, polled(grain), width, &|start, part| {
            for (group, product) in products.iter().enumerate() {
                let part = &mut part[group * group_width..];
                scratch.lend(|scratch| product.multiply(start / width, part, width, scratch));
            }
        });
        Ok(())
    })
}
