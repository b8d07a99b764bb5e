//! The losses that linear models are fitted by: their duals, and the dual variable that is best for an example while
//! those of all others stay. TensorFlow's kernels have the derivations.

use oplink::prelude::*;
use oplink_ops::training::SdcaLoss;

/// Steps of Newton's method.
const STEPS: usize = 10;

/// An example as its dual variable sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coordinate {
    /// The label, as [`label`] has it.
    pub(super) label: f64,
    /// The example's weight.
    pub(super) weight: f64,
    /// The dual variable.
    pub(super) dual: f64,
    /// What the model predicts.
    pub(super) prediction: f64,
    /// The squared norm of the features by `l2`, times the number of partitions.
    pub(super) norm: f64,
}

/// The label that a loss works with.
///
/// # Errors
/// The loss has no such label.
pub(super) fn label(loss: SdcaLoss, label: f32) -> Result<f32> {
    match loss {
        SdcaLoss::Squared => Ok(label),
        SdcaLoss::Poisson => {
            ensure!(label >= 0.0 || label.is_nan(), "a label must be at least 0 for this loss, it is {label}");
            Ok(label)
        }
        SdcaLoss::Logistic | SdcaLoss::Hinge | SdcaLoss::SmoothHinge => match label {
            0.0 => Ok(-1.0),
            1.0 => Ok(1.0),
            _ => bail!("a label must be 0 or 1 for this loss, it is {label}"),
        },
    }
}

/// The best dual variable.
pub(super) fn best_dual(loss: SdcaLoss, at: Coordinate) -> f64 {
    let Coordinate { label, dual, prediction, .. } = at;
    let curvature = at.norm * at.weight;
    match loss {
        SdcaLoss::Squared => dual + (label - dual - prediction) / (1.0 + curvature),
        SdcaLoss::Hinge => bounded(dual + (label - prediction) / curvature, label),
        SdcaLoss::SmoothHinge => bounded(dual + (label - prediction - dual) / (curvature + 1.0), label),
        SdcaLoss::Logistic => {
            let step = |x: f64| {
                let tanh = x.tanh();
                let value = -2.0 * label * x - prediction - curvature * (0.5 * (1.0 + tanh) / label - dual);
                let slope = -2.0 * label - curvature * (1.0 - tanh * tanh) * 0.5 / label;
                x - value / slope
            };
            let x = (0..STEPS).fold(0.0, |x, _| step(x));
            0.5 * (1.0 + x.tanh()) / label
        }
        SdcaLoss::Poisson => {
            let step = |x: f64| {
                let exp = x.exp();
                let value = x - prediction - curvature * (label - dual - exp);
                x - value / (1.0 + curvature * exp)
            };
            let rest = label - dual;
            let start = if rest > 0.0 { rest.ln() } else { 0.0 };
            label - (0..STEPS).fold(start, |x, _| step(x)).exp()
        }
    }
}

/// A dual variable brought between 0 and the label, which is 1 or -1.
fn bounded(dual: f64, label: f64) -> f64 {
    match label * dual {
        below if below < 0.0 => 0.0,
        beyond if beyond > 1.0 => label,
        _ => dual,
    }
}

/// The loss of a prediction.
pub(super) fn primal(loss: SdcaLoss, prediction: f64, label: f64, weight: f64) -> f64 {
    let agreement = label * prediction;
    match loss {
        SdcaLoss::Squared => (prediction - label) * (prediction - label) * weight * 0.5,
        SdcaLoss::Hinge => (if 1.0 - agreement > 0.0 { 1.0 - agreement } else { 0.0 }) * weight,
        SdcaLoss::SmoothHinge if agreement >= 1.0 => 0.0,
        SdcaLoss::SmoothHinge if agreement <= 0.0 => (1.0 - agreement - 0.5) * weight,
        SdcaLoss::SmoothHinge => (1.0 - agreement) * (1.0 - agreement) * weight * 0.5,
        SdcaLoss::Logistic if agreement > 0.0 => (-agreement).exp().ln_1p() * weight,
        SdcaLoss::Logistic => (agreement.exp().ln_1p() - agreement) * weight,
        SdcaLoss::Poisson => (prediction.exp() - prediction * label) * weight,
    }
}

