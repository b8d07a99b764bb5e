//! Loops within loops, and within branches.

use super::text::{LoopOptions, Text, run};

const PARALLEL: [i64; 3] = [1, 10, 32];

/// `for i in 0..n { for j in 0..i { x += 1 } }`, each with so many iterations in parallel.
fn triangle(outer: i64, inner: i64) -> (Text, String) {
    let mut text = Text::default();
    let n = text.placeholder("n");
    let (zero, one) = (text.constant("zero", 0, &[]), text.constant("one", 1, &[]));
    let inside = text.begin_loop(&[&zero, &zero], LoopOptions { parallel_iterations: outer }, |text, inside| {
        let n = text.bring_in(inside, &n);
        text.node("i_less", "Less", &[&inside.values[0], &n], "")
    });
    let (i, x) = (inside.values[0].clone(), inside.values[1].clone());
    let start = text.constant("start", 0, &[&inside.pivot]);
    let deep = text.begin_loop(&[&start, &x], LoopOptions { parallel_iterations: inner }, |text, deep| {
        let i = text.bring_in(deep, &i);
        text.node("j_less", "Less", &[&deep.values[0], &i], "")
    });
    let j = text.count_on(&deep);
    let one = text.bring_in(&inside, &one);
    let one = text.bring_in(&deep, &one);
    let more = text.node("more", "AddV2", &[&deep.values[1], &one], "");
    let exits = text.end_loop(&deep, &[&j, &more]);
    let next = text.count_on(&inside);
    let exits = text.end_loop(&inside, &[&next, &exits[1]]);
    (text, exits[1].clone())
}

#[test]
fn a_loop_in_a_loop() {
    for outer in PARALLEL {
        for inner in PARALLEL {
            let (text, result) = triangle(outer, inner);
            let session = text.session();
            for n in [0, 1, 2, 3, 40] {
                assert_eq!(run(&session, &[("n", n)], &[&result]).unwrap(), [n * (n - 1) / 2], "{n}, {outer} {inner}");
            }
        }
    }
}

/// `if a < b { loop } else { a }`
fn loop_in_a_branch() -> (Text, String) {
    let mut text = Text::default();
    let (a, b) = (text.placeholder("a"), text.placeholder("b"));
    let less = text.node("less", "Less", &[&a, &b], "");
    let (of_a, of_b) = (text.switch(&a, &less), text.switch(&b, &less));
    let pivot = text.node("pivot", "Identity", &[&format!("{of_a}:1")], "");
    let (a, b) = (format!("{of_a}:1"), format!("{of_b}:1"));
    let zero = text.constant("zero", 0, &[&pivot]);
    let inside = text.begin_loop(&[&zero, &a], LoopOptions::default(), |text, inside| {
        let b = text.bring_in(inside, &b);
        text.node("i_less", "Less", &[&inside.values[0], &b], "")
    });
    // A loop inside, which is dead as a whole where the branch is.
    let inner_zero = text.constant("inner_zero", 0, &[&inside.pivot]);
    let x = inside.values[1].clone();
    let deep = text.begin_loop(&[&inner_zero, &x], LoopOptions::default(), |text, deep| {
        let three = text.constant("three", 3, &[&deep.pivot]);
        text.node("j_less", "Less", &[&deep.values[0], &three], "")
    });
    let j = text.count_on(&deep);
    let one = text.constant("one", 1, &[&deep.pivot]);
    let more = text.node("more", "AddV2", &[&deep.values[1], &one], "");
    let exits = text.end_loop(&deep, &[&j, &more]);
    let next = text.count_on(&inside);
    let exits = text.end_loop(&inside, &[&next, &exits[1]]);
    let result = text.merge(&[&of_a, &exits[1]]);
    (text, result)
}

#[test]
fn dead_loops_end() {
    let (text, result) = loop_in_a_branch();
    let session = text.session();
    for _ in 0..3 {
        assert_eq!(run(&session, &[("a", 1), ("b", 5)], &[&result, &format!("{result}:1")]).unwrap(), [1 + 15, 1]);
        assert_eq!(run(&session, &[("a", 9), ("b", 5)], &[&result, &format!("{result}:1")]).unwrap(), [9, 0]);
    }
}

/// A branch that is taken in some iterations only, with a loop in it.
#[test]
fn a_loop_in_a_branch_in_a_loop() {
    for parallel in PARALLEL {
        let mut text = Text::default();
        let n = text.placeholder("n");
        let (zero, two) = (text.constant("zero", 0, &[]), text.constant("two", 2, &[]));
        let inside = text.begin_loop(&[&zero, &zero], LoopOptions { parallel_iterations: parallel }, |text, inside| {
            let n = text.bring_in(inside, &n);
            text.node("i_less", "Less", &[&inside.values[0], &n], "")
        });
        let (i, x) = (inside.values[0].clone(), inside.values[1].clone());
        let two_inside = text.bring_in(&inside, &two);
        let odd = text.node("odd", "FloorMod", &[&i, &two_inside], "");
        let one = text.constant("one", 1, &[&inside.pivot]);
        let even = text.node("even", "Less", &[&odd, &one], "");
        let (of_x, of_i) = (text.switch(&x, &even), text.switch(&i, &even));
        let (taken_x, taken_i) = (format!("{of_x}:1"), format!("{of_i}:1"));
        let pivot = text.node("pivot", "Identity", &[&taken_x], "");
        let start = text.constant("start", 0, &[&pivot]);
        let deep = text.begin_loop(&[&start, &taken_x], LoopOptions { parallel_iterations: parallel }, |text, deep| {
            let i = text.bring_in(deep, &taken_i);
            text.node("j_less", "Less", &[&deep.values[0], &i], "")
        });
        let j = text.count_on(&deep);
        let one = text.constant("deep_one", 1, &[&deep.pivot]);
        let more = text.node("more", "AddV2", &[&deep.values[1], &one], "");
        let exits = text.end_loop(&deep, &[&j, &more]);
        let merged = text.merge(&[&of_x, &exits[1]]);
        let next = text.count_on(&inside);
        let exits = text.end_loop(&inside, &[&next, &merged]);
        let session = text.session();
        for n in [0, 1, 2, 7, 20] {
            let expected: i32 = (0..n).filter(|i| i % 2 == 0).sum();
            assert_eq!(run(&session, &[("n", n)], &[&exits[1]]).unwrap(), [expected], "{n}, {parallel} in parallel");
        }
    }
}
