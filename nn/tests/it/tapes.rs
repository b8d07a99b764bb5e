//! Gradients of eager calls.

use oplink::prelude::*;
use oplink::{Tape, Value, apply, ops};

/// The square, with a gradient that is declared here.
#[op("NnSquare", input = "x: T", output = "y: T", attr = "T: {float}", shape = shape_fns::unchanged)]
pub struct NnSquare;

#[kernel(NnSquare, device = CPU, T = [f32])]
fn squared(x: f32) -> f32 {
    x * x
}

#[gradient(NnSquare)]
fn nn_square_gradient(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Result<Vec<Option<Output>>> {
    let twice = ops::mul(scope, op.input(0), 2.0f32)?;
    Ok(vec![Some(ops::mul(scope, twice, dy[0])?)])
}

/// Without a gradient.
#[op("NnLost", input = "x: T", output = "y: T", attr = "T: {float}", shape = shape_fns::unchanged)]
pub struct NnLost;

#[kernel(NnLost, device = CPU, T = [f32])]
fn passed(x: f32) -> f32 {
    x
}

fn float(gradient: Option<&Value>) -> f32 {
    gradient.unwrap().item().unwrap()
}

#[test]
fn gradients_follow_the_calls_back() -> Result<()> {
    let (x, w) = (Value::new([[1.0f32, 2.0]]), Value::new([[3.0f32], [4.0]]));
    let tape = Tape::new();
    let (x, w) = (tape.watch(&x), tape.watch(&w));
    let y = (x.matmul(&w)? + 1.0).tanh()?;
    let gradients = tape.gradient(&y, [&x, &w])?;
    let slope = 1.0 - 12.0f32.tanh().powi(2);
    for (gradient, expected) in gradients.iter().zip([[3.0, 4.0], [1.0, 2.0]]) {
        let gradient = gradient.as_ref().unwrap().to_vec::<f32>()?;
        assert!(gradient.iter().zip(expected).all(|(g, e)| (g - e * slope).abs() < 1e-6), "{gradient:?}");
    }
    Ok(())
}

#[test]
fn what_is_broadcast_and_used_twice_gets_the_sum() -> Result<()> {
    let (x, b) = (Value::new([[1.0f32, 2.0], [3.0, 4.0]]), Value::new([1.0f32, 10.0]));
    let tape = Tape::new();
    tape.watch(&b);
    let y = (&x * &b + &b).square()?;
    let gradients = tape.gradient(&y, [&b, &x])?;
    // d/db (xb + b)^2 = 2 (xb + b)(x + 1), summed over rows.
    assert_eq!(gradients[0].as_ref().unwrap().to_vec::<f32>()?, [2.0 * (4.0 + 16.0), 2.0 * (90.0 + 250.0)]);
    assert!(gradients[1].is_none());
    Ok(())
}

#[test]
fn gradients_of_gradients() -> Result<()> {
    let x = Value::new(2.0f32);
    let outer = Tape::new();
    outer.watch(&x);
    let middle = Tape::new();
    middle.watch(&x);
    let inner = Tape::new();
    inner.watch(&x);
    let y = x.pow(4)?;
    let first = inner.gradient(&y, [&x])?.remove(0).unwrap();
    let second = middle.gradient(&first, [&x])?.remove(0).unwrap();
    let third = outer.gradient(&second, [&x])?;
    assert_eq!((first.item::<f32>()?, second.item::<f32>()?, float(third[0].as_ref())), (32.0, 48.0, 48.0));
    Ok(())
}

#[test]
fn a_persistent_tape_gives_many_and_another_one() -> Result<()> {
    let x = Value::new(3.0f32);
    let tape = Tape::persistent();
    tape.watch(&x);
    let (y, z) = (&x * &x, x.exp()?);
    assert_eq!(float(tape.gradient(&y, [&x])?[0].as_ref()), 6.0);
    assert_eq!(float(tape.gradient(&z, [&x])?[0].as_ref()), 3.0f32.exp());
    let first = tape.gradient(&y, [&x])?.remove(0).unwrap();
    assert_eq!(float(tape.gradient(&first, [&x])?[0].as_ref()), 2.0);
    tape.stop();
    let after = &x * 5.0;
    assert!(tape.gradient(&after, [&x])?[0].is_none());
    let once = Tape::new();
    once.watch(&x);
    let y = &x * 2.0;
    once.gradient(&y, [&x])?;
    let error = once.gradient(&y, [&x]).unwrap_err();
    assert!(error.message().contains("Tape::persistent"), "{error}");
    Ok(())
}

#[test]
fn weights_and_intermediate_values() -> Result<()> {
    let x = Value::new([1.0f32, 2.0]);
    let tape = Tape::new();
    tape.watch(&x);
    let y = x.square()?;
    let z = &y * 3.0;
    let gradients = tape.weighted_gradient(&z, [1.0, 10.0], [&x, &y])?;
    assert_eq!(gradients[0].as_ref().unwrap().to_vec::<f32>()?, [6.0, 120.0]);
    assert_eq!(gradients[1].as_ref().unwrap().to_vec::<f32>()?, [3.0, 30.0]);
    Ok(())
}

#[test]
fn anybodys_ops_have_gradients_or_say_how_to_get_one() -> Result<()> {
    let x = Value::new(5.0f32);
    let tape = Tape::new();
    tape.watch(&x);
    let y = apply([&x], |scope, [x]| nn_square(scope, x))?;
    assert_eq!(float(tape.gradient(&y, [&x])?[0].as_ref()), 10.0);
    let tape = Tape::new();
    tape.watch(&x);
    let y = apply([&x], |scope, [x]| nn_lost(scope, x))?;
    let error = tape.gradient(&y, [&x]).unwrap_err();
    assert!(error.message().starts_with("No gradient defined for op: NnLost. Declare one"), "{error}");
    Ok(())
}

#[test]
fn what_is_not_differentiable_stops_gradients() -> Result<()> {
    let x = Value::new([1.5f32, 2.5]);
    let tape = Tape::new();
    tape.watch(&x);
    let y = x.floor()? + x.stop_gradient()? * 2.0;
    assert!(tape.gradient(&y, [&x])?[0].is_none());
    let tape = Tape::new();
    tape.watch(&x);
    let wrong = (&x + Value::new([1.0f32; 3])) * 2.0;
    assert!(tape.gradient(&wrong, [&x]).is_err());
    Ok(())
}
