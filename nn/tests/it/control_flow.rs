//! Conditions and loops on values, at once and in traced functions.

use oplink::nn::layers::{Gru, Lstm};
use oplink::nn::{Initializer, Layer, Mode, Module, Variable};
use oplink::prelude::*;
use oplink::{Tape, Value, cond, function, while_loop};

/// The square root of what is positive, half of the rest, times a factor.
fn branch([x, factor]: [Value; 2]) -> Result<Value> {
    let y = cond(x.greater(0.0)?, || x.sqrt(), || (&x * 0.5).ok())?;
    (y * factor).ok()
}

/// The sum of powers of `x` up to `n`.
fn powers([x, n]: [Value; 2]) -> Result<Value> {
    let first = [n, x.ones_like()?, x.zeros_like()?];
    let body = |[n, power, sum]: [Value; 3]| Ok([&n - 1, &power * &x, sum + &power * &x]);
    let [_, _, sum] = while_loop(first, |[n, _, _]: [Value; 3]| n.greater(0), body)?;
    Ok(sum)
}

#[test]
fn both_functions_of_a_condition_are_traced_and_one_runs() -> Result<()> {
    let traced = function(branch);
    for x in [4.0f32, -4.0, 0.25] {
        let expected = branch([x.into(), 3.0f32.into()])?.item::<f32>()?;
        assert_eq!(traced.call([x, 3.0])?.item::<f32>()?, expected, "of {x}");
    }
    assert_eq!(traced.num_traces(), 1);
    Ok(())
}

#[test]
fn a_loop_runs_as_often_as_its_values_say() -> Result<()> {
    let traced = function(powers);
    for n in [0, 1, 5] {
        let arguments = [Value::new(2.0f32), Value::new(n)];
        let expected = powers(arguments.clone())?.item::<f32>()?;
        assert_eq!(expected, (1 << (n + 1)) as f32 - 2.0);
        assert_eq!(traced.call(arguments)?.item::<f32>()?, expected);
    }
    assert_eq!(traced.num_traces(), 1);
    Ok(())
}

/// The gradient by the first argument.
fn gradient(f: impl Fn([Value; 2]) -> Result<Value>, [x, y]: [Value; 2]) -> Result<Value> {
    let tape = Tape::new();
    tape.watch(&x);
    let z = f([x.clone(), y])?;
    tape.gradient(&z, [&x])?.remove(0).ok_or_else(|| Error::internal("there is a gradient"))
}

#[test]
fn gradients_pass_through_conditions_and_loops() -> Result<()> {
    let of_branch = function(|arguments| gradient(branch, arguments));
    for x in [4.0f32, -4.0] {
        let expected = gradient(branch, [x.into(), 3.0f32.into()])?.item::<f32>()?;
        assert_eq!(of_branch.call([x, 3.0])?.item::<f32>()?, expected, "of {x}");
    }
    let of_powers = function(|arguments| gradient(powers, arguments));
    // Without an iteration nothing depends on `x`, which only the tape of single calls knows.
    assert!(gradient(powers, [3.0f32.into(), 0i32.into()]).is_err());
    assert_eq!(of_powers.call([Value::new(3.0f32), Value::new(0i32)])?.item::<f32>()?, 0.0);
    for n in [1, 4] {
        let arguments = [Value::new(3.0f32), Value::new(n)];
        let expected = gradient(powers, arguments.clone())?.item::<f32>()?;
        assert_eq!(of_powers.call(arguments)?.item::<f32>()?, expected, "{n} iterations");
    }
    Ok(())
}

#[test]
fn variables_are_read_and_changed_in_bodies() -> Result<()> {
    let (weight, count) = (Variable::new("weight", 2.0f32)?, Variable::untrained("count", 0i32)?);
    let step = function(|[x, n]: [Value; 2]| {
        let tape = Tape::new();
        let body = |[n, y]: [Value; 2]| {
            count.assign_add(1)?;
            cond(n.floor_mod(2)?.equal(0)?, || Ok([&n - 1, &y * &weight]), || Ok([&n - 1, &y * 1.0]))
        };
        let [_, y] = while_loop([n, x], |[n, _]: [Value; 2]| n.greater(0), body)?;
        let gradient = tape.gradient(&y, [&weight])?.remove(0);
        cond(y.greater(20.0)?, || weight.assign(1.0f32), || Ok(()))?;
        Ok([y, gradient.ok_or_else(|| Error::internal("there is a gradient"))?])
    });
    // Four iterations, two of them with the weight: 3 w², whose derivative is 6 w.
    let got = step.call([Value::new(3.0f32), Value::new(4i32)])?.map(|value| value.item::<f32>().unwrap());
    assert_eq!((got, count.tensor()?.to_scalar::<i32>()?), ([12.0, 12.0], 4));
    let got = step.call([Value::new(10.0f32), Value::new(3i32)])?.map(|value| value.item::<f32>().unwrap());
    assert_eq!((got, weight.tensor()?.to_scalar::<f32>()?), ([20.0, 10.0], 2.0));
    step.call([Value::new(11.0f32), Value::new(2i32)])?;
    assert_eq!((weight.tensor()?.to_scalar::<f32>()?, count.tensor()?.to_scalar::<i32>()?), (1.0, 9));
    Ok(())
}

