//! Variables, modules, training steps and what is refused.

use oplink::nn::layers::*;
use oplink::nn::optimizers::{Sgd, clip_by_global_norm};
use oplink::nn::{Activation, Initializer, Layer, Mode, Module, Optimizer, Tape, Value, Variable, function, losses};
use oplink::prelude::*;

#[derive(Module)]
struct Network {
    body: Sequential,
    head: Dense,
    extra: Option<Variable>,
    num_classes: usize,
    #[module(skip)]
    _labels: std::collections::BTreeMap<usize, String>,
}

fn network() -> Result<Network> {
    let body = Sequential::new().then(Dense::new(2, 3)?.activation(Activation::Tanh)).then(Dropout::new(0.5)?);
    Ok(Network {
        body,
        head: Dense::new(3, 1)?,
        extra: None,
        num_classes: 1,
        _labels: std::collections::BTreeMap::default(),
    })
}

#[test]
fn variables_are_named_by_where_they_are() -> Result<()> {
    let network = network()?;
    let names: Vec<String> = network.variables().into_iter().map(|(name, _)| name).collect();
    let dense = ["body.layers.0.kernel", "body.layers.0.bias"];
    let others = ["body.layers.1.seed_generator_state", "head.kernel", "head.bias"];
    assert_eq!(names, [&dense[..], &others].concat());
    assert_eq!((network.num_parameters(), network.num_classes), (2 * 3 + 3 + 3 + 1, 1));
    assert!(network.extra.is_none());
    Ok(())
}

#[test]
fn xor_is_learned_by_a_traced_step() -> Result<()> {
    let model = Sequential::new()
        .then(Dense::new(2, 8)?.kernel_initializer(Initializer::Constant(0.0))?.activation(Activation::Tanh))
        .then(Dense::new(8, 1)?);
    model.trainable_variables()[0].assign(Initializer::GlorotUniform.value([2usize, 8], 3)?)?;
    model.trainable_variables()[2].assign(Initializer::GlorotUniform.value([8usize, 1], 4)?)?;
    let optimizer = Optimizer::new(Sgd::new(0.5).momentum(0.9), model.trainable_variables())?;
    let step = function(|[x, y]: [Value; 2]| {
        let tape = Tape::new();
        let loss = losses::binary_crossentropy(&y, &model.forward(&x, Mode::Train)?)?;
        optimizer.apply(&tape.gradient(&loss, optimizer.variables())?)?;
        Ok(loss)
    });
    let x = Value::new([[0.0f32, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]);
    let y = Value::new([[0.0f32], [1.0], [1.0], [0.0]]);
    let first = step.call([&x, &y])?.item::<f32>()?;
    let mut last = first;
    for _ in 0..200 {
        last = step.call([&x, &y])?.item()?;
    }
    assert!(first > 0.5 && last < 0.05, "from {first} to {last}");
    assert_eq!((step.num_traces(), optimizer.iterations()?), (1, 201));
    let answers = model.forward(&x, Mode::Infer)?.greater(0.0)?.to_vec::<bool>()?;
    assert_eq!(answers, [false, true, true, false]);
    Ok(())
}

#[test]
fn a_traced_step_is_the_eager_step() -> Result<()> {
    let losses_of = |traced: bool| -> Result<Vec<f32>> {
        let model = Sequential::new()
            .then(Conv2D::new(1, 2, [3, 3], ConvOptions::same(Activation::Relu))?)
            .then(BatchNormalization::new(2)?)
            .then(Flatten)
            .then(Dense::new(32, 3)?);
        for (seed, variable) in (0..).zip(model.trainable_variables()) {
            variable.assign(Initializer::Normal { deviation: 0.5 }.value(variable.shape(), seed)?)?;
        }
        let optimizer = Optimizer::new(Sgd::new(0.1).momentum(0.9).nesterov(), model.trainable_variables())?;
        let step = |[x, y]: [Value; 2]| {
            let tape = Tape::new();
            let loss = losses::sparse_categorical_crossentropy(&y, &model.forward(&x, Mode::Train)?)?;
            let gradients = clip_by_global_norm(&tape.gradient(&loss, optimizer.variables())?, 1.0)?;
            optimizer.apply(&gradients)?;
            Ok(loss)
        };
        let inputs = || {
            Ok::<_, Error>([Initializer::Normal { deviation: 1.0 }.value([4, 4, 4, 1], 5)?, Value::new([0, 1, 2, 0])])
        };
        let traced_step = function(step);
        (0..5).map(|_| if traced { traced_step.call(inputs()?)?.item() } else { step(inputs()?)?.item() }).collect()
    };
    let (eager, traced) = (losses_of(false)?, losses_of(true)?);
    assert!(eager[4] < eager[0]);
    assert!(eager.iter().zip(&traced).all(|(e, t)| (e - t).abs() < 1e-5), "{eager:?} {traced:?}");
    Ok(())
}

#[test]
fn variables_keep_the_order_of_reads_and_changes_in_a_trace() -> Result<()> {
    let counter = Variable::untrained("counter", 1.0f32)?;
    let f = function(|x: Value| {
        let before = counter.read()?;
        counter.assign_add(&x)?;
        let between = counter.read()?;
        counter.assign(&between * 2.0)?;
        Ok([before, between, counter.read()?])
    });
    for expected in [[1.0, 3.0, 6.0], [6.0, 8.0, 16.0]] {
        let values = f.call(2.0f32)?;
        assert_eq!(values.map(|value| value.item::<f32>().unwrap()), expected);
    }
    assert_eq!(counter.tensor()?.to_scalar::<f32>()?, 16.0);
    assert_eq!((&counter * 2.0 - &counter).item::<f32>()?, 16.0);
    Ok(())
}

#[test]
fn dropout_drops_its_share_anew_at_each_call() -> Result<()> {
    let (dropout, ones) = (Dropout::new(0.25)?, Value::full([4000usize], 1.0f32)?);
    let f = function(|x: Value| dropout.forward(&x, Mode::Train));
    let (first, second) = (f.call(&ones)?, f.call(&ones)?);
    for drawn in [&first, &second] {
        let kept = drawn.to_vec::<f32>()?.iter().filter(|&&x| (x - 4.0 / 3.0).abs() < 1e-6).count();
        assert!((2850..3150).contains(&kept), "{kept} of 4000");
    }
    assert_ne!(first.to_vec::<f32>()?, second.to_vec::<f32>()?);
    assert_eq!(dropout.forward(&ones, Mode::Infer)?.to_vec::<f32>()?, ones.to_vec::<f32>()?);
    Ok(())
}

#[test]
fn mistakes_are_told() -> Result<()> {
    let variable = Variable::new("v", [1.0f32, 2.0])?;
    let error = variable.assign([1.0f32; 3]).unwrap_err();
    assert_eq!(error.message(), "the variable `v` of shape [2] cannot take [3]");
    let error = function(|x: Value| Variable::new("late", &x)?.read()).call(1.0f32).unwrap_err();
    assert!(error.message().starts_with("the variable `late` is made while a function is traced"), "{error}");
    let optimizer = Optimizer::new(Sgd::new(0.1), vec![variable.clone()])?;
    assert!(optimizer.apply(&[]).unwrap_err().message().starts_with("0 gradients"));
    assert!(optimizer.apply(&[None]).unwrap_err().message().starts_with("no variable has a gradient"));
    assert!(Optimizer::new(Sgd::new(0.1), vec![Variable::new("i", 1i32)?]).is_err());
    assert!(Dropout::new(1.0).is_err() && GroupNormalization::new(4, 3).is_err());
    Ok(())
}
