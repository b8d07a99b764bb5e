//! Loops one after the other on tiles of their output, so that what lies between them never leaves the cache.

use smallvec::SmallVec;

use super::ElementwiseFn;
use super::block::{Block, FormulaAttrs, Operands};
use super::operand::Operand;
use super::scratch::Scratch;
use super::tiles::{COSTLY_GRAIN, Tiling};
use crate::device::ScalarValue;
use crate::interrupt::poll;
use crate::tensor::values::{Values, ValuesMut};
use crate::{Cancellation, DType, Result, ensure};

/// Where an operand of a step comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepOperand {
    /// An input of the chain.
    Input(usize),
    /// The result of an earlier step.
    Step(usize),
}

/// A formula of a chain.
#[derive(Debug, Clone)]
pub struct ChainStep {
    /// The formula.
    pub function: &'static ElementwiseFn,
    /// Where its operands come from.
    pub operands: SmallVec<[StepOperand; 3]>,
    /// The values of its attrs.
    pub attrs: SmallVec<[ScalarValue; 2]>,
}

/// Formulas whose results are operands of later ones; the last one's result is the chain's.
#[derive(Debug)]
pub struct Chain {
    steps: SmallVec<[ChainStep; 1]>,
    /// The buffer that each step's result is in.
    slot_of: SmallVec<[usize; 1]>,
    /// The element type of each buffer.
    slots: SmallVec<[DType; 1]>,
}

impl Chain {
    /// A single formula of a node's inputs.
    pub(super) fn of_one(function: &'static ElementwiseFn, attrs: FormulaAttrs) -> Self {
        let operands = (0..function.operands.len()).map(StepOperand::Input).collect();
        let steps = SmallVec::from_buf([ChainStep { function, operands, attrs }]);
        Self { steps, slot_of: SmallVec::from_buf([0]), slots: SmallVec::from_buf([function.result]) }
    }

    /// These steps, for inputs of these dtypes: buffers are shared out such that that of a result whose last use is
    /// over serves a later step.
    ///
    /// # Errors
    /// No steps; operands that do not exist, are missing or have another type than the formula is for; results that
    /// nobody uses.
    pub fn new(steps: Vec<ChainStep>, inputs: &[DType]) -> Result<Self> {
        ensure!(!steps.is_empty(), "a chain has one step at least");
        let mut last_use = vec![None; steps.len()];
        for (index, step) in steps.iter().enumerate() {
            let wanted = step.function.operands;
            ensure!(
                step.operands.len() == wanted.len(),
                "step {index}, {}, takes {} operands, not {}",
                step.function.op,
                wanted.len(),
                step.operands.len()
            );
            ensure!(
                step.attrs.len() == step.function.attrs.len(),
                "step {index}, {}, takes {} attrs, not {}",
                step.function.op,
                step.function.attrs.len(),
                step.attrs.len()
            );
            for (operand, &wanted) in step.operands.iter().zip(wanted) {
                let found = match *operand {
                    StepOperand::Input(input) => inputs.get(input).map(|&dtype| super::stored_dtype(dtype)),
                    StepOperand::Step(earlier) if earlier < index => {
                        last_use[earlier] = Some(index);
                        Some(steps[earlier].function.result)
                    }
                    StepOperand::Step(_) => None,
                };
                ensure!(
                    found == Some(wanted),
                    "step {index}, {}, takes {wanted} from {operand:?}, which {}",
                    step.function.op,
                    found.map_or("does not exist".to_owned(), |found| format!("is {found}"))
                );
            }
        }
        let unused = last_use[..steps.len() - 1].iter().position(Option::is_none);
        ensure!(unused.is_none(), "no later step uses the result of step {}", unused.unwrap_or_default());
        Ok(Self::allocate(steps, &last_use))
    }

    fn allocate(steps: Vec<ChainStep>, last_use: &[Option<usize>]) -> Self {
        let (mut free, mut slots) = (Vec::<usize>::new(), SmallVec::<[DType; 1]>::new());
        let mut slot_of = SmallVec::<[usize; 1]>::new();
        for (index, step) in steps.iter().enumerate() {
            let wanted = step.function.result;
            let slot = match free.iter().position(|&slot| slots[slot] == wanted) {
                Some(at) => free.swap_remove(at),
                None => {
                    slots.push(wanted);
                    slots.len() - 1
                }
            };
            slot_of.push(slot);
            free.extend((0..index).filter(|&earlier| last_use[earlier] == Some(index)).map(|earlier| slot_of[earlier]));
        }
        Self { steps: steps.into(), slot_of, slots }
    }

    /// The steps.
    pub fn steps(&self) -> &[ChainStep] {
        &self.steps
    }

    /// Elements that one thread should at least have.
    pub(super) fn grain(&self) -> usize {
        match self.steps.as_slice() {
            [step] => step.function.grain(),
            _ => COSTLY_GRAIN,
        }
    }
}

/// Tiles that are computed between two looks at the step.
const POLLED_TILES: usize = 32;

