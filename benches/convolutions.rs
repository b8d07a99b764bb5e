//! Convolutions of known networks with constant filters, a bias and a ReLU, layer by layer: time, multiply-adds a
//! second and their share of what the processor's fused multiply-adds reach, with one thread and with two.
//!
//! `cargo bench -p oplink --bench convolutions [WORD...] [--no-winograd] [--cold] [--training]`: layers whose names
//! have one of the words; with `--cold` a layer takes turns with others of its form, so that its filter is no longer in
//! cache. With `--training` the filter is fed with a batch of four images, and each layer has three lines: the
//! convolution, its gradient with respect to the input, and that with respect to the filter.
//! `benches/convolutions.py` prints TensorFlow's times of the same layers.

use std::hint::black_box;
use std::time::{Duration, Instant};

use multiversion::multiversion;
use oplink::graph::Callable;
use oplink::prelude::*;
use oplink_ops::nn::{
    bias_add, conv2d, conv2d_backprop_filter, conv2d_backprop_input, depthwise_conv2d_native,
    depthwise_conv2d_native_backprop_filter, depthwise_conv2d_native_backprop_input, relu,
};

/// Network, extent of the image, input channels, output channels (0 for depthwise), window, stride.
const LAYERS: &str = include_str!("convolutions.txt");
const ROUND: Duration = Duration::from_millis(60);
const ROUNDS: usize = 5;
/// Bytes that no cache holds, and copies at most that take turns.
const COLD: usize = 100 << 20;
const MAX_COPIES: usize = 64;
/// Images of a step of training.
const BATCH: usize = 4;

/// What a step of training computes of a layer.
#[derive(Clone, Copy)]
enum Part {
    Forward,
    InputGradient,
    FilterGradient,
}

struct Layer {
    name: String,
    image: usize,
    depth: usize,
    out_depth: usize,
    window: (usize, usize),
    stride: usize,
}

impl Layer {
    fn parse(line: &str) -> Self {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |index: usize| words[index].parse().expect("a number");
        let (rows, columns) = words[4].split_once('x').expect("rows x columns");
        Self {
            name: words.join(" "),
            image: number(1),
            depth: number(2),
            out_depth: number(3),
            window: (rows.parse().expect("rows"), columns.parse().expect("columns")),
            stride: number(5),
        }
    }

    fn operations(&self) -> f64 {
        let output = self.image.div_ceil(self.stride);
        let products = if self.out_depth == 0 { self.depth } else { self.depth * self.out_depth };
        2.0 * (output * output * self.window.0 * self.window.1 * products) as f64
    }

    fn prepare(&self, threads: usize, winograd: bool) -> Result<Callable> {
        let mut graph = Graph::new(Registry::global()?);
        let mut scope = graph.scope();
        let x = scope.placeholder("x", DType::Float, Shape::new(&[1, self.image, self.image, self.depth]))?;
        let columns = if self.out_depth == 0 { 1 } else { self.out_depth };
        let filter = scope.constant(values([self.window.0, self.window.1, self.depth, columns]))?;
        let stride = self.stride as i64;
        let strides = [1, stride, stride, 1];
        let y = if self.out_depth == 0 {
            depthwise_conv2d_native(&mut scope, x, filter, &strides, "SAME")?
        } else {
            conv2d(&mut scope, x, filter, &strides, "SAME")?
        };
        let channels = self.out_depth.max(if self.out_depth == 0 { self.depth } else { 1 });
        let bias = scope.constant(Tensor::full([channels], 0.1f32))?;
        let y = bias_add(&mut scope, y, bias)?;
        let y = relu(&mut scope, y)?;
        call(graph, y, &["x:0"], (threads, winograd))
    }

    /// Shapes of the images, the filter and the output of a step of training.
    fn shapes(&self) -> [[usize; 4]; 3] {
        let output = self.image.div_ceil(self.stride);
        let (columns, channels) = if self.out_depth == 0 { (1, self.depth) } else { (self.out_depth, self.out_depth) };
        let filter = [self.window.0, self.window.1, self.depth, columns];
        [[BATCH, self.image, self.image, self.depth], filter, [BATCH, output, output, channels]]
    }

    /// A part of a step of training, whose feeds are the images, the filter and the gradient of the output.
    fn prepare_training(&self, part: Part, threads: usize, winograd: bool) -> Result<Callable> {
        let mut graph = Graph::new(Registry::global()?);
        let mut scope = graph.scope();
        let shapes = self.shapes();
        let [x, filter, gradient] = [("x", 0), ("filter", 1), ("gradient", 2)]
            .map(|(name, index)| scope.placeholder(name, DType::Float, Shape::new(&shapes[index])));
        let (x, filter, gradient) = (x?, filter?, gradient?);
        let stride = self.stride as i64;
        let strides = [1, stride, stride, 1];
        let mut sizes = |index: usize| scope.constant(Tensor::from_slice(&shapes[index].map(|extent| extent as i32)));
        let (input_sizes, filter_sizes) = (sizes(0)?, sizes(1)?);
        let is_depthwise = self.out_depth == 0;
        let s = &mut scope;
        let y = match part {
            Part::Forward if is_depthwise => depthwise_conv2d_native(s, x, filter, &strides, "SAME"),
            Part::Forward => conv2d(s, x, filter, &strides, "SAME"),
            Part::InputGradient if is_depthwise => {
                depthwise_conv2d_native_backprop_input(s, input_sizes, filter, gradient, &strides, "SAME")
            }
            Part::InputGradient => conv2d_backprop_input(s, input_sizes, filter, gradient, &strides, "SAME"),
            Part::FilterGradient if is_depthwise => {
                depthwise_conv2d_native_backprop_filter(s, x, filter_sizes, gradient, &strides, "SAME")
            }
            Part::FilterGradient => conv2d_backprop_filter(s, x, filter_sizes, gradient, &strides, "SAME"),
        }?;
        call(graph, y, &["x:0", "filter:0", "gradient:0"], (threads, winograd))
    }

