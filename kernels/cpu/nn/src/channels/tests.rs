//! Sums, normalisations and lines of channels beside plain loops, in both orders of the axes.

use super::*;
use oplink_cpu_support::testing::Threads;

/// Values that are not symmetric, the same each time.
fn values(count: usize, seed: u64) -> Vec<f32> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1u64 << 24) as f32 * 4.0 - 1.0
    };
    (0..count).map(|_| next()).collect()
}

/// Layouts around the lengths of vectors, and some with several blocks.
const LAYOUTS: [(usize, usize, usize); 12] = [
    (1, 1, 1),
    (3, 5, 1),
    (7, 16, 1),
    (100, 33, 1),
    (20_001, 7, 1),
    (700, 130, 1),
    (40, 2_100, 1),
    (1, 3, 2),
    (2, 5, 17),
    (5, 16, 16),
    (3, 9, 4_001),
    (0, 4, 1),
];

fn layouts() -> impl Iterator<Item = Layout> {
    LAYOUTS.into_iter().map(|(items, channels, inner)| Layout { items, channels, inner })
}

fn channel(layout: &Layout, index: usize) -> usize {
    index / layout.inner % layout.channels
}

#[test]
fn sums_are_those_of_a_plain_loop() {
    for layout in layouts() {
        let count = layout.count() * layout.channels;
        let (x, others, centre) = (values(count, 1), values(count, 2), values(layout.channels, 3));
        for (powers, terms) in [(true, Terms::Powers), (false, Terms::Products(&others))] {
            let mut expected = vec![[0f64; 2]; layout.channels];
            for (index, (&x, &other)) in x.iter().zip(&others).enumerate() {
                let d = f64::from(x) - f64::from(centre[channel(&layout, index)]);
                let first = if powers { d } else { f64::from(other) };
                let sum = &mut expected[channel(&layout, index)];
                *sum = [sum[0] + first, sum[1] + first * d];
            }
            let one = layout.sums(&Threads(1), &x, &centre, terms);
            for (got, expected) in one.iter().flatten().zip(expected.iter().flatten()) {
                assert!((got - expected).abs() <= 1e-9 * count.max(1) as f64, "{layout:?}: {got} {expected}");
            }
            assert_eq!(one, layout.sums(&Threads(2), &x, &centre, terms), "{layout:?}: threads change nothing");
            assert_eq!(one, layout.sums(&Threads(5), &x, &centre, terms), "{layout:?}: threads change nothing");
        }
    }
}

#[test]
fn normalisations_and_lines_are_those_of_a_plain_loop() {
    for layout in layouts() {
        let count = layout.count() * layout.channels;
        let (x, side) = (values(count, 1), values(count, 2));
        let [a, b, c] = [3, 4, 5].map(|seed| values(layout.channels, seed));
        let after = After { side: Some(&side), relu: true };
        let (mut y, mut line) = (vec![0f32; count], vec![0f32; count]);
        layout.normalize(&Threads(2), &x, (&a, &b, &c), after, &mut y);
        let lines = Lines { a: a.clone(), b: b.clone(), c: c.clone() };
        layout.combine(&Threads(2), (&x, &side), &lines, &mut line);
        for index in 0..count {
            let at = channel(&layout, index);
            let expected = ((x[index] - a[at]) * b[at] + c[at] + side[index]).max(0.0);
            assert_eq!(y[index].to_bits(), (expected + 0.0).to_bits(), "{layout:?}");
            assert_eq!(line[index], x[index] * a[at] + side[index] * b[at] + c[at], "{layout:?}");
        }
    }
}
