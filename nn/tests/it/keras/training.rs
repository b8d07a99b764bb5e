//! Losses, metrics, optimisers, initialisers and schedules.

use oplink::nn::optimizers::*;
use oplink::nn::schedules::*;
use oplink::nn::{Initializer, Optimizer, Tape, Value, Variable, function, losses, metrics};
use oplink::prelude::*;

use super::table::{Case, cases};

/// Runs every case of a kind and reports all that differ.
fn check_all(kind: &str, check: impl Fn(&Case) -> Result<f32>) {
    let cases = cases(kind).unwrap();
    assert!(!cases.is_empty());
    let (mut failures, mut worst) = (Vec::new(), 0.0f32);
    for case in &cases {
        match check(case) {
            Ok(found) => worst = worst.max(found),
            Err(error) => failures.push(format!("{}: {error}", case.name)),
        }
    }
    println!("{} of kind {kind}, worst difference {worst:e}", cases.len());
    assert!(failures.is_empty(), "{} of {} differ:\n{}", failures.len(), cases.len(), failures.join("\n"));
}

fn loss(name: &str, truth: &Value, x: &Value) -> Result<Value> {
    match name {
        "mean_squared_error" => losses::mean_squared_error(truth, x),
        "mean_absolute_error" => losses::mean_absolute_error(truth, x),
        "mean_absolute_percentage_error" => losses::mean_absolute_percentage_error(truth, x),
        "mean_squared_logarithmic_error" => losses::mean_squared_logarithmic_error(truth, x),
        "huber" => losses::huber(truth, x, 0.7),
        "log_cosh" => losses::log_cosh(truth, x),
        "hinge" => losses::hinge(truth, x),
        "squared_hinge" => losses::squared_hinge(truth, x),
        "poisson" => losses::poisson(truth, x),
        "kl_divergence" => losses::kl_divergence(truth, x),
        "cosine_similarity" => losses::cosine_similarity(truth, x),
        "binary_crossentropy" => losses::binary_crossentropy(truth, x),
        "categorical_crossentropy" => losses::categorical_crossentropy(truth, x),
        "sparse_categorical_crossentropy" => losses::sparse_categorical_crossentropy(truth, x),
        _ => bail!("the loss is not known"),
    }
}

#[test]
fn losses_and_their_gradients_are_those_of_keras() {
    check_all("loss", |case| {
        let (truth, x) = (case.get("truth")?, case.get("x")?);
        let tape = Tape::new();
        tape.watch(&x);
        let y = loss(&case.name, &truth, &x)?;
        let gradient = tape.gradient(&y, [&x])?.remove(0).unwrap_or(x.zeros_like()?);
        let worst = case.check("the loss", &y, case.all("y")[0])?;
        Ok(worst.max(case.check("the gradient", &gradient, case.all("dx")[0])?))
    });
}

#[test]
fn metrics_are_those_of_keras() {
    check_all("metric", |case| {
        let (truth, x) = (case.get("truth")?, case.get("x")?);
        let y = match case.name.as_str() {
            "sparse_categorical_accuracy" => metrics::sparse_categorical_accuracy(&truth, &x)?,
            "categorical_accuracy" => metrics::categorical_accuracy(&truth, &x)?,
            "binary_accuracy" => metrics::binary_accuracy(&truth, &x, 0.5)?,
            "top_k_accuracy" => metrics::top_k_accuracy(&truth, &x, 2)?,
            _ => bail!("the metric is not known"),
        };
        case.check("the metric", &y, case.all("y")[0])
    });
}

fn optimizer(name: &str, variables: Vec<Variable>) -> Result<Optimizer> {
    match name {
        "sgd" => Optimizer::new(Sgd::new(0.1), variables),
        "sgd_momentum" => Optimizer::new(Sgd::new(0.1).momentum(0.9), variables),
        "sgd_nesterov" => Optimizer::new(Sgd::new(0.1).momentum(0.9).nesterov(), variables),
        "sgd_decay" => Optimizer::new(Sgd::new(0.1).weight_decay(0.01), variables),
        "adam" => Optimizer::new(Adam::new(0.01), variables),
        "adam_numbers" => Optimizer::new(Adam::new(0.01).beta_1(0.8).beta_2(0.95).epsilon(1e-3), variables),
        "adamw" => Optimizer::new(AdamW::new(0.01).weight_decay(0.1), variables),
        "adamax" => Optimizer::new(Adamax::new(0.01), variables),
        "rmsprop" => Optimizer::new(RmsProp::new(0.01), variables),
        "rmsprop_momentum" => Optimizer::new(RmsProp::new(0.01).momentum(0.9), variables),
        "rmsprop_centered" => Optimizer::new(RmsProp::new(0.01).momentum(0.5).centered(true).epsilon(1e-3), variables),
        "adagrad" => Optimizer::new(Adagrad::new(0.1), variables),
        "adadelta" => Optimizer::new(Adadelta::new(1.0), variables),
        "ftrl" => Optimizer::new(Ftrl::new(0.1).l1(0.01).l2(0.02), variables),
        "lion" => Optimizer::new(Lion::new(0.01), variables),
        _ => bail!("the optimiser is not known"),
    }
}

