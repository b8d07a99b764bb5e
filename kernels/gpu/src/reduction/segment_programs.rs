//! Rows joined by segment, where the segments of entries do not fall: a group of threads for each element of the
//! output finds the entries of its segment by bisection, and shares them.

use oplink::device::DeviceContext;
use oplink::gpu::{barrier, block_index, grid_dim, shared, thread_index};
use oplink::prelude::*;

use crate::movement::words;

/// Outputs that keep a device busy with a thread for each.
const MANY_OUTPUTS: usize = 1 << 16;
/// Threads of a block.
const THREADS: usize = 256;
/// Neighbouring elements of a row that threads side by side should at least have.
const COLUMNS: usize = 32;
/// Blocks that every device takes in one direction.
const MOST_BLOCKS: usize = 65_535;

/// How the elements of a segment become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Join {
    /// Their sum.
    Sum,
    /// Their product.
    Product,
    /// The largest one. 0 where there is none; where there is NaN, it or a number.
    Largest,
    /// The smallest one, as the largest.
    Smallest,
    /// Their sum over their number.
    Mean,
    /// Their sum over the square root of their number.
    SqrtN,
}

/// The entries of segments, as programs take them.
#[device_struct]
#[derive(Clone, Copy, Debug)]
struct Entries {
    /// Elements of the output.
    outputs: u32,
    /// Elements of a row.
    width: u32,
    /// Rows of the data.
    rows: u32,
    /// Entries.
    entries: u32,
    /// Threads that share a segment, a power of two.
    lanes: u32,
    /// Words of an id.
    id_words: u32,
    /// Words of the number of a row; 0 where entries are the rows in order.
    index_words: u32,
}

/// Sets `out`, of as many rows as there are segments, to the rows of `data` joined by segment. With `indices`, vectors
/// of one length, entry `i` is the row `indices[i]`, else row `i`. Rows that do not exist are left out.
///
/// # Errors
/// No program for the dtype; more elements than a program counts; the device refuses the work.
pub(super) fn join_sorted(
    device: &dyn DeviceContext,
    join: Join,
    [data, ids]: [&Tensor; 2],
    indices: Option<&Tensor>,
    out: &Tensor,
) -> Result<()> {
    let outputs = out.num_elements();
    if outputs == 0 {
        return Ok(());
    }
    let (segments, rows, count) = (out.shape()[0], data.shape()[0], ids.num_elements());
    let width = outputs / segments;
    let wanted = (count / segments).div_ceil(4).clamp(1, THREADS).next_power_of_two();
    let lanes = match outputs >= MANY_OUTPUTS {
        true => 1,
        false => wanted.min(THREADS / width.next_power_of_two().min(COLUMNS)),
    };
    let words_of = |ids: &Tensor| if ids.dtype() == DType::Int64 { 2 } else { 1 };
    let entries = Entries {
        outputs: words(outputs)?,
        width: words(width)?,
        rows: words(rows)?,
        entries: words(count)?,
        lanes: lanes as u32,
        id_words: words_of(ids),
        index_words: indices.map_or(0, words_of),
    };
    words(data.num_elements())?;
    // Something is bound where there is nothing to read.
    let nothing =
        if data.num_elements() == 0 || count == 0 { Some(device.allocate(DType::Int64, [1].into())?) } else { None };
    let bound = |tensor: &Tensor| match &nothing {
        Some(nothing) if tensor.num_elements() == 0 => nothing.clone().bitcast(tensor.dtype()),
        _ => Ok(tensor.clone()),
    };
    let (data, ids) = (bound(data)?, bound(ids)?.device_words()?);
    let indices = match indices {
        Some(indices) => bound(indices)?.device_words()?,
        None => ids.clone(),
    };
    let grid = [outputs.div_ceil(THREADS / lanes).min(MOST_BLOCKS) as u32, 1, 1];
    let launch = match out.dtype() {
        DType::Double => joined_doubles::LAUNCH,
        DType::Float | DType::Half | DType::BFloat16 => joined_floats::LAUNCH,
        _ => joined_integers::LAUNCH,
    };
    launch(device, grid, [&data, &ids, &indices, out], entries, join as u32)
}

/// Starts a program over data, ids, indices and output.
type Launch = fn(&dyn DeviceContext, [u32; 3], [&Tensor; 4], Entries, u32) -> Result<()>;

/// A number of one or two words; the largest one where it is negative or too large.
#[device_fn]
fn number_at(numbers: &[u32], words: u32, at: u32) -> u32 {
    let mut number = numbers[(at * words) as usize];
    if words == 2 && numbers[(at * 2 + 1) as usize] != 0 {
        number = u32::MAX;
    }
    number
}

