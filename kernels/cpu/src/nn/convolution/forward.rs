//! Convolutions as products of patches with the filter.

use oplink::{KernelEnv, Result};

use super::geometry::Geometry;
use crate::numeric::gemm::Matrix;
use crate::numeric::panels::{Finish, Product, Rows};
use crate::numeric::scratch::Scratch;
use crate::numeric::tile::TileLane;
use crate::support::parallel::for_each_chunk;

/// Multiply-adds that one thread should at least have.
const TASK_COST: usize = 1 << 18;

/// The patches that the output pixels of a group see, as rows.
struct Patches<'a, L> {
    geometry: &'a Geometry,
    image: &'a [L],
    group: usize,
}

impl<L: Copy + Default + Sync> Rows<L> for Patches<'_, L> {
    fn depth(&self) -> usize {
        self.geometry.patch()
    }

    fn gathers(&self) -> bool {
        !self.geometry.is_pointwise()
    }

    fn rows<'s>(
        &'s self,
        (start, count): (usize, usize),
        (from, length): (usize, usize),
        scratch: &'s mut [L],
    ) -> (&'s [L], usize) {
        if !self.gathers() {
            return (&self.image[start * self.geometry.depth + from..], self.geometry.depth);
        }
        self.geometry.gather(self.image, self.group, (start, count), (from, length), scratch);
        (scratch, length)
    }
}

/// Convolves an image given as lanes. Scale, bias and side of `finish` are those of all output channels.
pub(super) fn convolve<L: TileLane>(
    env: &dyn KernelEnv,
    geometry: &Geometry,
    (image, filter): (&[L], &[L]),
    finish: Finish<'_, L>,
    out: &mut [L],
) -> Result<()> {
    if out.is_empty() {
        return Ok(());
    }
    let (patch, out_depth, group_out) = (geometry.patch(), geometry.out_depth, geometry.group_out());
    let patches: Vec<_> = (0..geometry.groups).map(|group| Patches { geometry, image, group }).collect();
    let products = patches.iter().enumerate().map(|(group, rows)| {
        let right = Matrix::strided(&filter[group * group_out..], (patch, group_out), (out_depth, 1));
        Product { rows, right, finish: finish.from_column(group * group_out) }
    });
    if geometry.groups == 1 {
        return products.into_iter().try_for_each(|product| product.compute(env, out));
    }
    let products: Vec<_> = products.collect();
    Scratch::with(env, products[0].scratch(geometry.pixels()), |scratch| {
        for_each_chunk(env, out, TASK_COST.div_ceil(patch), out_depth, &|start, part| {
            for (group, product) in products.iter().enumerate() {
                let part = &mut part[group * group_out..];
                scratch.lend(|scratch| product.multiply(start / out_depth, part, out_depth, scratch));
            }
        });
        Ok(())
    })
}
