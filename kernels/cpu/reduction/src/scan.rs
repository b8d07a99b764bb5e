//! What scans along an axis share.

use oplink::prelude::*;
use oplink::shape_inference::int_values;

use super::axis::AxisLayout;
use oplink_cpu_support::elementwise::Computed;
use oplink_cpu_support::parallel::for_each_row;

/// Elements that one thread should at least have.
const GRAIN: usize = 1 << 15;

/// Which way a scan goes, and what it writes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mode {
    /// Each result leaves out the element itself.
    pub(super) exclusive: bool,
    /// From the end.
    pub(super) reverse: bool,
}

/// Sets the output to `join` of each element of `x` with all before it along the axis, beginning with `initial`.
///
/// # Errors
/// The axis is no scalar or does not exist.
pub(super) fn scan<T: Computed>(
    x: Input<'_>,
    axis: &Tensor,
    mode: Mode,
    (initial, join): (T::ComputeType, impl Fn(T::ComputeType, T::ComputeType) -> T::ComputeType + Copy + Sync),
    out: &mut OutputSlot<'_>,
    env: &Env<'_>,
) -> Result<()> {
    ensure!(axis.rank() == 0, "axis must be a scalar, its shape is {}", axis.shape());
    let shape = x.shape().clone();
    let layout = AxisLayout::new(&shape, int_values(axis)?[0]).map_err(|e| e.context("reading axis"))?;
    let (out, x) = out.forward(x, &shape)?;
    let input = x.as_ref().map(|x| x.as_slice::<T>()).transpose()?;
    let out = out.as_mut_slice::<T>()?;
    if !out.is_empty() {
        for_each_row(env, out, layout.item(), GRAIN, &|index, item| {
            if let Some(input) = input {
                item.copy_from_slice(&input[index * layout.item()..][..layout.item()]);
            }
            if layout.inner == 1 {
                scan_row(item, initial, join, mode);
            } else {
                scan_columns(item, layout.inner, initial, join, mode);
            }
        });
    }
    Ok(())
}

#[inline]
fn step<T: Computed>(
    x: &mut T,
    running: &mut T::ComputeType,
    join: impl Fn(T::ComputeType, T::ComputeType) -> T::ComputeType,
    exclusive: bool,
) {
    let before = *running;
    *running = join(before, x.to_computed());
    *x = T::from_computed(if exclusive { before } else { *running });
}

fn scan_row<T: Computed>(
    row: &mut [T],
    mut running: T::ComputeType,
    join: impl Fn(T::ComputeType, T::ComputeType) -> T::ComputeType + Copy,
    Mode { exclusive, reverse }: Mode,
) {
    if reverse {
        for x in row.iter_mut().rev() {
            step(x, &mut running, join, exclusive);
        }
    } else {
        for x in row {
            step(x, &mut running, join, exclusive);
        }
    }
}

/// Scans down the columns of rows of `width` elements.
fn scan_columns<T: Computed>(
    item: &mut [T],
    width: usize,
    initial: T::ComputeType,
    join: impl Fn(T::ComputeType, T::ComputeType) -> T::ComputeType + Copy,
    Mode { exclusive, reverse }: Mode,
) {
    // bounded: a row of the output
    let mut running = vec![initial; width];
    let mut scan_next = |row: &mut [T]| {
        for (x, running) in row.iter_mut().zip(&mut running) {
            step(x, running, join, exclusive);
        }
    };
    if reverse {
        item.chunks_exact_mut(width).rev().for_each(&mut scan_next);
    } else {
        item.chunks_exact_mut(width).for_each(&mut scan_next);
    }
}
