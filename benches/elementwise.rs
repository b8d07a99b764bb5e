//! Elementwise kernels of f32, called with nothing but their checks around them: `op form elements nanoseconds` a line.
//!
//! Forms: `new` with inputs that others hold, so that the output has memory of its own; `in_place` with a first input
//! that nobody else holds; `scalar` with a second input of one element.

use std::hint::black_box;
use std::time::Instant;

use oplink::graph::eager::EagerContext;
use oplink::runtime::{ArgDTypes, PreparedKernel, Registry, node_for_call};
use oplink::{DType, KernelEnv, Result, Tensor};

const UNARY: &[&str] = &[
    "Abs", "Neg", "Square", "Sqrt", "Rsqrt", "Floor", "Sign", "Exp", "Log", "Log1p", "Tanh", "Sigmoid", "Erf", "Sin",
    "Relu", "Relu6", "Elu", "Softplus", "Softsign",
];
const BINARY: &[&str] =
    &["AddV2", "Sub", "Mul", "RealDiv", "Maximum", "SquaredDifference", "Pow", "Less", "ReluGrad", "TanhGrad"];
const COUNTS: &[usize] = &[1_000, 100_000, 1_000_000];
const ROUNDS: usize = 9;

/// A kernel with what it needs to be called again and again.
struct Case {
    prepared: PreparedKernel,
    env: &'static dyn KernelEnv,
    slots: Vec<Tensor>,
    /// Inputs that stay shared.
    held: Vec<Tensor>,
}

impl Case {
    fn new(op: &str, inputs: Vec<Tensor>, is_shared: bool) -> Result<Self> {
        let registry = Registry::global()?;
        let device = EagerContext::global()?.device();
        let dtypes = vec![ArgDTypes::One(DType::Float); inputs.len()];
        let node = node_for_call(registry.op(op)?, "bench", device.name(), &dtypes, [])?;
        let prepared = PreparedKernel::new(registry, node.into(), "CPU")?;
        let held = if is_shared { inputs.clone() } else { inputs[1..].to_vec() };
        Ok(Self { prepared, env: device.env(), slots: inputs, held })
    }

    fn call(&mut self) -> Result<()> {
        let mut outputs = [None];
        self.prepared.run(&mut self.slots, &mut outputs, self.env)?;
        if let [Some(output)] = outputs
            && self.held.len() < self.slots.len()
        {
            self.slots[0] = output;
        }
        Ok(())
    }

    /// The best round's time of a call.
    fn nanoseconds(&mut self, calls: usize) -> Result<f64> {
        let mut best = f64::INFINITY;
        for _ in 0..ROUNDS {
            let start = Instant::now();
            for _ in 0..calls {
                self.call()?;
            }
            black_box(&self.slots);
            best = best.min(start.elapsed().as_nanos() as f64 / calls as f64);
        }
        Ok(best)
    }
}

/// Positive values below 1, which every op is defined for.
fn values(count: usize) -> Tensor {
    let values: Vec<f32> = (0..count).map(|at| 0.1 + 0.8 * (at % 997) as f32 / 997.0).collect();
    Tensor::from_slice(&values)
}

fn main() -> Result<()> {
    // `Neg AddV2 1000` runs these ops with that many elements.
    let arguments = std::env::args().skip(1).filter(|word| !word.starts_with('-'));
    let (counts, names): (Vec<String>, Vec<String>) = arguments.partition(|word| word.parse::<usize>().is_ok());
    let is_wanted = |words: &[String], word: &str| words.is_empty() || words.iter().any(|other| other == word);
    let ops = UNARY.iter().map(|&op| (op, 1)).chain(BINARY.iter().map(|&op| (op, 2)));
    for (op, arity) in ops.filter(|(op, _)| is_wanted(&names, op)) {
        for &count in COUNTS.iter().filter(|count| is_wanted(&counts, &count.to_string())) {
            let calls = (2_000_000 / count).max(2);
            let inputs = || (0..arity).map(|_| values(count)).collect::<Vec<_>>();
            let mut forms = vec![("new", inputs(), true)];
            if op != "Less" {
                forms.push(("in_place", inputs(), false));
            }
            if arity == 2 && !op.ends_with("Grad") {
                forms.push(("scalar", vec![values(count), Tensor::scalar(0.5f32)], true));
            }
            for (form, inputs, is_shared) in forms {
                let nanoseconds = Case::new(op, inputs, is_shared)?.nanoseconds(calls)?;
                println!("{op} {form} {count} {nanoseconds:.1}");
            }
        }
    }
    Ok(())
}
