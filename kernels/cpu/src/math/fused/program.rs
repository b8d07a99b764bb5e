//! Programs of fused chains: parsed, checked, and given as few buffers as the lifetimes of their results allow.

use oplink::prelude::*;

use super::functions::{FUSED_ELEMENTWISE_OPS, FusedLane, Loop, find};

/// Where an operand comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// An input of the op.
    Input(usize),
    /// A buffer that holds the result of an earlier step.
    Slot(usize),
}

/// One op of the chain.
#[derive(Clone, Copy)]
pub(super) struct Step<L> {
    pub(super) function: Loop<L>,
    /// Operands; of a function of one, the first counts.
    pub(super) operands: [Source; 2],
    /// The number that the program gives a scaled function.
    pub(super) number: L,
    /// The buffer of the result; the last step's is the output.
    pub(super) slot: usize,
}

/// A chain.
pub(super) struct Program<L> {
    pub(super) steps: Vec<Step<L>>,
    /// Buffers that hold results.
    pub(super) slots: usize,
}

/// A step as it is written: operands by number, results of steps counted after the inputs.
struct Line<'a> {
    op: &'a str,
    operands: Vec<usize>,
    number: f32,
}

impl<L: FusedLane> Program<L> {
    /// From lines such as `Mul 0 s1`, for an op of `inputs` inputs.
    ///
    /// # Errors
    /// No lines, unknown ops, operands that do not exist or are missing, results that nobody uses.
    pub(super) fn parse(lines: &[Vec<u8>], inputs: usize) -> Result<Self> {
        ensure!(!lines.is_empty(), "program must have one step at least");
        let texts: Vec<_> = lines.iter().map(|line| String::from_utf8_lossy(line)).collect();
        let lines =
            texts.iter().enumerate().map(|(step, text)| Line::parse(text, step, inputs)).collect::<Result<Vec<_>>>()?;
        let mut last_use = vec![None; inputs + lines.len()];
        for (step, line) in lines.iter().enumerate() {
            line.operands.iter().for_each(|&operand| last_use[operand] = Some(step));
        }
        for (step, used) in last_use[inputs..inputs + lines.len() - 1].iter().enumerate() {
            ensure!(used.is_some(), "no later step uses s{step}, the result of `{}`", texts[step]);
        }
        Self::allocate(&lines, &last_use, inputs)
    }

    /// Shares out buffers: that of a result whose last use is over serves the next step, but not the step that uses it.
    fn allocate(lines: &[Line<'_>], last_use: &[Option<usize>], inputs: usize) -> Result<Self> {
        let (mut free, mut slots, mut slot_of) = (Vec::new(), 0, vec![0; lines.len()]);
        let mut steps = Vec::with_capacity(lines.len());
        for (index, line) in lines.iter().enumerate() {
            let slot = free.pop().unwrap_or_else(|| {
                slots += 1;
                slots - 1
            });
            slot_of[index] = slot;
            let source = |operand: usize| match operand.checked_sub(inputs) {
                Some(step) => Source::Slot(slot_of[step]),
                None => Source::Input(operand),
            };
            let operands = [0, 1].map(|i| source(line.operands[i.min(line.operands.len() - 1)]));
            let Some(function) = find(line.op) else { bail!("_FusedElementwise does not compute {}", line.op) };
            steps.push(Step { function, operands, number: L::from_f64(f64::from(line.number)), slot });
            let mut over: Vec<usize> = line.operands.iter().filter(|&&o| last_use[o] == Some(index)).copied().collect();
            over.sort_unstable();
            over.dedup();
            free.extend(over.into_iter().filter_map(|operand| Some(slot_of[operand.checked_sub(inputs)?])));
        }
        Ok(Self { steps, slots })
    }
}

impl<'a> Line<'a> {
    fn parse(text: &'a str, step: usize, inputs: usize) -> Result<Self> {
        let mut words = text.split_ascii_whitespace();
        let op = words.next().unwrap_or_default();
        let Some(&(_, count)) = FUSED_ELEMENTWISE_OPS.iter().find(|known| known.0 == op) else {
            bail!("step {step}, `{text}`: _FusedElementwise does not compute {op}")
        };
        let operands = (0..count).map(|_| operand(words.next().unwrap_or_default(), text, step, inputs));
        let operands = operands.collect::<Result<Vec<_>>>()?;
        let number = match words.next() {
            Some(word) if op == "LeakyRelu" => word.parse().ok(),
            None if op == "LeakyRelu" => Some(0.2),
            None => Some(0.0),
            Some(_) => None,
        };
        let (Some(number), None) = (number, words.next()) else {
            bail!("step {step}, `{text}`: {op} takes {count} operand(s), and LeakyRelu a number after it")
        };
        Ok(Self { op, operands, number })
    }
}

fn operand(word: &str, text: &str, step: usize, inputs: usize) -> Result<usize> {
    let (number, limit, shift) = match word.strip_prefix('s') {
        Some(result) => (result.parse::<usize>(), step, inputs),
        None => (word.parse(), inputs, 0),
    };
    match number {
        Ok(number) if number < limit => Ok(number + shift),
        _ => bail!(
            "step {step}, `{text}`: operand `{word}` is neither the number of an input, 0 to {}, nor `s` and the number of an \
             earlier step",
            inputs.saturating_sub(1)
        ),
    }
}
