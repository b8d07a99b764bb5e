//! The program of a reduction, written once for all of them.
//!
//! A block has 256 threads: `width` of them for each of its outputs. The elements of an output are cut into parts, a
//! row of blocks each, which write a row of the result each.

/// Writes a program that folds elements, and a constant [`Fold`](super::Fold) that launches it.
///
/// `steps` and `divisor` name two parameters that the expressions may use; what they mean is the program's affair. Sums
/// are of the type after `in`, from its identity on; they start as `load` makes them of elements, and end as `finish`
/// says.
macro_rules! reduce_program {
    (
        $(#[$doc:meta])*
        $name:ident as $fold:ident<$($generic:ident: $bound:ident = [$($ty:ident),*]),*>($from:ident => $to:ident)
        in $sum:ty, $partial:expr, $identity:expr, |$dtypes:ident| [$($pick:tt)*],
        ($steps:ident, $divisor:ident)
        load |$value:ident| $load:expr,
        join |$a:ident, $b:ident| $join:expr,
        finish |$total:ident| $finish:expr
    ) => {
        $(#[$doc])*
        #[allow(unused_variables, reason = "not every reduction has steps before and after")]
        #[oplink::program($($generic = [$($ty),*],)* block = 256)]
        pub(crate) fn $name<$($generic: $bound),*>(
            x: &[$from],
            y: &mut [$to],
            outputs: u32,
            count: u32,
            chunk: u32,
            width: u32,
            extents: [u32; 8],
            $steps: u32,
            $divisor: u32,
        ) {
            let mut partial = shared::<$sum, 256>();
            let [r0, k0, r1, k1, r2, k2, r3, k3] = extents;
            let me = thread_index().x as u32;
            let group = 256 / width;
            let mut lane = me % width;
            let mut place = me / width;
            if r0 == 1 {
                place = me % group;
                lane = me / group;
            }
            let slot = (lane * group + place) as usize;
            let part = block_index().y as u32;
            let first = part * chunk;
            let end = (first + chunk).min(count);
            let is_even = r2 * r3 == 1 && (r0 == 1 || r1 == 1);
            let stride = if r0 == 1 { k0 } else { 1 };
            let blocks = 1 + (outputs - 1) / group;
            let mut block = block_index().x as u32;
            while block < blocks {
                let output = block * group + place;
                let mut strands = [$identity; 4];
                if output < outputs {
                    let outer = output / k0;
                    let farther = outer / k1;
                    let place = farther % k2 + k2 * r3 * (farther / k2);
                    let start = r0 * (output % k0 + k0 * r1 * (outer % k1 + k1 * r2 * place));
                    let mut at = first + lane;
                    while is_even && at + 3 * width < end {
                        for strand in 0..4_u32 {
                            let $value = x[(start + (at + strand * width) * stride) as usize];
                            let $b: $sum = $load;
                            let $a = strands[strand as usize];
                            strands[strand as usize] = $join;
                        }
                        at += 4 * width;
                    }
                    while at < end {
                        let mut offset = at * stride;
                        if !is_even {
                            let outer = at / r0;
                            let farther = outer / r1;
                            let farthest = farther / r2;
                            let place = farther % r2 + r2 * k2 * (farthest % r3 + r3 * k3 * (farthest / r3));
                            offset = at % r0 + r0 * k0 * (outer % r1 + r1 * k1 * place);
                        }
                        let $value = x[(start + offset) as usize];
                        let $b: $sum = $load;
                        let $a = strands[0];
                        strands[0] = $join;
                        at += width;
                    }
                }
                for strand in 1..4_u32 {
                    let $a = strands[0];
                    let $b = strands[strand as usize];
                    strands[0] = $join;
                }
                partial[slot] = strands[0];
                barrier();
                let mut half = width / 2;
                while half > 0 {
                    if lane < half {
                        let $a = partial[slot];
                        let $b = partial[slot + (half * group) as usize];
                        partial[slot] = $join;
                    }
                    barrier();
                    half /= 2;
                }
                if lane == 0 && output < outputs {
                    let $total = partial[slot];
                    y[(part * outputs + output) as usize] = $finish;
                }
                barrier();
                block += grid_dim().x as u32;
            }
        }

        /// The reduction by this program.
        pub(crate) const $fold: $crate::reduce::Fold = $crate::reduce::Fold {
            partial: $partial,
            launch: |device, $dtypes, grid, x, y, geometry| {
                let $crate::reduce::Geometry { outputs, count, chunk, width, extents, steps, divisor } = geometry;
                $name { x, y, outputs, count, chunk, width, extents, $steps: steps, $divisor: divisor }.launch(device, $($pick)* grid)
            },
        };
    };
}

pub(crate) use reduce_program;
