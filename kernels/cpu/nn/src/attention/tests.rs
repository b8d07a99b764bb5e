//! Attention beside its definition in double precision.

use oplink::prelude::*;
use oplink_cpu_support::testing::{Threads, run_in};

fn value(i: usize) -> f32 {
    ((i * 37 + 11) % 101) as f32 / 50.0 - 1.0
}

fn tensor([batch, heads, time, depth]: [usize; 4], time_first: bool, seed: usize) -> Tensor {
    let shape = if time_first { [batch, time, heads, depth] } else { [batch, heads, time, depth] };
    Tensor::from_vec(shape, (0..shape.iter().product()).map(|i: usize| value(i + seed)).collect()).unwrap()
}

/// The element at a position of [batch, heads, time, depth]; axes of extent 1 repeat.
fn at(tensor: &Tensor, time_first: bool, position: [usize; 4]) -> f64 {
    let dims = tensor.shape().dims();
    let [a, b, c, d] = position;
    let position = if time_first { [a, c, b, d] } else { [a, b, c, d] };
    let index = dims
        .iter()
        .zip(&position[4 - dims.len()..])
        .fold(0, |index, (&extent, &at)| index * extent + at.min(extent - 1));
    f64::from(tensor.as_slice::<f32>().unwrap()[index])
}

fn check(extents: [usize; 6], time_first: [bool; 4], mask: Option<&[usize]>) {
    let [batch, heads, queries, keys, depth, width] = extents;
    let q = tensor([batch, heads, queries, depth], time_first[0], 1);
    let k = tensor([batch, heads, keys, depth], time_first[1], 5);
    let v = tensor([batch, heads, keys, width], time_first[2], 9);
    let mask = mask.map(|shape| {
        let values = (0..shape.iter().product()).map(|i: usize| if i % 7 == 3 { f32::NEG_INFINITY } else { value(i) });
        Tensor::from_vec(shape, values.collect()).unwrap()
    });
    let attrs = [
        ("scale", 0.25f32.into()),
        ("time_first", (&time_first[..]).into()),
        ("num_masks", i64::from(mask.is_some()).into()),
    ];
    let inputs = || [&q, &k, &v].into_iter().chain(&mask).cloned().collect::<Vec<_>>();
    let one = run_in(&Threads(1), "_FusedAttention", &attrs, inputs()).unwrap().remove(0);
    let three = run_in(&Threads(3), "_FusedAttention", &attrs, inputs()).unwrap().remove(0);
    assert_eq!(one.as_slice::<f32>().unwrap(), three.as_slice::<f32>().unwrap());
    for i in 0..batch * heads * queries {
        let (b, n, t) = (i / (heads * queries), i / queries % heads, i % queries);
        let score = |s: usize| {
            let product: f64 =
                (0..depth).map(|h| at(&q, time_first[0], [b, n, t, h]) * at(&k, time_first[1], [b, n, s, h])).sum();
            product * 0.25 + mask.as_ref().map_or(0.0, |mask| at(mask, false, [b, n, t, s]))
        };
        let powers: Vec<f64> = (0..keys).map(|s| score(s).exp()).collect();
        let total: f64 = powers.iter().sum();
        for d in 0..width {
            let expected: f64 = (0..keys).map(|s| powers[s] / total * at(&v, time_first[2], [b, n, s, d])).sum();
            let actual = at(&one, time_first[3], [b, n, t, d]);
            assert!((actual - expected).abs() < 2e-6, "{actual} in place of {expected} ({extents:?} {time_first:?})");
        }
    }
}

#[test]
fn attention_is_what_its_parts_are() {
    for extents in [[2, 3, 5, 7, 4, 6], [1, 2, 130, 100, 32, 32], [1, 1, 3, 200, 20, 33], [1, 1, 1, 1, 1, 1]] {
        let [batch, heads, queries, keys, ..] = extents;
        for time_first in [[false; 4], [true; 4], [true, false, true, false]] {
            check(extents, time_first, None);
            check(extents, time_first, Some(&[batch, 1, 1, keys]));
            check(extents, time_first, Some(&[heads, queries, keys]));
        }
    }
}

#[test]
fn rows_that_are_masked_wholly_are_nan_and_empty_ones_work() {
    let mask = Tensor::from_vec([2, 3], [0.0, f32::NEG_INFINITY, 0.0].repeat(2)).unwrap();
    let all = Tensor::from_vec([1, 3], vec![f32::NEG_INFINITY; 3]).unwrap();
    let inputs = |mask: &Tensor| {
        vec![
            tensor([1, 1, 2, 4], false, 1),
            tensor([1, 1, 3, 4], false, 2),
            tensor([1, 1, 3, 2], false, 3),
            mask.clone(),
        ]
    };
    let attrs = [("scale", 1f32.into()), ("time_first", (&[false; 4][..]).into()), ("num_masks", 1i64.into())];
    let run = |mask: &Tensor| run_in(&Threads(1), "_FusedAttention", &attrs, inputs(mask)).unwrap().remove(0);
    assert!(run(&mask).as_slice::<f32>().unwrap().iter().all(|x| x.is_finite()));
    assert!(run(&all).as_slice::<f32>().unwrap().iter().all(|x| x.is_nan()));
}
