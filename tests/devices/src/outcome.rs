//! What became of a case.

use std::fmt;

use oplink::{DType, Error, ErrorKind, Result, Tensor};

use crate::case::{Case, compare};

/// What became of a case.
#[derive(Debug)]
pub enum Outcome {
    /// As TensorFlow.
    Passed,
    /// Otherwise, in this way; the text tells more.
    Failed(Reason, String),
}

/// How a case fails: `no kernel` of the device for these dtypes, `error Code` where there should be values,
/// `other error Code` where there should be an error of another code, `no error` where there should be one, another
/// number of outputs or another dtype or `shape`, other `values`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reason(String);

impl Reason {
    /// Whether it is that the device has no kernel, which needs no explanation.
    pub fn is_no_kernel(&self) -> bool {
        self.0 == NO_KERNEL
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

const NO_KERNEL: &str = "no kernel";

/// What is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    /// Errors, dtypes, shapes and values.
    Everything,
    /// Dtypes and shapes, of a device that computes nothing.
    Shapes,
}

impl Outcome {
    pub(crate) fn of(case: &Case<'_>, actual: Result<Vec<Tensor>>, look: Look) -> Self {
        match (&case.expected, actual) {
            (_, Err(error)) if lacks_kernel(&error) => Self::failed(NO_KERNEL, error.to_string()),
            (Err(code), Err(error)) if format!("{:?}", error.code()) == *code => Self::Passed,
            (Err(_), _) if look == Look::Shapes => Self::Passed,
            (Err(code), Err(error)) => {
                Self::failed(format!("other error {:?}", error.code()), format!("for {code}: {error:?}"))
            }
            (Err(code), Ok(outputs)) => Self::failed("no error", format!("for {code}: {outputs:?}")),
            (Ok(_), Err(error)) => Self::failed(format!("error {:?}", error.code()), format!("{error:?}")),
            (Ok(expected), Ok(outputs)) => Self::of_outputs(case, expected, &outputs, look),
        }
    }

    fn failed(reason: impl Into<String>, what: String) -> Self {
        Self::Failed(Reason(reason.into()), what)
    }

    fn of_outputs(case: &Case<'_>, expected: &[Tensor], outputs: &[Tensor], look: Look) -> Self {
        let forms = |tensors: &[Tensor]| -> Vec<(DType, Vec<usize>)> {
            tensors.iter().map(|tensor| (tensor.dtype(), tensor.shape().dims().to_vec())).collect()
        };
        if forms(outputs) != forms(expected) {
            return Self::failed("shape", format!("{:?} for {:?}", forms(outputs), forms(expected)));
        }
        let compare = |(actual, expected)| compare(actual, expected, case.tolerance);
        match look {
            Look::Shapes => Self::Passed,
            Look::Everything => match outputs.iter().zip(expected).try_for_each(compare) {
                Ok(()) => Self::Passed,
                Err(why) => Self::failed("values", why),
            },
        }
    }
}

/// Whether the device has no kernel for a call.
fn lacks_kernel(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::NoMatchingKernel | ErrorKind::NotLinked | ErrorKind::Excluded)
}
