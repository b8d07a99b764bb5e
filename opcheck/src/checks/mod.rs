//! What is checked, each in a file of its own.

mod aliasing;
mod determinism;
mod devices;
mod dtypes;
mod extents;
mod gradient;
mod non_finite;
mod shape;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use oplink_api::{Error, Result};
use oplink_core::{Device, OpEntry};

use crate::OpCall;
use crate::report::{Finding, Outcome};
use crate::runner::Runner;
use crate::samples::Samples;

/// What is checked of an op.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Check {
    /// The shape function takes what the kernel takes, with all, some and none of the extents known, and tells no other
    /// shape than the kernel gives.
    Shape,
    /// Kernels of other floating dtypes give the same numbers, as far as these have digits.
    Dtypes,
    /// Inputs that somebody else holds stay as they are; memory that a kernel may reuse, and one tensor given twice,
    /// change nothing.
    Aliasing,
    /// The same call gives the same bits again.
    Determinism,
    /// One thread gives the same bits as several, also for large inputs.
    Threads,
    /// An extent of 0 is an error that says so, or gives outputs of the inferred shape.
    Empty,
    /// Numbers that are no extent, axis or count there is are errors.
    Extremes,
    /// NaN, infinities and the smallest and largest numbers do not stop the process, and give the same again.
    NonFinite,
    /// The gradient is that of differences.
    Gradient,
    /// So is the gradient of the gradient.
    SecondGradient,
    /// Other devices give the same numbers.
    Devices,
}

impl Check {
    /// All, in the order in which they are run and shown.
    pub const ALL: [Self; 11] = [
        Self::Shape,
        Self::Dtypes,
        Self::Aliasing,
        Self::Determinism,
        Self::Threads,
        Self::Empty,
        Self::Extremes,
        Self::NonFinite,
        Self::Gradient,
        Self::SecondGradient,
        Self::Devices,
    ];

    /// The name, as tables and the command line have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Shape => "shape",
            Self::Dtypes => "dtypes",
            Self::Aliasing => "aliasing",
            Self::Determinism => "determinism",
            Self::Threads => "threads",
            Self::Empty => "empty",
            Self::Extremes => "extremes",
            Self::NonFinite => "non-finite",
            Self::Gradient => "gradient",
            Self::SecondGradient => "second",
            Self::Devices => "devices",
        }
    }

    pub(crate) fn run(self, subject: &Subject<'_>) -> Outcome {
        let mut findings = Findings { check: self, cases: 0, found: Vec::new() };
        let left = match self {
            Self::Shape => shape::check(subject, &mut findings),
            Self::Dtypes => dtypes::check(subject, &mut findings),
            Self::Aliasing => aliasing::check(subject, &mut findings),
            Self::Determinism => determinism::check(subject, &mut findings),
            Self::Threads => determinism::check_threads(subject, &mut findings),
            Self::Empty => extents::check_empty(subject, &mut findings),
            Self::Extremes => extents::check_extremes(subject, &mut findings),
            Self::NonFinite => non_finite::check(subject, &mut findings),
            Self::Gradient => gradient::check(subject, &mut findings),
            Self::SecondGradient => gradient::check_second(subject, &mut findings),
            Self::Devices => devices::check(subject, &mut findings),
        };
        match left {
            Ok(()) if findings.cases > 0 => Outcome::Checked { cases: findings.cases, findings: findings.found },
            Ok(()) => Outcome::Skipped("no sample has anything of it".to_owned()),
            Err(reason) => Outcome::Skipped(reason),
        }
    }
}

impl FromStr for Check {
    type Err = Error;

    /// The check of a [`name`](Self::name).
    fn from_str(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|check| check.name() == name).ok_or_else(|| {
            let known = Self::ALL.map(Self::name).join(", ");
            Error::invalid_argument(format!("no check is called {name:?}; there are {known}"))
        })
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Whether a check ran; else why there is nothing to check.
pub(crate) type Applicable = std::result::Result<(), String>;

/// An op with its samples.
pub(crate) struct Subject<'a> {
    pub(crate) runner: &'a Runner,
    pub(crate) entry: &'a OpEntry,
    pub(crate) samples: &'a Samples,
    pub(crate) devices: &'a [Arc<dyn Device>],
}

impl Subject<'_> {
    /// Samples of all dtypes.
    pub(crate) fn calls(&self) -> impl Iterator<Item = &OpCall> {
        self.samples.calls.iter().chain(&self.samples.retyped)
    }

    /// Whether equal calls need not be equal.
    pub(crate) fn is_deterministic(&self) -> Applicable {
        match self.entry.spec.flags.stateful {
            false => Ok(()),
            true => Err("the op is stateful: equal calls may differ".to_owned()),
        }
    }
}

/// What a check has seen.
pub(crate) struct Findings {
    check: Check,
    cases: usize,
    found: Vec<Finding>,
}

/// Findings that are kept of one check.
const KEPT: usize = 3;

impl Findings {
    /// Counts a case, and what is wrong with it.
    pub(crate) fn add(&mut self, call: &OpCall, wrong: Option<String>) {
        self.cases += 1;
        if let Some(message) = wrong.filter(|_| self.found.len() < KEPT) {
            self.found.push(Finding { check: self.check, message, call: call.clone() });
        }
    }

    /// Counts a case that cannot be looked at because something failed.
    pub(crate) fn expect<T>(&mut self, call: &OpCall, result: Result<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.add(call, Some(error.to_string()));
                None
            }
        }
    }
}
