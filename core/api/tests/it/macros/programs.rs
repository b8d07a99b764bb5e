//! Programs that kernels launch themselves, and functions that bodies share.

use std::sync::Arc;

use super::gpu::Noting;
use super::*;
use oplink::gpu::{block_dim, block_index, grid_dim, grid_stride, thread_index};
use oplink::{device_fn, device_struct, program};

#[device_fn]
fn half_if_even(x: u32) -> u32 {
    if x % 2 == 1 {
        return x;
    }
    x / 2
}

#[device_fn]
fn step(x: u32) -> u32 {
    half_if_even(x) + 1
}

#[allow(clippy::len_zero, reason = "programs have no `is_empty`")]
#[program(block = 64, T = [f32, u32])]
fn fold<T: Number>(x: &[T], y: &mut [T], counts: &mut [u32], rows: u32, columns: u32, add: bool) {
    let columns = columns as usize;
    for row in (block_index().x * block_dim().x + thread_index().x..rows as usize).step_by(grid_dim().x * block_dim().x)
    {
        let mut sum = if add { y[row] } else { T::zero() };
        for column in 0..columns {
            sum = sum + x[row * columns + column];
        }
        y[row] = sum;
        counts[row] = step(counts[row]);
    }
    if x.len() == 0 {
        y[0] = T::one();
    }
}

#[test]
fn the_function_stays() {
    let (mut y, mut counts) = ([1.0, 2.0], [4, 7]);
    fold(&[1.0, 2.0, 3.0, 4.0], &mut y, &mut counts, 2, 2, true);
    assert_eq!((y, counts), ([4.0, 9.0], [3, 8]));
}

#[test]
fn a_program_is_launched_with_its_arguments() {
    let device = Arc::new(Noting::default());
    let tensor = |dtype, shape: &[usize]| Tensor::zeros(dtype, shape.to_vec()).unwrap();
    let (x, y, counts) = (tensor(DType::Float, &[300, 2]), tensor(DType::Float, &[300]), tensor(DType::UInt32, &[300]));
    let launched = fold { x: &x, y: &y, counts: &counts, rows: 300, columns: 2, add: true };
    launched.launch(&*device, DType::Float, fold::blocks(300)).unwrap();
    let (program, grid, args) = device.last();
    assert_eq!((program.name, program.block, grid), ("fold (T=float)", [64, 1, 1], [5, 1, 1]));
    assert_eq!(args.join(" "), "float[300, 2] float[300] uint32[300] 300 2 1 600 0");
    assert_eq!(program.params.len(), args.len());
    launched.launch(&*device, DType::Float, [0, 1, 1]).unwrap();
    assert!(device.launches.lock().unwrap().is_empty());
    // Elements of one size may stand for each other.
    launched.launch(&*device, DType::UInt32, [1, 1, 1]).unwrap();
    let half = tensor(DType::Half, &[300, 2]);
    let error = fold { x: &half, ..launched }.launch(&*device, DType::Float, [1, 1, 1]).unwrap_err().to_string();
    assert!(
        error.contains("argument 0 of the program `fold` has elements of half, the program is made for float"),
        "{error}"
    );
    let error = fold::program(DType::Int64).unwrap_err().to_string();
    assert!(error.contains("is not made for (int64), but for (float), (uint32)"), "{error}");
}

#[device_struct]
#[derive(Clone, Copy)]
struct Line {
    start: u32,
    by: f32,
}

#[device_struct]
#[derive(Clone, Copy)]
struct Lines {
    lines: [Line; 2],
    offsets: [i32; 3],
    doubled: bool,
}

/// The value of a line at a position, and whether it is past the start.
#[device_fn]
fn on_line(line: Line, at: u32) -> (f32, bool) {
    if at < line.start { (0.0, false) } else { ((at - line.start) as f32 * line.by, true) }
}

#[program(block = 32)]
fn draw_lines(y: &mut [f32], lines: Lines, count: u32) {
    for at in grid_stride(count) {
        let mut sum = lines.offsets[2] as f32;
        for number in 0..2_usize {
            let (value, is_past) = on_line(lines.lines[number], at);
            if is_past {
                sum += value;
            }
        }
        y[at as usize] = if lines.doubled { sum * 2.0 } else { sum };
    }
}

#[test]
fn a_struct_is_one_argument() {
    let lines = [Line { start: 1, by: 0.5 }, Line { start: 3, by: 2.0 }];
    let lines = Lines { lines, offsets: [7, 8, -1], doubled: true };
    let mut y = [0.0; 5];
    draw_lines(&mut y, lines, 5);
    assert_eq!(y, [-2.0, -2.0, -1.0, 0.0, 5.0]);
    let device = Arc::new(Noting::default());
    let tensor = Tensor::zeros(DType::Float, vec![5]).unwrap();
    draw_lines { y: &tensor, lines, count: 5 }.launch(&*device, [1, 1, 1]).unwrap();
    let (program, _, args) = device.last();
    assert_eq!(args.join(" "), "float[5] 1 F32(0.5) 3 F32(2.0) I32(7) I32(8) I32(-1) 1 5");
    let kinds: Vec<DType> = program.params[1..]
        .iter()
        .filter_map(|param| match param {
            oplink::device::ProgramParam::Scalar(dtype) => Some(*dtype),
            _ => None,
        })
        .collect();
    use DType::{Float, Int32, UInt32};
    assert_eq!(kinds, [UInt32, Float, UInt32, Float, Int32, Int32, Int32, UInt32, UInt32]);
}

#[test]
#[cfg(not(feature = "explicit"))]
fn programs_are_collected() {
    let found = oplink::descriptors::collected_programs().into_iter().find(|program| program.name == "fold").unwrap();
    assert_eq!(found.entries.len(), 2);
    assert!(found.location.to_string().contains("programs.rs"));
    let text = found.entries[1].program;
    assert!(text.cuda.contains("x_0_length") && text.wgsl.contains("array<u32>"), "{}", text.cuda);
}
