//! The resource behind an accumulator's handle.

use oplink::prelude::*;

use super::slices::{Slices, divide};
use crate::monitor::{Attempt, Monitor};
use crate::sums::add_to;

/// What an accumulator is declared with. Nodes that share one agree in it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Declaration {
    pub(super) dtype: DType,
    pub(super) shape: PartialShape,
    /// Whether the mean is taken, and not the sum.
    pub(super) mean: bool,
    /// Whether gradients are slices.
    pub(super) of_slices: bool,
}

/// A sum of gradients that are current.
pub struct Accumulator {
    name: String,
    declaration: Declaration,
    sum: Monitor<Sum>,
}

/// What came since the last gradients were taken.
#[derive(Default)]
pub(super) struct Sum {
    step: i64,
    count: i32,
    gradients: Option<Gradients>,
}

enum Gradients {
    Whole(Tensor),
    Slices(Slices),
}

impl Accumulator {
    pub(super) fn new(name: &str, declaration: Declaration) -> Self {
        Self { name: name.to_owned(), declaration, sum: Monitor::new(Sum::default()) }
    }

    pub(super) fn declaration(&self) -> &Declaration {
        &self.declaration
    }

    pub(super) fn count(&self) -> i32 {
        self.sum.with(|sum| sum.count)
    }

    pub(super) fn set_step(&self, step: i64) {
        self.sum.with(|sum| sum.step = step);
    }

    /// Adds a gradient of a step, unless a later step has begun.
    pub(super) fn apply(&self, step: i64, gradient: Tensor) -> Result<()> {
        self.check(gradient.dtype(), false)?;
        let shape = &self.declaration.shape;
        self.sum.with(|sum| {
            if step < sum.step {
                return Ok(());
            }
            let given = gradient.shape();
            ensure!(shape.accepts(given), "gradients have the shape {shape}, this one has {given}");
            if let Some(Gradients::Whole(there)) = &sum.gradients {
                ensure!(there.shape() == given, "gradients of shapes {} and {given} cannot be added", there.shape());
            }
            let whole = match std::mem::take(&mut sum.gradients) {
                Some(Gradients::Whole(there)) => add_to(there, &gradient).inspect_err(|_| sum.count = 0)?,
                _ => gradient,
            };
            sum.add(Gradients::Whole(whole));
            Ok(())
        })
    }

    /// Adds the slices of a gradient of a step, unless a later step has begun. `shape` is that of the whole gradient,
    /// where it is told.
    pub(super) fn apply_slices(&self, step: i64, slices: Slices, shape: Option<&[i64]>) -> Result<()> {
        self.check(slices.values().dtype(), true)?;
        let declared = &self.declaration.shape;
        self.sum.with(|sum| {
            if step < sum.step {
                return Ok(());
            }
            slices.check(declared, shape)?;
            let slices = match &sum.gradients {
                Some(Gradients::Slices(there)) => there.merged(&slices)?,
                _ => {
                    slices.check_rows(declared)?;
                    slices
                }
            };
            sum.add(Gradients::Slices(slices));
            Ok(())
        })
    }

    /// What takes gradients when there are so many.
    pub(super) fn take(&self, required: i32, of_slices: bool, dtype: DType) -> Result<(Monitor<Sum>, Attempt<Sum>)> {
        ensure!(required > 0, "num_required must be positive, it is {required}");
        self.check(dtype, of_slices)?;
        let Declaration { mean, shape, .. } = self.declaration.clone();
        let rows = shape.dims().and_then(|dims| dims.first().copied().flatten()).map_or(-1, |rows| rows as i64);
        let attempt = move |sum: &mut Sum| {
            if sum.count < required {
                return None;
            }
            let count = std::mem::take(&mut sum.count);
            sum.step = sum.step.wrapping_add(1);
            Some(match sum.gradients.take() {
                Some(Gradients::Whole(whole)) if mean => {
                    let width = whole.num_elements();
                    divide(whole, width, &[count]).map(|whole| vec![whole])
                }
                Some(Gradients::Whole(whole)) => Ok(vec![whole]),
                Some(Gradients::Slices(slices)) => slices.into_outputs(mean, rows),
                None => Err(Error::internal("gradients were counted, and none is there")),
            })
        };
        Ok((self.sum.clone(), Box::new(attempt)))
    }

    fn check(&self, dtype: DType, of_slices: bool) -> Result<()> {
        let (name, declared) = (&self.name, &self.declaration);
        let kind = |of_slices| if of_slices { "slices" } else { "whole gradients" };
        let (held, asked) = (kind(declared.of_slices), kind(of_slices));
        ensure!(held == asked, "accumulator `{name}` is one of {held}, the op works on {asked}");
        ensure!(dtype == declared.dtype, "accumulator `{name}` holds {}, the op works on {dtype}", declared.dtype);
        Ok(())
    }
}

impl Sum {
    fn add(&mut self, gradients: Gradients) {
        self.gradients = Some(gradients);
        self.count = self.count.saturating_add(1);
    }
}

impl Resource for Accumulator {
    fn type_name(&self) -> &'static str {
        "accumulator"
    }
}
