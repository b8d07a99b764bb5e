//! Einsum against its definition, over equations that take every way through the plan.

use oplink::prelude::*;

use oplink_cpu_support::testing::{Threads, run_in};

fn tensor(shape: &[usize], step: usize) -> Tensor {
    let count: usize = shape.iter().product();
    Tensor::from_vec(shape, (0..count).map(|i| ((i * step + 3) % 17) as i64 - 8).collect()).unwrap()
}

fn einsum(equation: &str, inputs: &[Tensor], threads: usize) -> Result<Tensor> {
    Ok(run_in(&Threads(threads), "Einsum", &[("equation", equation.into())], inputs.to_vec())?.remove(0))
}

/// The sum of products at every position of all names, for equations without an ellipsis.
fn by_definition(equation: &str, inputs: &[Tensor]) -> (Vec<usize>, Vec<i64>) {
    let (left, output) = equation.split_once("->").unwrap();
    let subscripts: Vec<&str> = left.split(',').collect();
    let mut names: Vec<(char, usize)> = Vec::new();
    for (subscript, input) in subscripts.iter().zip(inputs) {
        for (name, &extent) in subscript.chars().zip(input.shape().iter()) {
            if names.iter().all(|known| known.0 != name) {
                names.push((name, extent));
            }
        }
    }
    let extent = |name: char| names.iter().find(|known| known.0 == name).unwrap().1;
    let shape: Vec<usize> = output.chars().map(extent).collect();
    let mut out = vec![0; shape.iter().product()];
    let total: usize = names.iter().map(|known| known.1).product();
    for mut position in 0..total {
        let mut at = Vec::new();
        for &(name, extent) in &names {
            at.push((name, position % extent));
            position /= extent;
        }
        let offset = |subscript: &str| {
            let place = |name: char| at.iter().find(|known| known.0 == name).unwrap().1;
            subscript.chars().fold(0, |sum, name| sum * extent(name) + place(name))
        };
        let factors = subscripts.iter().zip(inputs).map(|(s, input)| input.as_slice::<i64>().unwrap()[offset(s)]);
        out[offset(output)] += factors.product::<i64>();
    }
    (shape, out)
}

fn check(equation: &str, shapes: &[&[usize]]) {
    let inputs: Vec<Tensor> = shapes.iter().enumerate().map(|(i, shape)| tensor(shape, 5 + 2 * i)).collect();
    let (shape, values) = by_definition(equation, &inputs);
    for threads in [1, 3] {
        let out = einsum(equation, &inputs, threads).unwrap();
        assert_eq!((out.shape().dims(), out.as_slice::<i64>().unwrap()), (&shape[..], &values[..]), "{equation}");
    }
}

#[test]
fn one_operand() {
    check("ab->ba", &[&[2, 3]]);
    check("abc->b", &[&[2, 3, 4]]);
    check("aab->ba", &[&[3, 3, 2]]);
    check("aa->", &[&[4, 4]]);
    check("a->aa", &[&[3]]);
    check("ab->aba", &[&[2, 3]]);
    check("a->a", &[&[3]]);
    check("ab->a", &[&[2, 0]]);
}

#[test]
fn two_operands() {
    check("abc,cde->abde", &[&[2, 3, 4], &[4, 2, 5]]);
    check("aecd,abcd->acbe", &[&[2, 5, 3, 4], &[2, 6, 3, 4]]);
    check("acbe,aecd->abcd", &[&[2, 3, 6, 5], &[2, 5, 3, 4]]);
    check("ab,ab->ab", &[&[3, 4], &[3, 4]]);
    check("ab,ab->a", &[&[3, 64], &[3, 64]]);
    check("ab,ba->", &[&[3, 4], &[4, 3]]);
    check("bij,bjk->ikb", &[&[2, 3, 4], &[2, 4, 5]]);
    check("abc,cde->adbe", &[&[2, 3, 4], &[4, 2, 5]]);
    check("abc,cd->adb", &[&[2, 3, 4], &[4, 5]]);
    check("ab,cd->acbd", &[&[2, 3], &[4, 5]]);
    check("ab,cd->da", &[&[2, 3], &[4, 5]]);
    check("abcd,dbe->ace", &[&[2, 3, 4, 5], &[5, 3, 6]]);
    check("aab,bcc->ca", &[&[3, 3, 2], &[2, 4, 4]]);
    check("a,b->aab", &[&[3], &[4]]);
    check("a,a->", &[&[100], &[100]]);
    check("b,bn->n", &[&[70], &[70, 200]]);
    check("ab,bc->ac", &[&[2, 0], &[0, 3]]);
    check(",a->a", &[&[], &[3]]);
}

#[test]
fn ellipsis() {
    let (x, y) = (tensor(&[4, 1, 2, 3], 5), tensor(&[5, 3, 2], 7));
    let out = einsum("...ij,...jk->...ik", &[x.clone(), y.clone()], 1).unwrap();
    assert_eq!(out.shape().dims(), [4, 5, 2, 2]);
    let (a, b) = (tensor(&[4, 2, 3], 5), y);
    let (_, values) = by_definition("aij,bjk->abik", &[a, b]);
    assert_eq!(out.as_slice::<i64>().unwrap(), values);
    let out = einsum("i...->...", &[tensor(&[2, 3], 1)], 1).unwrap();
    assert_eq!(out.as_slice::<i64>().unwrap(), [-5 - 2, -4 - 1, -3]);
}

#[test]
fn unlike_extents_and_hidden_axes_are_errors() {
    assert!(einsum("ab,bc->ac", &[tensor(&[2, 3], 1), tensor(&[2, 3], 1)], 1).is_err());
    assert!(einsum("...a->a", &[tensor(&[2, 3], 1)], 1).is_err());
    assert!(einsum("...a,...a->...", &[tensor(&[2, 3], 1), tensor(&[4, 3], 1)], 1).is_err());
    assert!(einsum("a,a->a", &[tensor(&[1], 1), tensor(&[2], 1)], 1).is_err());
}
