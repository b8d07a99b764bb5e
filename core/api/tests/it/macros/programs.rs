//! Programs that kernels launch themselves, and functions that bodies share.

use std::sync::Arc;

use super::gpu::Noting;
use super::*;
use oplink::gpu::{block_dim, block_index, grid_dim, thread_index};
use oplink::{collected_programs, device_fn, program};

#[device_fn]
fn half_if_even(x: u32) -> u32 {
    if x % 2 == 1 {
        return x;
    }
    x / 2
}

#[device_fn(uses = [crate::macros::programs::half_if_even])]
fn step(x: u32) -> u32 {
    half_if_even(x) + 1
}

#[allow(clippy::len_zero, reason = "programs have no `is_empty`")]
#[program(block = 64, T = [f32, u32], uses = [step])]
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
    fold::launch(&*device, DType::Float, fold::blocks(300), &x, &y, &counts, 300, 2, true).unwrap();
    let (program, grid, args) = device.last();
    assert_eq!((program.name, program.block, grid), ("fold (T=float)", [64, 1, 1], [5, 1, 1]));
    assert_eq!(args.join(" "), "float[300, 2] float[300] uint32[300] 300 2 1 600 0");
    assert_eq!(program.params.len(), args.len());
    fold::launch(&*device, DType::Float, [0, 1, 1], &x, &y, &counts, 300, 2, true).unwrap();
    assert!(device.launches.lock().unwrap().is_empty());
    // Elements of one size may stand for each other.
    fold::launch(&*device, DType::UInt32, [1, 1, 1], &x, &y, &counts, 300, 2, false).unwrap();
    let half = tensor(DType::Half, &[300, 2]);
    let error =
        fold::launch(&*device, DType::Float, [1, 1, 1], &half, &y, &counts, 1, 1, true).unwrap_err().to_string();
    assert!(
        error.contains("argument 0 of the program `fold` has elements of half, the program is made for float"),
        "{error}"
    );
    let error = fold::program(DType::Int64).unwrap_err().to_string();
    assert!(error.contains("is not made for (int64), but for (float), (uint32)"), "{error}");
}

#[test]
fn programs_are_collected() {
    let found = collected_programs().into_iter().find(|program| program.name == "fold").unwrap();
    assert_eq!(found.entries.len(), 2);
    assert!(found.location.to_string().contains("programs.rs"));
    let text = found.entries[1].program;
    assert!(text.cuda.contains("x_0_length") && text.wgsl.contains("array<u32>"), "{}", text.cuda);
}