#[test]
fn optimisers_take_the_steps_of_keras_at_once_and_traced() {
    for traced in [false, true] {
        check_all("optimizer", |case| {
            let variable = Variable::new("v", case.get("x")?)?;
            let optimizer = optimizer(&case.name, vec![variable.clone()])?;
            let apply = function(|g: Value| optimizer.apply(&[Some(g)]));
            let mut worst = 0.0f32;
            for (g, y) in case.all("g").into_iter().zip(case.all("y")) {
                if traced {
                    apply.call(g)?;
                } else {
                    optimizer.apply(&[Some(g.into())])?;
                }
                worst = worst.max(case.check("the variable", &variable.read()?, y)?);
            }
            ensure!(optimizer.iterations()? == 4, "{} steps were counted", optimizer.iterations()?);
            Ok(worst)
        });
    }
}

/// An optimiser of scaled losses or of gathered gradients.
fn scaled(name: &str, variables: Vec<Variable>) -> Result<Optimizer> {
    let dynamic = |initial, growth_steps| LossScale::Dynamic { initial, growth_steps };
    match name {
        "dynamic" => Optimizer::new(Adam::new(0.01), variables)?.loss_scale(dynamic(8.0, 2)),
        "fixed" => Optimizer::new(Sgd::new(0.1), variables)?.loss_scale(LossScale::Fixed(16.0)),
        "accumulated" => Optimizer::new(Sgd::new(0.1).momentum(0.9), variables)?.gradient_accumulation(3),
        "accumulated_clipped" => {
            Ok(Optimizer::new(Adam::new(0.01), variables)?.gradient_accumulation(2)?.global_clipnorm(1.0))
        }
        "dynamic_accumulated" => {
            Optimizer::new(AdamW::new(0.01), variables)?.gradient_accumulation(2)?.loss_scale(dynamic(4.0, 3))
        }
        _ => bail!("the optimiser is not known"),
    }
}

#[test]
fn scaled_losses_and_gathered_gradients_are_those_of_keras_at_once_and_traced() {
    for traced in [false, true] {
        check_all("scaled", |case| {
            let variable = Variable::new("v", case.get("x")?)?;
            let optimizer = scaled(&case.name, vec![variable.clone()])?;
            let apply = function(|g: Value| optimizer.apply(&[Some(g)]));
            let mut worst = 0.0f32;
            for ((g, y), s) in case.all("g").into_iter().zip(case.all("y")).zip(case.all("s")) {
                if traced {
                    apply.call(g)?;
                } else {
                    optimizer.apply(&[Some(g.into())])?;
                }
                worst = worst.max(case.check("the variable", &variable.read()?, y)?);
                worst = worst.max(case.check("the scale", &optimizer.scale_loss(&Value::new(1.0f32))?, s)?);
            }
            let expected = case.get("iterations")?.item::<i32>()? as u64;
            ensure!(optimizer.iterations()? == expected, "{} updates, not {expected}", optimizer.iterations()?);
            Ok(worst)
        });
    }
}

#[test]
fn initialisers_draw_the_numbers_of_keras() {
    check_all("initializer", |case| {
        let initializer = match case.name.as_str() {
            "glorot_uniform" => Initializer::GlorotUniform,
            "glorot_normal" => Initializer::GlorotNormal,
            "he_uniform" => Initializer::HeUniform,
            "he_normal" => Initializer::HeNormal,
            "lecun_uniform" => Initializer::LecunUniform,
            "lecun_normal" => Initializer::LecunNormal,
            "uniform" => Initializer::Uniform { low: -0.05, high: 0.05 },
            "normal" => Initializer::Normal { deviation: 0.05 },
            "truncated_normal" => Initializer::TruncatedNormal { deviation: 0.5 },
            _ => bail!("the initialiser is not known"),
        };
        let (seed, expected) = (case.get("seed")?.item::<i32>()? as u32, case.all("y")[0]);
        case.check("the value", &initializer.value(expected.shape(), seed)?, expected)
    });
}

#[test]
fn schedules_are_those_of_keras() {
    check_all("schedule", |case| {
        let schedule: Box<dyn Schedule> = match case.name.as_str() {
            "exponential" => Box::new(ExponentialDecay { initial: 0.1, steps: 10, rate: 0.5, staircase: false }),
            "exponential_staircase" => {
                Box::new(ExponentialDecay { initial: 0.1, steps: 10, rate: 0.5, staircase: true })
            }
            "cosine" => Box::new(CosineDecay { alpha: 0.1, ..CosineDecay::new(0.1, 30) }),
            "cosine_warmup" => Box::new(CosineDecay::new(0.1, 30).warmup(10)),
            "polynomial" => Box::new(PolynomialDecay { initial: 0.1, steps: 30, end: 0.01, power: 2.0 }),
            "inverse_time" => Box::new(InverseTimeDecay { initial: 0.1, steps: 10, rate: 0.5 }),
            "piecewise" => Box::new(PiecewiseConstant { boundaries: vec![10, 20], values: vec![0.1, 0.05, 0.01] }),
            _ => bail!("the schedule is not known"),
        };
        let rates: Vec<f32> =
            case.get("x")?.to_vec::<i32>()?.iter().map(|&step| schedule.at(step as u64) as f32).collect();
        case.check("the rates", &Value::new(rates), case.all("y")[0])
    });
}