/// A chain with its inputs.
pub(super) struct ChainRun<'a> {
    pub(super) stop: Option<&'a Cancellation>,
    pub(super) chain: &'a Chain,
    pub(super) operands: &'a [Operand<'a>],
    pub(super) tiling: Tiling,
}

impl ChainRun<'_> {
    /// Computes the output's elements from `start` on.
    pub(super) fn run(&self, start: usize, mut output: ValuesMut<'_>) {
        if output.is_empty() || self.run_whole(start, &mut output) {
            return;
        }
        let length = output.len();
        let is_direct = output.is_computed();
        let last = if is_direct { self.chain.steps.len() - 1 } else { self.chain.steps.len() };
        let used = self.chain.slot_of[..last].iter().map(|slot| slot + 1).max().unwrap_or(0);
        let mut slots: SmallVec<[Scratch; 1]> =
            self.chain.slots[..used].iter().map(|&dtype| Scratch::new(dtype)).collect();
        let mut buffers: SmallVec<[Option<Scratch>; 3]> = self.operands.iter().map(|_| None).collect();
        for (operand, buffer) in self.operands.iter().zip(&mut buffers) {
            if operand.is_constant(self.tiling) {
                let mut scratch = Scratch::new(operand.dtype(&output));
                operand.fill(start, &Values::NONE, scratch.first_mut(self.tiling.tile.min(self.needed(start, length))));
                *buffer = Some(scratch);
            }
        }
        for (number, (at, length)) in self.tiling.tiles(start, length).enumerate() {
            if number % POLLED_TILES == POLLED_TILES - 1 {
                poll(self.stop);
            }
            let mut tile = output.part(at..at + length);
            for (operand, buffer) in self.operands.iter().zip(&mut buffers) {
                if !operand.is_constant(self.tiling) && operand.direct(start + at, length).is_none() {
                    let scratch = buffer.get_or_insert_with(|| Scratch::new(operand.dtype(&tile)));
                    operand.fill(start + at, &tile.as_values(), scratch.first_mut(length));
                }
            }
            self.run_tile(start + at, &mut tile, &buffers, &mut slots);
        }
    }

    /// Elements of a constant operand's buffer that tiles read.
    fn needed(&self, start: usize, length: usize) -> usize {
        if start.is_multiple_of(self.tiling.unit) { length } else { self.tiling.tile }
    }

    /// A single formula of operands that are all side by side in memory: one loop over the part.
    fn run_whole(&self, start: usize, output: &mut ValuesMut<'_>) -> bool {
        let [step] = self.chain.steps.as_slice() else { return false };
        if !output.is_computed() {
            return false;
        }
        let length = output.len();
        let mut operands = Operands::new();
        for operand in &step.operands {
            let StepOperand::Input(input) = *operand else { return false };
            let Some(values) = self.operands[input].direct(start, length) else { return false };
            operands.push(values);
        }
        step.function.write(Block {
            operands: operands.as_slice(),
            attrs: &step.attrs,
            output: output.part(0..length),
        });
        true
    }

    fn run_tile(&self, start: usize, tile: &mut ValuesMut<'_>, buffers: &[Option<Scratch>], slots: &mut [Scratch]) {
        let length = tile.len();
        for (index, step) in self.chain.steps.iter().enumerate() {
            if index + 1 == self.chain.steps.len() && tile.is_computed() {
                let operands = self.blocks(step, start, length, buffers, slots);
                step.function.write(Block {
                    operands: operands.as_slice(),
                    attrs: &step.attrs,
                    output: tile.part(0..length),
                });
                return;
            }
            let slot = self.chain.slot_of[index];
            let mut result = slots[slot].take();
            let operands = self.blocks(step, start, length, buffers, slots);
            let output = result.first_mut(length);
            step.function.write(Block { operands: operands.as_slice(), attrs: &step.attrs, output });
            slots[slot] = result;
        }
        let result = self.chain.slot_of.last().map(|&slot| slots[slot].first(length));
        if let Some(result) = result {
            tile.copy_from(&result);
        }
    }

    fn blocks<'b>(
        &'b self,
        step: &ChainStep,
        start: usize,
        length: usize,
        buffers: &'b [Option<Scratch>],
        slots: &'b [Scratch],
    ) -> Operands<'b> {
        let values_of = |operand: &StepOperand| match *operand {
            StepOperand::Step(step) => slots[self.chain.slot_of[step]].first(length),
            StepOperand::Input(input) => match &buffers[input] {
                Some(buffer) if self.operands[input].is_constant(self.tiling) => buffer.first(length),
                buffer => self.operands[input]
                    .direct(start, length)
                    .or_else(|| buffer.as_ref().map(|buffer| buffer.first(length)))
                    .unwrap_or(Values::NONE),
            },
        };
        let mut operands = Operands::new();
        step.operands.iter().for_each(|operand| operands.push(values_of(operand)));
        operands
    }
}

impl Operand<'_> {
    /// The dtype of the elements; those of `output` where they are in its memory.
    fn dtype(&self, output: &ValuesMut<'_>) -> DType {
        self.values.unwrap_or(output.as_values()).dtype()
    }
}
