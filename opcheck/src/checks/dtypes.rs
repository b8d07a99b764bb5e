//! Kernels of other dtypes against that of the samples.

use oplink_api::{DType, Tensor};

use super::{Applicable, Findings, Subject};
use crate::runner::Threads;
use crate::values::{doubles, epsilon, is_float};

/// How many times the epsilon of the lesser dtype numbers may be apart, relative to the largest.
const EPSILONS: f64 = 64.0;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) -> Applicable {
    subject.is_deterministic()?;
    let Some(first) = subject.samples.calls.first() else { return Ok(()) };
    if subject.samples.combinations < 2 {
        return Err("the kernels tell no dtypes apart".to_owned());
    }
    let Some(wanted) = findings.expect(first, subject.runner.run(first, Threads::All)) else { return Ok(()) };
    for call in &subject.samples.retyped {
        // Numbers that become whole or lose digits are other numbers.
        let are_like = |(a, b): (&Tensor, &Tensor)| {
            let are_floats = is_float(a.dtype()) && is_float(b.dtype());
            a.dtype() == b.dtype() || (are_floats && doubles(a) == doubles(b))
        };
        if !call.inputs.iter().zip(&first.inputs).all(are_like) {
            continue;
        }
        let ran = subject.runner.run(call, Threads::All);
        let Some(outputs) = findings.expect(call, ran) else { continue };
        let inputs = first.inputs.iter().chain(&call.inputs).map(Tensor::dtype);
        findings.add(call, apart(&outputs, &wanted, inputs, EPSILONS));
    }
    Ok(())
}

/// How outputs differ by more than so many epsilons of the least exact dtype.
pub(super) fn apart(
    outputs: &[Tensor],
    wanted: &[Tensor],
    inputs: impl Iterator<Item = DType>,
    epsilons: f64,
) -> Option<String> {
    let dtypes = outputs.iter().chain(wanted).map(Tensor::dtype).chain(inputs);
    let unit = dtypes.filter_map(epsilon).fold(f64::EPSILON, f64::max);
    for (at, (have, want)) in outputs.iter().zip(wanted).enumerate() {
        if have.shape() != want.shape() {
            return Some(format!(
                "output {at} has shape {}, that of {} is {}",
                have.shape(),
                want.dtype(),
                want.shape()
            ));
        }
        let (Some(haves), Some(wants)) = (doubles(have), doubles(want)) else { continue };
        let is_usual = |number: f64| number.is_finite() && number.abs() < 1e4;
        let scale =
            wants.iter().copied().filter(|&number| is_usual(number)).fold(1.0, |most: f64, n| most.max(n.abs()));
        let far = haves.iter().zip(&wants).position(|(&have, &want)| {
            is_usual(have) && is_usual(want) && (have - want).abs() > epsilons * unit * scale
        });
        if let Some(element) = far {
            let (is, of) = (haves[element], wants[element]);
            return Some(format!(
                "element {element} of output {at} is {is} in {}, and {of} in {}",
                have.dtype(),
                want.dtype()
            ));
        }
    }
    None
}