#[test]
fn shapes_may_change_in_a_loop() -> Result<()> {
    let grow = function(|x: Value| {
        let body = |[n, x]: [Value; 2]| Ok([&n - 1, Value::concat([&x, &x], 0)?]);
        let [_, x] = while_loop([Value::new(3i32), x], |[n, _]: [Value; 2]| n.greater(0), body)?;
        Ok(x)
    });
    assert_eq!(grow.call([1.0f32, 2.0])?.to_vec::<f32>()?, [1.0f32, 2.0].repeat(8));
    Ok(())
}

#[test]
fn mistakes_in_bodies_are_told() -> Result<()> {
    let told = |f: &dyn Fn(Value) -> Result<Value>| function(f).call(1.0f32).unwrap_err().to_string();
    let error = told(&|x| cond(x.greater(0.0)?, || Ok(x.clone()), || x.cast(DType::Int32)));
    assert!(error.contains("value 0 of `cond` is of float from one function and of int32 from the other"), "{error}");
    let error = told(&|x| cond(&x, || Ok(x.clone()), || Ok(x.clone())));
    assert!(error.contains("the condition of `cond` is float [], not a scalar bool"), "{error}");
    let error = told(&|x| while_loop(&x, |x: Value| x.less(3.0), |x| x.cast(DType::Int32)));
    assert!(error.contains("value 0 of `while_loop` is of float, and of int32 behind the body"), "{error}");
    let error = while_loop(1.0f32, |x: Value| x.less(3.0), |x| x.cast(DType::Int32)).unwrap_err().to_string();
    assert!(error.contains("behind the body"), "{error}");
    let error = told(&|x| {
        let mut leaked = x.clone();
        let mut leak = |y: Value| {
            leaked = y.clone();
            Ok(y)
        };
        cond(x.greater(0.0)?, || leak((&x * 2.0).ok()?), || Ok(x.clone()))?;
        leaked.exp()
    });
    assert!(error.contains("is used in another"), "{error}");
    let error = told(&|x| {
        let outer = Tape::new();
        outer.watch(&x);
        let first = gradient(branch, [x.clone(), x.ones_like()?]);
        outer.gradient(&first?, [&x])?.remove(0).ok_or_else(|| Error::internal("there is a gradient"))
    });
    assert!(error.contains("a gradient of a gradient through `cond` or `while_loop`"), "{error}");
    Ok(())
}

/// The layer's output and gradients of one step, traced.
fn traced(layer: &impl Layer, x: &Value) -> Result<Vec<Value>> {
    let step = function(|x: Value| {
        let tape = Tape::new();
        tape.watch(&x);
        let y = layer.forward(&x, Mode::Train)?;
        let weights = y.mul_index()?;
        let loss = (&y * weights).sum(..)?;
        let mut watched = vec![x.clone()];
        watched.extend(layer.trainable_variables().iter().map(|variable| variable.handle().clone()));
        let gradients = tape.gradient(&loss, &watched)?.into_iter().flatten();
        Ok(std::iter::once(y).chain(gradients).collect::<Vec<Value>>())
    });
    step.call(x)
}

/// Weights that differ from element to element.
trait MulIndex {
    fn mul_index(&self) -> Result<Value>;
}

impl MulIndex for Value {
    fn mul_index(&self) -> Result<Value> {
        let count = self.shape()?.num_elements() as i32;
        (Value::range(0i32, count, 1)?.cast(DType::Float)?.reshape(&self.shape()?)? * 0.1 - 0.3).ok()
    }
}

#[test]
fn recurrent_layers_give_as_loops_what_they_give_unrolled() -> Result<()> {
    let x = Initializer::Normal { deviation: 1.0 }.value([2, 5, 3], 9)?;
    let check = |name: &str, layers: [Box<dyn Layer>; 2]| -> Result<()> {
        for (from, to) in layers[0].trainable_variables().iter().zip(layers[1].trainable_variables()) {
            to.assign(from.tensor()?)?;
        }
        let [unrolled, looped] = [traced(&layers[0], &x)?, traced(&layers[1], &x)?];
        assert_eq!((unrolled.len(), looped.len()), (layers[0].variables().len() + 2, unrolled.len()), "{name}");
        for (at, (a, b)) in unrolled.iter().zip(&looped).enumerate() {
            assert_eq!(a.shape()?, b.shape()?, "{name}, value {at}");
            let (a, b) = (a.to_vec::<f32>()?, b.to_vec::<f32>()?);
            assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-5), "{name}, value {at}: {a:?} {b:?}");
        }
        Ok(())
    };
    let lstm = |unrolls| Ok::<_, Error>(Lstm::new(3, 4)?.unroll(unrolls));
    check("lstm", [Box::new(lstm(true)?), Box::new(lstm(false)?)])?;
    let all = |unrolls| Ok::<_, Error>(lstm(unrolls)?.return_sequences());
    check("all states", [Box::new(all(true)?), Box::new(all(false)?)])?;
    let gru = |unrolls| Ok::<_, Error>(Gru::new(3, 4)?.return_sequences().unroll(unrolls));
    let both = |unrolls| Ok::<_, Error>(oplink::nn::layers::Bidirectional::new(gru(unrolls)?, gru(unrolls)?));
    check("bidirectional", [Box::new(both(true)?), Box::new(both(false)?)])
}
