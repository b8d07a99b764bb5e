//! The models of `../models.rs` in candle and in burn, trained as they are asked: the lines in and out of `../main.rs`.
//!
//! usage: training-peers candle|burn digits|lstm|transformer

mod burn_models;
mod candle_models;

use std::error::Error;
use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

// What links MKL.
#[cfg(feature = "mkl")]
extern crate intel_mkl_src;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Tokens that the transformer knows, steps of its sequences, their width and the width of its dense layers.
const TOKENS: usize = 1000;
const STEPS: usize = 64;
const WIDTH: usize = 128;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// A step of training; the loss.
type Step = Box<dyn FnMut() -> Result<f32>>;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut step = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["candle", model] => candle_models::step(model)?,
        ["burn", model] => burn_models::step(model)?,
        _ => return Err("usage: training-peers candle|burn digits|lstm|transformer".into()),
    };
    let mut output = io::stdout().lock();
    writeln!(output, "{}", step()?)?;
    output.flush()?;
    for line in io::stdin().lock().lines() {
        let time = Duration::from_secs_f64(line?.trim().parse()?);
        let start = Instant::now();
        let (mut steps, mut loss) = (0, f32::NAN);
        while steps == 0 || start.elapsed() < time {
            loss = step()?;
            steps += 1;
        }
        writeln!(output, "{steps} {} {loss}", start.elapsed().as_secs_f64())?;
        output.flush()?;
    }
    Ok(())
}

/// Numbers from 0 to 1, in no order.
fn uniform(length: usize) -> Vec<f32> {
    let mut state = 2_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1 << 24) as f32
    };
    (0..length).map(|_| next()).collect()
}

fn pixels(length: usize) -> Vec<u8> {
    uniform(length).into_iter().map(|number| (number * 255.0) as u8).collect()
}

/// Numbers below `count`, in no order.
fn classes(length: usize, count: usize) -> Vec<u32> {
    (0..length).map(|at| (at * 7919 % 10_007 % count) as u32).collect()
}
