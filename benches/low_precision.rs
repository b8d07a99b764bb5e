//! Matrix products and convolutions with constant right sides in bfloat16 and in single precision.
//!
//! Prints a line a case: its name, the element type, the threads and microseconds, the best of some rounds' means.
//! `benches/low_precision.py` runs this beside TensorFlow and prints a table.

use std::hint::black_box;
use std::time::{Duration, Instant};

use oplink::element::bf16;
use oplink::graph::Callable;
use oplink::prelude::*;
use oplink_ops::linalg::mat_mul;
use oplink_ops::nn::conv2d;

const CASES: &str = include_str!("low_precision.txt");
const ROUND: Duration = Duration::from_millis(40);
const ROUNDS: usize = 3;

/// The numbers of a line: rows, depth and columns of a product; or extent of the image, input channels, output
/// channels, window and stride of a convolution.
fn prepare<T: Element + From<bf16>>(numbers: &[usize], threads: usize) -> Result<(Callable, Tensor)> {
    let mut graph = Graph::new(Registry::global()?);
    let mut scope = graph.scope();
    let (shape, y) = match *numbers {
        [rows, depth, columns] => {
            let x = scope.placeholder("x", T::DTYPE, Shape::new(&[rows, depth]))?;
            let right = scope.constant(values::<T>(&[depth, columns]))?;
            (vec![rows, depth], mat_mul(&mut scope, x, right)?)
        }
        [image, depth, columns, window, stride] => {
            let shape = vec![1, image, image, depth];
            let x = scope.placeholder("x", T::DTYPE, Shape::new(&shape))?;
            let filter = scope.constant(values::<T>(&[window, window, depth, columns]))?;
            (shape, conv2d(&mut scope, x, filter, &[1, stride as i64, stride as i64, 1], "SAME")?)
        }
        _ => return Err(Error::invalid_argument("a case has three numbers or five")),
    };
    let name = graph.node(y.node).expect("it was added").name().to_owned();
    let options = SessionOptions { intra_op_threads: threads, ..SessionOptions::default() };
    Ok((Session::new(graph, options)?.prepare(&["x:0"], &[], &[&name])?, values::<T>(&shape)))
}

fn values<T: Element + From<bf16>>(shape: &[usize]) -> Tensor {
    let count = shape.iter().product::<usize>();
    let values = (0..count).map(|i| T::from(bf16::from_f32(((i * 7919 + 13) % 1000) as f32 / 500.0 - 1.0)));
    Tensor::from_vec(shape, values.collect()).expect("the size fits")
}

/// Seconds of the best of some rounds' means.
fn time(call: &Callable, input: &[Tensor]) -> f64 {
    let run = || drop(black_box(call.run(input).expect("it runs")));
    (0..3).for_each(|_| run());
    let round = |_| {
        let (start, mut count) = (Instant::now(), 0);
        while start.elapsed() < ROUND {
            run();
            count += 1;
        }
        start.elapsed().as_secs_f64() / f64::from(count)
    };
    (0..ROUNDS).map(round).fold(f64::INFINITY, f64::min)
}

fn main() {
    oplink::runtime::set_intra_op_threads(2).expect("the pool is not in use yet");
    for line in CASES.lines().filter(|line| !line.starts_with('#')) {
        let (name, numbers) = line.split_once(':').expect("a name and numbers");
        let numbers: Vec<usize> = numbers.split_whitespace().map(|word| word.parse().expect("a number")).collect();
        for threads in [1, 2] {
            let (call, input) = prepare::<bf16>(&numbers, threads).expect("the case is planned");
            println!("{name}\tbfloat16\t{threads}\t{:.2}", time(&call, &[input]) * 1e6);
            let (call, input) = prepare::<f32>(&numbers, threads).expect("the case is planned");
            println!("{name}\tfloat32\t{threads}\t{:.2}", time(&call, &[input]) * 1e6);
        }
    }
}