/// The derivative of the loss of a prediction of an example of weight 1.
pub(super) fn derivative(loss: SdcaLoss, prediction: f64, label: f64) -> f64 {
    let agreement = label * prediction;
    match loss {
        SdcaLoss::Squared => prediction - label,
        SdcaLoss::Hinge if agreement < 1.0 => -label,
        SdcaLoss::SmoothHinge if agreement <= 0.0 => -label,
        SdcaLoss::SmoothHinge if agreement < 1.0 => prediction - label,
        SdcaLoss::Hinge | SdcaLoss::SmoothHinge => 0.0,
        SdcaLoss::Logistic => -label / (1.0 + agreement.exp()),
        SdcaLoss::Poisson => prediction.exp() - label,
    }
}

/// By how much the derivative of the loss changes at most.
pub(super) fn smoothness(loss: SdcaLoss) -> f64 {
    match loss {
        SdcaLoss::Hinge => 0.0,
        SdcaLoss::Squared | SdcaLoss::SmoothHinge | SdcaLoss::Poisson => 1.0,
        SdcaLoss::Logistic => 4.0,
    }
}

/// The dual loss.
pub(super) fn dual(loss: SdcaLoss, dual: f64, label: f64, weight: f64) -> f64 {
    let signed = dual * label;
    match loss {
        SdcaLoss::Squared => dual * (0.5 * dual - label) * weight,
        SdcaLoss::Hinge | SdcaLoss::SmoothHinge if !(0.0..=1.0).contains(&signed) && !signed.is_nan() => f64::MAX,
        SdcaLoss::Hinge => -signed * weight,
        SdcaLoss::SmoothHinge => (-signed + 0.5 * dual * dual) * weight,
        SdcaLoss::Logistic => {
            let entropy = |part: f64| part * if part > 0.0 { part.ln() } else { 0.0 };
            (entropy(signed) + entropy(1.0 - signed)) * weight
        }
        SdcaLoss::Poisson => match label - dual {
            0.0 => 0.0,
            rest if rest < 0.0 => f64::MAX,
            rest => rest * (rest.ln() - 1.0) * weight,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOSSES: [SdcaLoss; 5] =
        [SdcaLoss::Logistic, SdcaLoss::Squared, SdcaLoss::Hinge, SdcaLoss::SmoothHinge, SdcaLoss::Poisson];

    #[test]
    fn no_other_dual_variable_is_better() {
        for loss in LOSSES {
            for (given, start) in [(0.0, 0.0), (1.0, 0.25)] {
                let label = f64::from(label(loss, given).unwrap());
                let start = if loss == SdcaLoss::Poisson { -0.5 } else { start * label };
                let at = Coordinate { label, weight: 2.0, dual: start, prediction: 0.75, norm: 0.5 };
                // What ascent raises: minus the dual loss, minus what a change costs in the norm of the weights.
                let objective = |variable: f64| {
                    let change = variable - start;
                    -dual(loss, variable, label, 1.0) - change * 0.75 - 0.5 * change * change * at.norm * at.weight
                };
                let best = best_dual(loss, at);
                for other in [best - 1e-3, best + 1e-3] {
                    assert!(objective(other) <= objective(best) + 1e-12, "{loss:?} {given} {best}");
                }
            }
        }
    }

    #[test]
    fn derivatives_are_those_of_the_losses() {
        for loss in LOSSES {
            for prediction in [-1.5, 0.25, 3.0] {
                let label = f64::from(label(loss, 1.0).unwrap());
                let difference = |step: f64| primal(loss, prediction + step, label, 1.0);
                let numeric = (difference(1e-5) - difference(-1e-5)) / 2e-5;
                assert!((derivative(loss, prediction, label) - numeric).abs() < 1e-4, "{loss:?} {prediction}");
            }
        }
    }

    #[test]
    fn labels_are_checked() {
        for loss in LOSSES {
            assert_eq!(label(loss, 0.5).is_ok(), matches!(loss, SdcaLoss::Squared | SdcaLoss::Poisson));
            assert_eq!(label(loss, -1.0).is_ok(), loss == SdcaLoss::Squared);
        }
    }
}