/// The first of the entries whose segment is this one or a later one.
#[device_fn]
fn first_of(ids: &[u32], words: u32, entries: u32, segment: u32) -> u32 {
    let mut low = 0_u32;
    let mut high = entries;
    while low < high {
        let middle = low + (high - low) / 2;
        if number_at(ids, words, middle) < segment {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// Writes a program that joins elements of the types in the list, in the type after `in`.
macro_rules! segment_program {
    (
        $(#[$doc:meta])*
        $name:ident <$($generic:ident: $bound:ident = [$($ty:ident),*])?> ($element:ident) in $sum:ident,
        |$dtype:ident| [$($pick:tt)*],
        ends $lowest:expr, $highest:expr,
        numbers $zero:expr, $one:expr,
        load |$value:ident| $load:expr,
        finish |$total:ident, $size:ident| $mean:expr, $root:expr, $finish:expr
    ) => {
        $(#[$doc])*
        #[allow(clippy::assign_op_pattern, unused_variables, reason = "integers have no means")]
        #[oplink::program($($generic = [$($ty),*],)? block = 256, uses = [number_at, first_of])]
        fn $name $(<$generic: $bound>)? (
            data: &[$element],
            ids: &[u32],
            indices: &[u32],
            out: &mut [$element],
            all: Entries,
            join: u32,
        ) {
            let mut partial = shared::<$sum, 256>();
            let me = thread_index().x as u32;
            let group = 256 / all.lanes;
            let (place, lane) = (me % group, me / group);
            let blocks = 1 + (all.outputs - 1) / group;
            let mut block = block_index().x as u32;
            while block < blocks {
                let output = block * group + place;
                let mut $total: $sum = $zero;
                if join == 1 {
                    $total = $one;
                }
                if join == 2 {
                    $total = $lowest;
                }
                if join == 3 {
                    $total = $highest;
                }
                let mut $size = 0_u32;
                if output < all.outputs {
                    let (segment, column) = (output / all.width, output % all.width);
                    let first = first_of(ids, all.id_words, all.entries, segment);
                    let end = first_of(ids, all.id_words, all.entries, segment + 1);
                    $size = end - first;
                    let mut entry = first + lane;
                    while entry < end {
                        let mut row = entry;
                        if all.index_words > 0 {
                            row = number_at(indices, all.index_words, entry);
                        }
                        if row < all.rows {
                            let $value = data[(row * all.width + column) as usize];
                            let other: $sum = $load;
                            if join == 1 {
                                $total = $total * other;
                            } else if join == 2 {
                                $total = if $total > other { $total } else { other };
                            } else if join == 3 {
                                $total = if $total < other { $total } else { other };
                            } else {
                                $total = $total + other;
                            }
                        }
                        entry += all.lanes;
                    }
                }
                partial[me as usize] = $total;
                barrier();
                let mut half = all.lanes / 2;
                while half > 0 {
                    if lane < half {
                        let one = partial[me as usize];
                        let other = partial[(me + half * group) as usize];
                        if join == 1 {
                            partial[me as usize] = one * other;
                        } else if join == 2 {
                            partial[me as usize] = if one > other { one } else { other };
                        } else if join == 3 {
                            partial[me as usize] = if one < other { one } else { other };
                        } else {
                            partial[me as usize] = one + other;
                        }
                    }
                    barrier();
                    half /= 2;
                }
                if lane == 0 && output < all.outputs {
                    $total = partial[me as usize];
                    if $size == 0 && (join == 2 || join == 3) {
                        $total = $zero;
                    }
                    if join == 4 && $size > 0 {
                        $total = $mean;
                    }
                    if join == 5 && $size > 0 {
                        $total = $root;
                    }
                    out[output as usize] = $finish;
                }
                barrier();
                block += grid_dim().x as u32;
            }
        }

        impl $name<'_> {
            const LAUNCH: Launch = |device, grid, [data, ids, indices, out], all, join| {
                let $dtype = out.dtype();
                $name { data, ids, indices, out, all, join }.launch(device, $($pick)* grid)
            };
        }
    };
}

segment_program! {
    /// Floats, in single precision.
    joined_floats <T: Float = [f16, bf16, f32]> (T) in f32, |dtype| [dtype,],
    ends f32::NEG_INFINITY, f32::INFINITY,
    numbers 0.0_f32, 1.0_f32,
    load |value| value.to_f32(),
    finish |total, size| total / size as f32, total / (size as f32).sqrt(), T::from_f32(total)
}

segment_program! {
    /// Floats of double precision.
    joined_doubles <> (f64) in f64, |_dtype| [],
    ends f64::NEG_INFINITY, f64::INFINITY,
    numbers 0.0_f64, 1.0_f64,
    load |value| value,
    finish |total, size| total / size as f64, total / (size as f64).sqrt(), total
}

segment_program! {
    /// Integers, which wrap.
    joined_integers <T: Integer = [i8, i16, i32, i64, u8, u16, u32, u64]> (T) in T, |dtype| [dtype,],
    ends T::min_value(), T::max_value(),
    numbers T::zero(), T::one(),
    load |value| value,
    finish |total, size| total, total, total
}
