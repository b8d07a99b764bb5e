//! Every op of the registry with extreme sizes, values and attrs.
//!
//! A case is an op. Where TensorFlow's answers for it are known (`kernels/cpu/tests/oracle`), it is one of those calls,
//! with the ops before it that make its resources, and something changed to an extreme; else inputs and attrs follow
//! from the op's declaration. `corpus` reads the calls, `generate` makes them, `mutate` changes them, `extremes` are
//! the values, `call` runs one.

mod call;
mod corpus;
mod extremes;
mod generate;
mod mutate;

use std::collections::HashMap;
use std::time::Instant;

use oplink::Cancellation;
use oplink::prelude::*;

use crate::random::Random;
use crate::suite::{Case, Outcome, Suite};
use call::{Call, Steps, run};
pub use call::{run_cancelled, run_until};
use corpus::{Corpus, Site};

/// The part of cases, in percent, that follow from a known call where there is one.
const FROM_CORPUS: usize = 70;

/// The suite of a seed.
pub fn open(seed: u64) -> Box<dyn Suite> {
    let registry = Registry::global();
    let mut ops: Vec<String> = match registry {
        Ok(registry) => registry.ops().map(|op| op.name().to_owned()).filter(|op| has_kernel(registry, op)).collect(),
        Err(error) => panic!("{error}"),
    };
    ops.sort();
    Box::new(Ops { seed, ops, corpus: Corpus::read() })
}

fn has_kernel(registry: &Registry, op: &str) -> bool {
    registry.kernels_of(op).any(|kernel| kernel.device == "CPU")
}

struct Ops {
    seed: u64,
    ops: Vec<String>,
    corpus: Corpus,
}

impl Suite for Ops {
    fn case(&mut self, number: u64) -> Box<dyn Case> {
        let mut random = Random::of_case(self.seed, number);
        let op = random.pick(&self.ops).clone();
        let sites = self.corpus.sites(&op);
        let (before, call) = if !sites.is_empty() && random.percent(FROM_CORPUS) {
            let site = *random.pick(sites);
            (self.corpus.before(site), self.corpus.call(site))
        } else {
            let resources = self.corpus.any_program(&mut random);
            (resources.map_or_else(Vec::new, |site| self.corpus.before(site)), None)
        };
        let chosen = match call {
            Some(mut call) => {
                mutate::mutate(&mut call, &mut random);
                Chosen::Known(call)
            }
            None => Chosen::Made(op),
        };
        Box::new(OpCase { before, chosen, random, made: None })
    }
}

enum Chosen {
    Known(Call),
    Made(String),
}

struct OpCase {
    before: Vec<Call>,
    chosen: Chosen,
    random: Random,
    made: Option<Call>,
}

impl OpCase {
    /// The call that is tried.
    fn call(&self) -> Call {
        match &self.chosen {
            Chosen::Known(call) => call.clone(),
            Chosen::Made(op) => generate::call(op, &mut self.random.clone()),
        }
    }
}

impl Case for OpCase {
    fn describe(&self) -> String {
        let before: Vec<&str> = self.before.iter().map(|call| call.op.as_str()).collect();
        match before.is_empty() {
            true => self.call().to_string(),
            false => format!("{} after {before:?}", self.call()),
        }
    }

    fn run(&mut self, deadline: Instant) -> Outcome {
        let (steps, mut made) = (Steps::new(), HashMap::new());
        for call in &self.before {
            if let Ok(outputs) = run(&steps, call, &made, None) {
                made.extend(call.names.iter().cloned().zip(outputs));
            }
        }
        let call = self.made.insert(self.call());
        match run(&steps, call, &made, Some(&Cancellation::with_deadline(Some(deadline)))) {
            Ok(_) => Outcome::Done,
            Err(error) if error.kind() == ErrorKind::KernelPanicked => Outcome::Panicked(error.message().to_owned()),
            Err(error) => Outcome::Error(format!("{:?}", error.code())),
        }
    }
}

impl std::fmt::Debug for Site {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.program, self.line)
    }
}
