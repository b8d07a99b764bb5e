//! `ArgMax` and `ArgMin`: the position of the first of the largest or smallest elements along an axis. NaN is passed
//! over; where no element wins over the lowest (highest) finite value the position is 0.

use num_traits::AsPrimitive;
use oplink::gpu::{barrier, block_index, grid_dim, shared, thread_index};
use oplink::prelude::*;
use oplink_ops::reduction::{ArgMax, ArgMin};

use super::along::Along;

/// Writes the program of one of both: `worst` is what an element must win over, by `wins`.
macro_rules! position_program {
    ($(#[$doc:meta])* $name:ident, $worst:ident, |$value:ident, $best:ident| $wins:expr) => {
        $(#[$doc])*
        #[oplink::program(T = [f32, f16, bf16, f64, i32, i64], U = [i32, i64], block = 256)]
        fn $name<T: Real + num_traits::Bounded, U: Integer>(
            x: &[T],
            y: &mut [U],
            lines: u32,
            extent: u32,
            inner: u32,
            width: u32,
        ) where
            u32: AsPrimitive<U>,
        {
            let mut bests = shared::<T, 256>();
            let mut places = shared::<u32, 256>();
            let me = thread_index().x as u32;
            let group = 256 / width;
            let mut lane = me % width;
            let mut member = me / width;
            if inner > 1 {
                member = me % group;
                lane = me / group;
            }
            let slot = (lane * group + member) as usize;
            let blocks = 1 + (lines - 1) / group;
            let mut block = block_index().x as u32;
            while block < blocks {
                let line = block * group + member;
                let mut $best = T::$worst();
                let mut place = 0_u32;
                if line < lines {
                    let start = line / inner * extent * inner + line % inner;
                    let mut at = lane;
                    while at < extent {
                        let $value = x[(start + at * inner) as usize];
                        if $wins {
                            $best = $value;
                            place = at;
                        }
                        at += width;
                    }
                }
                bests[slot] = $best;
                places[slot] = place;
                barrier();
                let mut half = width / 2;
                while half > 0 {
                    if lane < half {
                        let other = slot + (half * group) as usize;
                        let $value = bests[other];
                        let $best = bests[slot];
                        if $wins || $value == $best && places[other] < places[slot] {
                            bests[slot] = $value;
                            places[slot] = places[other];
                        }
                    }
                    barrier();
                    half /= 2;
                }
                if lane == 0 && line < lines {
                    let found: U = places[slot].as_();
                    y[line as usize] = found;
                }
                barrier();
                block += grid_dim().x as u32;
            }
        }
    };
}

position_program! {
    /// Positions of the largest elements.
    largest_positions, min_value, |value, best| value > best
}

position_program! {
    /// Positions of the smallest elements.
    smallest_positions, max_value, |value, best| value < best
}

/// A program's launch, with lines, extent, elements between them and threads of a line.
type Launch = fn(&dyn oplink::device::DeviceContext, [DType; 2], [u32; 3], &Tensor, &Tensor, [u32; 4]) -> Result<()>;

fn positions(
    input: &Tensor,
    dimension: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
    launch: Launch,
) -> Result<()> {
    let along = Along::new(input.shape(), dimension, "dimension")?;
    let mut shape = input.shape().to_vec();
    shape.remove(along.axis);
    let output = output.allocate(shape)?;
    ensure!(
        along.extent > 0,
        "axis {} of the input of shape {} is empty, so it has no largest or smallest element",
        along.axis,
        input.shape()
    );
    if along.lines == 0 {
        return Ok(());
    }
    let width = along.width();
    let blocks = along.lines.div_ceil(256 / width).min(65_535);
    let dtypes = [input.dtype(), output.dtype()];
    let Along { lines, extent, inner, .. } = along;
    launch(env.device()?, dtypes, [blocks, 1, 1], input, output, [lines, extent, inner, width])
}

/// `ArgMax` of real numbers.
#[kernel(ArgMax, device = GPU, T = [floats, i32, i64], Tidx = [i16, i32, i64], output_type = [i32, i64], host_memory = [dimension])]
pub fn arg_max_gpu(input: &Tensor, dimension: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    positions(input, dimension, output, env, |device, dtypes, grid, x, y, [lines, extent, inner, width]| {
        largest_positions { x, y, lines, extent, inner, width }.launch(device, dtypes, grid)
    })
}

/// `ArgMin` of real numbers.
#[kernel(ArgMin, device = GPU, T = [floats, i32, i64], Tidx = [i32, i64], output_type = [i32, i64], host_memory = [dimension])]
pub fn arg_min_gpu(input: &Tensor, dimension: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    positions(input, dimension, output, env, |device, dtypes, grid, x, y, [lines, extent, inner, width]| {
        smallest_positions { x, y, lines, extent, inner, width }.launch(device, dtypes, grid)
    })
}