    /// Seconds of the best of some rounds' means, of calls that take turns, and of their feeds that do.
    fn time(calls: &[Callable], feeds: &[Vec<Tensor>]) -> f64 {
        let mut turns = calls.iter().cycle().zip(feeds.iter().cycle());
        let mut run = || {
            let (call, feeds) = turns.next().expect("there are calls");
            drop(black_box(call.run(feeds).expect("it runs")));
        };
        (0..calls.len().max(feeds.len()).max(3)).for_each(|_| run());
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
}

/// A call that gives `y`, which is fetched: a node that is a target is not fused.
fn call(graph: Graph, y: Output, feeds: &[&str], (threads, winograd): (usize, bool)) -> Result<Callable> {
    let name = format!("{}:0", graph.node(y.node).expect("it was added").name());
    let options = SessionOptions { intra_op_threads: threads, winograd, ..SessionOptions::default() };
    Session::new(graph, options)?.prepare(feeds, &[&name], &[])
}

/// Tensors of these shapes that are together larger than caches.
fn copies(shapes: &[[usize; 4]]) -> usize {
    let elements: usize = shapes.iter().map(|shape| shape.iter().product::<usize>()).sum();
    (COLD / (elements * size_of::<f32>())).clamp(1, MAX_COPIES)
}

fn values(shape: [usize; 4]) -> Tensor {
    let count = shape.iter().product::<usize>();
    let values = (0..count).map(|i| ((i * 7919 + 13) % 1000) as f32 / 500.0 - 1.0);
    Tensor::from_vec(shape, values.collect()).expect("the size fits")
}

/// Fused multiply-adds, as many at a time as the processor can have under way.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma", "aarch64+neon"))]
fn multiply_adds(starts: [[f32; 16]; 12], factor: f32, count: usize) -> [f32; 16] {
    let next = |x: [f32; 16]| std::array::from_fn(|lane| x[lane].mul_add(factor, 1.0));
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h, mut i, mut j, mut k, mut l] = starts;
    for _ in 0..count {
        (a, b, c, d, e, f) = (next(a), next(b), next(c), next(d), next(e), next(f));
        (g, h, i, j, k, l) = (next(g), next(h), next(i), next(j), next(k), next(l));
    }
    std::array::from_fn(|x| a[x] + b[x] + c[x] + d[x] + e[x] + f[x] + g[x] + h[x] + i[x] + j[x] + k[x] + l[x])
}

/// Operations a second of one thread.
fn peak() -> f64 {
    let count = 1_000_000;
    let round = |_| {
        let start = Instant::now();
        let starts = black_box([[1.0; 16]; 12]);
        black_box(multiply_adds(starts, black_box(0.5), count));
        (2 * 12 * 16 * count) as f64 / start.elapsed().as_secs_f64()
    };
    (0..10).map(round).fold(0.0, f64::max)
}

fn main() {
    oplink::runtime::set_intra_op_threads(2).expect("the pool is not in use yet");
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let (switches, words): (Vec<String>, Vec<String>) = words.into_iter().partition(|word| word.starts_with("--"));
    let has = |name: &str| switches.iter().any(|switch| switch == name);
    let (winograd, cold) = (!has("--no-winograd"), has("--cold"));
    let peak = peak();
    println!("fused multiply-adds of one thread: {:.1} GFLOP/s", peak / 1e9);
    println!(
        "{:<40} {:>9} {:>8} {:>6} {:>9} {:>8} {:>6}",
        "layer", "1t, us", "GFLOP/s", "peak", "2t, us", "GFLOP/s", "peak"
    );
    for layer in LAYERS.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')).map(Layer::parse) {
        if !words.is_empty() && !words.iter().any(|word| layer.name.contains(word.as_str())) {
            continue;
        }
        if has("--training") {
            let copies = if cold { copies(&layer.shapes()) } else { 1 };
            let feeds: Vec<_> = (0..copies).map(|_| layer.shapes().map(values).to_vec()).collect();
            for (name, part) in
                [("", Part::Forward), (", input", Part::InputGradient), (", filter", Part::FilterGradient)]
            {
                print_line(&format!("{}{name}", layer.name), layer.operations() * BATCH as f64, peak, |threads| {
                    let call = layer.prepare_training(part, threads, winograd).expect("the layer is planned");
                    Layer::time(&[call], &feeds)
                });
            }
            continue;
        }
        let feeds = [vec![values([1, layer.image, layer.image, layer.depth])]];
        print_line(&layer.name, layer.operations(), peak, |threads| {
            let copies = if cold { copies(&layer.shapes()[1..2]) } else { 1 };
            let prepare = |_| layer.prepare(threads, winograd).expect("the layer is planned");
            let calls: Vec<Callable> = (0..copies).map(prepare).collect();
            Layer::time(&calls, &feeds)
        });
    }
}

/// Prints a line of so many operations, which take `seconds` with so many threads.
fn print_line(name: &str, operations: f64, peak: f64, seconds: impl Fn(usize) -> f64) {
    print!("{name:<40}");
    for threads in [1, 2] {
        let seconds = seconds(threads);
        let speed = operations / seconds;
        print!(" {:>9.1} {:>8.1} {:>5.0}%", seconds * 1e6, speed / 1e9, speed / peak / threads as f64 * 100.0);
    }
    println!();
}
