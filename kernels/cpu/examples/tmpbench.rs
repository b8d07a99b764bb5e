//! bench
use std::time::Instant;
use oplink::prelude::*;
use oplink_kernels_cpu::support::testing::Threads;
use oplink_kernels_cpu::support::{vector, vectorize::*};
macro_rules! f { ($($n:ident: $f:ident),*) => {$( struct $n; impl MathFunction for $n { #[inline(always)] fn single<const F: bool>(x: f32) -> f32 { vector::$f::<F>(x) } fn double(x: f64) -> f64 { x } } )*} }
f!(Exp: exp, Expm1: expm1, Log: log, Log1p: log1p, Tanh: tanh, Sigmoid: sigmoid, Erf: erf, Erfc: erfc, Sin: sin, Tan: tan, Asin: asin, Sinh: sinh, Asinh: asinh, Atan: atan);
fn time(name: &str, mut g: impl FnMut()) { let mut v: Vec<f64> = (0..31).map(|_| { let t = Instant::now(); g(); t.elapsed().as_secs_f64()*1e6 }).collect(); v.sort_by(f64::total_cmp); println!("{name}: {:.1} us", v[15]); }
fn main() {
    let x: Vec<f32> = (0..1<<20).map(|i| (i % 2000) as f32 * 0.005 - 5.0).collect();
    let mut y = vec![0f32; x.len()];
    macro_rules! t { ($($n:ident),*) => {$( time(stringify!($n), || map_function::<$n>(&x, &mut y)); )*} }
    t!(Exp, Expm1, Log, Log1p, Tanh, Sigmoid, Erf, Erfc, Sin, Tan, Asin, Sinh, Asinh, Atan);
    struct P; impl MathFunction2 for P { #[inline(always)] fn single<const F: bool>(x: f32, y: f32) -> f32 { vector::pow::<F>(x, y) } fn double(x: f64, _: f64) -> f64 { x } }
    time("Pow", || zip_function::<P>(&x, &x, &mut y));
    time("add raw", || zip(&x, &x, &mut y, |a, b| a + b));
    for (op, inputs) in [("AddV2", vec![Tensor::from(x.clone()), Tensor::from(x.clone())]), ("AddV2", vec![Tensor::from(x.clone()), Tensor::scalar(1f32)]),
        ("AddV2", vec![Tensor::from(x.clone()).with_shape([1<<10, 1<<10]).unwrap(), Tensor::from(x[..1<<10].to_vec())]),
        ("AddV2", vec![Tensor::from(x.clone()).with_shape([1<<14, 1<<6]).unwrap(), Tensor::from(x[..1<<6].to_vec())]),
        ("AddV2", vec![Tensor::from(x.clone()).with_shape([1<<18, 1<<2]).unwrap(), Tensor::from(x[..1<<2].to_vec())]),
        ("Mul", vec![Tensor::from(x.clone()).with_shape([1<<10, 1<<10]).unwrap(), Tensor::from(x[..1<<10].to_vec()).with_shape([1<<10,1]).unwrap()]),
        ("Mul", vec![Tensor::from(x.clone()).with_shape([1<<18, 1<<2]).unwrap(), Tensor::from(x[..1<<18].to_vec()).with_shape([1<<18,1]).unwrap()]),
        ("Less", vec![Tensor::from(x.clone()), Tensor::from(x.clone())]),
        ("AddV2", vec![Tensor::from(x.iter().map(|&v| f16::from_f32(v)).collect::<Vec<_>>()), Tensor::scalar(f16::ONE)]),
        ("AddV2", vec![Tensor::from(x.iter().map(|&v| bf16::from_f32(v)).collect::<Vec<_>>()), Tensor::scalar(bf16::ONE)]),
        ("AddV2", vec![Tensor::scalar(1f32), Tensor::scalar(2f32)]),
        ("AddV2", vec![Tensor::from([1f32; 8]), Tensor::from([1f32; 8])]),
        ("Tanh", vec![Tensor::from(x.clone())]),
        ("Abs", vec![Tensor::scalar(1f32)]),
        ("FloorMod", vec![Tensor::from(x.clone()), Tensor::scalar(1.5f32)]),
    ] {
        let (node, function) = oplink_kernels_cpu::support::testing::prepare(op, &[], &inputs).unwrap();
        let mut slot = inputs.clone(); let mut out = [None];
        let reps = if inputs[0].num_elements() < 100 { 10000 } else { 1 };
        let name = format!("{op} {:?} {:?}", inputs[0].shape(), inputs.last().unwrap().shape());
        let mut inplace = inputs.clone(); inplace[0] = inputs[0].deep_copy().unwrap();
        time(&format!("{name} x{reps} shared"), || for _ in 0..reps { function(&mut KernelContext::new(&node, &mut slot, &mut out, &Threads(1))).unwrap(); });
        let mut slot = inplace;
        time(&format!("{name} x{reps} in place"), || for _ in 0..reps { function(&mut KernelContext::new(&node, &mut slot, &mut out, &Threads(1))).unwrap(); if op != "Less" { slot[0] = out[0].take().unwrap(); } });
    }
}
