//! Normalisations of rows, which are one op, beside the same made of single ops: values, first and second gradients.

use oplink::nn::layers::{LayerNormalization, RmsNormalization};
use oplink::nn::{Initializer, Layer, Mode, Variable, Watched};
use oplink::prelude::*;
use oplink::{Tape, Value};

const EPSILON: f32 = 0.01;

fn drawn(shape: &[usize], seed: u32) -> Result<Value> {
    Initializer::Uniform { low: -1.0, high: 1.5 }.value(shape, seed)
}

/// What `normalize` makes of values, the gradients of a weighted sum of its cubes by them and the variables, and the
/// gradients of a weighted sum of the first of these.
fn derivatives(variables: &[&Variable], normalize: &dyn Fn(&Value) -> Result<Value>) -> Result<Vec<Vec<f32>>> {
    let [x, weights, slopes] = [drawn(&[2, 3, 5], 1)?, drawn(&[2, 3, 5], 2)?, drawn(&[2, 3, 5], 3)?];
    let (outer, inner) = (Tape::new(), Tape::new());
    let x = inner.watch(&outer.watch(&x));
    let mut by: Vec<&dyn Watched> = vec![&x];
    by.extend(variables.iter().map(|&variable| variable as &dyn Watched));
    let y = normalize(&x)?;
    let first = inner.gradient(&(y.square()? * &y * weights).ok()?, by.clone())?;
    let mut sum = (first[0].as_ref().unwrap() * slopes).sum(..)?;
    for gradient in first[1..].iter().flatten() {
        sum = (sum + (gradient * 0.5f32).sum(..)?).ok()?;
    }
    let second = outer.gradient(&sum, by)?;
    let all = first.into_iter().chain(second).flatten();
    std::iter::once(y).chain(all).map(|value| value.to_vec()).collect()
}

fn check(layer: &impl Layer, variables: &[&Variable], normalize: &dyn Fn(&Value) -> Result<Value>) -> Result<()> {
    for (seed, variable) in variables.iter().enumerate() {
        variable.assign(drawn(&[5], 10 + seed as u32)?)?;
    }
    let one = derivatives(variables, &|x| layer.forward(x, Mode::Train))?;
    let several = derivatives(variables, normalize)?;
    assert_eq!(one.iter().map(Vec::len).collect::<Vec<_>>(), several.iter().map(Vec::len).collect::<Vec<_>>());
    for (found, expected) in one.iter().flatten().zip(several.iter().flatten()) {
        assert!((found - expected).abs() < 1e-3 * (1.0 + expected.abs()), "{found} in place of {expected}");
    }
    Ok(())
}

#[test]
fn layer_normalisation_is_what_its_formula_says() -> Result<()> {
    let layer = LayerNormalization::new(5)?.epsilon(EPSILON);
    check(&layer, &[&layer.gamma, &layer.beta], &|x| {
        let rest = (x - x.mean_kept(-1)?).ok()?;
        let root = (rest.square()?.mean_kept(-1)? + EPSILON).rsqrt()?;
        (rest * root * &layer.gamma + &layer.beta).ok()
    })
}

#[test]
fn root_mean_square_normalisation_is_what_its_formula_says() -> Result<()> {
    let layer = RmsNormalization::new(5)?;
    check(&layer, &[&layer.scale], &|x| {
        let root = (x.square()?.mean_kept(-1)? + 1e-6).rsqrt()?;
        (x * root * &layer.scale).ok()
    })
}
