//! What follows the 32-bit sums of fused quantized products, in single precision: the numbers that sums stand for, a
//! bias, a summand, the larger of each and 0, and the nearest integers of the output.

use oplink::element::{QInt8, QInt32, QUInt8};
use oplink::memory::try_collect;
use oplink::parallel::for_each_row;
use oplink::prelude::*;

use super::zero::Quantized;

/// Sums that one thread should at least have.
const GRAIN: usize = 1 << 14;

/// The largest `f32` that is an `i32`.
const MOST: f32 = 2_147_483_520.0;

/// Numbers, one for each element.
pub(super) enum Summand<'a> {
    Numbers(&'a [f32]),
    Unsigned(&'a [QUInt8], f32),
    Signed(&'a [QInt8], f32),
}

impl<'a> Summand<'a> {
    /// Of numbers, or of bytes that are steps of 0 and `magnitude`.
    pub(super) fn new(tensor: &'a Tensor, magnitude: f32) -> Result<Self> {
        match tensor.dtype() {
            DType::Float => Ok(Self::Numbers(tensor.as_slice()?)),
            DType::QUInt8 => Ok(Self::Unsigned(tensor.as_slice()?, magnitude / 255.0)),
            DType::QInt8 => Ok(Self::Signed(tensor.as_slice()?, magnitude / 127.0)),
            other => bail!("summand must be float, quint8 or qint8, its dtype is {other}"),
        }
    }

    fn number(&self, at: usize) -> f32 {
        match self {
            Self::Numbers(values) => values[at],
            Self::Unsigned(values, step) => f32::from(values[at].0) * step,
            Self::Signed(values, step) => f32::from(values[at].0) * step,
        }
    }
}

/// How rows of sums become numbers.
pub(super) struct Rescale<'a> {
    /// What 1 stands for in the sums of each column; or in all.
    pub(super) steps: &'a [f32],
    /// Added to each column.
    pub(super) bias: Option<&'a [f32]>,
    /// Added to each element.
    pub(super) summand: Option<Summand<'a>>,
    /// Whether what is below 0 becomes 0.
    pub(super) is_relu: bool,
    /// What 1 stands for in the output.
    pub(super) unit: f32,
}

impl Rescale<'_> {
    /// Makes numbers of rows of `columns` sums, and of these what `convert` does.
    pub(super) fn apply<O: Send>(
        &self,
        env: Env<'_>,
        (sums, columns): (&[QInt32], usize),
        convert: impl Fn(f32) -> O + Sync,
        out: &mut [O],
    ) {
        if columns == 0 {
            return;
        }
        let units = 1.0 / self.unit;
        for_each_row(&env, out, columns, GRAIN, &|row, out| {
            for (column, out) in out.iter_mut().enumerate() {
                let at = row * columns + column;
                let step = if let [step] = self.steps { *step } else { self.steps[column] };
                let mut number = sums[at].0 as f32 * step;
                if let Some(bias) = self.bias {
                    number += bias[column];
                }
                if let Some(summand) = &self.summand {
                    number += summand.number(at);
                }
                if self.is_relu && number < 0.0 {
                    number = 0.0;
                }
                *out = convert(number * units);
            }
        });
    }
}

/// The lowest and the highest integer.
pub(super) fn ends<T: Quantized>() -> (f64, f64) {
    (T::LOWEST, T::HIGHEST)
}

/// The nearest integer from `low` to `high`, halves to even; `high` for NaN.
pub(super) fn nearest<O: Quantized>((low, high): (f64, f64)) -> impl Fn(f32) -> O + Sync {
    let (low, high) = (low as f32, (high as f32).min(MOST));
    move |number| {
        let number = if number < high { number } else { high };
        O::of(number.max(low).round_ties_even())
    }
}

/// The bias as numbers: as it is, or, of 32-bit integers, each by the factor of its column, or of all.
pub(super) fn bias_numbers(bias: &Tensor, columns: usize, factors: &[f32]) -> Result<Vec<f32>> {
    ensure!(
        bias.shape().num_elements() == columns,
        "bias must have an entry for each of {columns} columns, its shape is {}",
        bias.shape()
    );
    if bias.dtype() == DType::Float {
        return try_collect(bias.as_slice::<f32>()?.iter().copied());
    }
    let factor = |column: usize| if let [factor] = factors { *factor } else { factors[column] };
    let values = bias.as_slice::<QInt32>()?.iter().enumerate();
    try_collect(values.map(|(column, value)| value.0 as f32 * factor(column)))
}

/// The larger magnitude of the two ends of a range, which are scalars.
pub(super) fn magnitude((min, max): (f32, f32)) -> f32 {
    min.abs().max(max.abs())
}

/// What 1 stands for where the steps of a byte fill a range: 255 of unsigned ones, 254 of signed ones.
pub(super) fn level((min, max): (f32, f32), is_signed: bool) -> f32 {
    (max - min) / if is_signed { 254.0 } else { 255.0 }
}

/// The range of 32-bit sums in which 1 stands for `level`.
pub(super) fn sum_range(level: f32) -> (f32, f32) {
    (level * QInt32::LOWEST as f32, level * QInt32::HIGHEST as f32)
}
