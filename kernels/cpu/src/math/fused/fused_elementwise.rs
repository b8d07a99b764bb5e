//! `_FusedElementwise`: a chain of elementwise ops computed tile by tile, so that what lies between them never leaves the
//! cache. An op of oplink's own, made by the optimiser.
//!
//! `program` has a step a line: the op's name, then an operand for each of its inputs, either the number of an input or `s` and
//! the number of an earlier step. The output is the last step's result. `["Mul 0 1", "AddV2 s0 2", "Relu s1"]` is
//! `relu(x0 * x1 + x2)`. `LeakyRelu` may be followed by its `alpha`, an `f32`: `LeakyRelu s0 0.1`. The ops are those of
//! [`FUSED_ELEMENTWISE_OPS`](super::FUSED_ELEMENTWISE_OPS); each step's result but the last is used by a later one.
//!
//! The output has the broadcast shape of the inputs. An input is read as it is where it has one of these shapes (axes of
//! extent 1 may lead), and stretched to the output's shape first where it has another:
//! * that of the output;
//! * one element, or the output's last axes (a vector along the last axis, a bias);
//! * the output's first axes, followed by extents of 1 (a mean along the last axis).
//!
//! The output takes the memory of an input of its shape where nobody else needs it. The 16-bit floats are computed in f32 and
//! rounded once, at the end.

use oplink::{NodeInfo, prelude::*};

use super::feed::{Feed, Pattern, TILE, Tiling};
use super::functions::{FusedLane, Loop};
use super::program::{Program, Source};
use crate::support::elementwise::{COSTLY_GRAIN, Lanes};
use crate::support::movement::{Host, stretch};
use crate::support::parallel::for_each_chunk;

/// Computes the steps of `program` on each element of the inputs.
#[op("_FusedElementwise",
     input = "inputs: N * T",
     output = "output: T",
     attr = "N: int >= 1",
     attr = "T: {half, bfloat16, float, double}",
     attr = "program: list(string) >= 1",
     shape = shape_fns::broadcast_all)]
pub struct _FusedElementwise;

/// `_FusedElementwise` for the floats.
pub struct FusedElementwiseCpu<T: Lanes> {
    program: Program<T::Lane>,
}

#[kernel(_FusedElementwise, device = CPU, T = [floats])]
impl<T: Lanes<Lane: FusedLane>> Kernel for FusedElementwiseCpu<T> {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        let node: &NodeInfo = construction.node();
        Ok(Self { program: Program::parse(node.attr("program")?, node.input_dtypes.len())? })
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let mut shape = Shape::scalar();
        for input in context.inputs() {
            shape = oplink::broadcast_shapes(&shape, input.shape())?;
        }
        let mut patterns = Vec::with_capacity(context.num_inputs());
        let mut stretched = vec![None; context.num_inputs()];
        for (index, slot) in stretched.iter_mut().enumerate() {
            let pattern = Pattern::of(context.input(index).shape(), &shape);
            if pattern.is_none() {
                *slot = Some(stretch::<Host>(context, 0, context.input(index), &shape)?);
            }
            patterns.push(pattern.unwrap_or(Pattern::Whole));
        }
        let candidates: Vec<usize> = (0..context.num_inputs()).collect();
        let (taken, mut output) = context.forward_or_allocate(&candidates, 0, &shape)?;
        if output.num_elements() > 0 {
            let feed = |(index, pattern): (usize, &Pattern)| -> Result<Feed<'_, T>> {
                let input = stretched[index].as_ref().unwrap_or_else(|| context.input(index));
                let values = if taken == Some(index) { None } else { Some(input.as_slice()?) };
                Ok(Feed { values, pattern: *pattern })
            };
            let feeds = patterns.iter().enumerate().map(feed).collect::<Result<Vec<_>>>()?;
            let tiling = Tiling::of(&patterns);
            let chain = Chain { program: &self.program, feeds: &feeds, tiling };
            for_each_chunk(context.env(), output.as_mut_slice::<T>()?, COSTLY_GRAIN, tiling.unit, &|start, part| {
                chain.run(start, part);
            });
        }
        context.set_output(0, output);
        Ok(())
    }
}

/// A program with its inputs.
struct Chain<'a, T: Lanes> {
    program: &'a Program<T::Lane>,
    feeds: &'a [Feed<'a, T>],
    tiling: Tiling,
}

impl<T: Lanes<Lane: FusedLane>> Chain<'_, T> {
    /// Computes the output's elements from `start` on.
    fn run(&self, start: usize, output: &mut [T]) {
        let room = || vec![T::Lane::default(); TILE];
        let mut slots: Vec<_> = (0..self.program.slots).map(|_| room()).collect();
        let mut buffers = vec![Vec::new(); self.feeds.len()];
        for (feed, buffer) in self.feeds.iter().zip(&mut buffers) {
            if feed.is_constant(self.tiling) {
                *buffer = room();
                feed.fill(start, &[], &mut buffer[..self.tiling.tile]);
            }
        }
        for (at, length) in self.tiling.tiles(start, output.len()) {
            let tile = &mut output[at..at + length];
            for (feed, buffer) in self.feeds.iter().zip(&mut buffers) {
                if !feed.is_constant(self.tiling) && feed.direct(start + at, length).is_none() {
                    buffer.resize(TILE, T::Lane::default());
                    feed.fill(start + at, tile, &mut buffer[..length]);
                }
            }
            self.run_tile(start + at, tile, &buffers, &mut slots);
        }
    }

    fn run_tile(&self, start: usize, tile: &mut [T], buffers: &[Vec<T::Lane>], slots: &mut [Vec<T::Lane>]) {
        let length = tile.len();
        let Some((last, steps)) = self.program.steps.split_last() else { return };
        for step in steps {
            let mut result = std::mem::take(&mut slots[step.slot]);
            let [x, y] = step.operands.map(|source| self.operand(source, start, length, buffers, slots));
            call(step.function, x, y, step.number, &mut result[..length]);
            slots[step.slot] = result;
        }
        let mut result = std::mem::take(&mut slots[last.slot]);
        let [x, y] = last.operands.map(|source| self.operand(source, start, length, buffers, slots));
        if let Some(lanes) = T::lanes_mut(tile) {
            call(last.function, x, y, last.number, lanes);
        } else {
            call(last.function, x, y, last.number, &mut result[..length]);
            T::narrow(&result[..length], tile);
        }
        slots[last.slot] = result;
    }

    fn operand<'b>(
        &'b self,
        source: Source,
        start: usize,
        length: usize,
        buffers: &'b [Vec<T::Lane>],
        slots: &'b [Vec<T::Lane>],
    ) -> &'b [T::Lane] {
        match source {
            Source::Slot(slot) => &slots[slot][..length],
            Source::Input(index) if self.feeds[index].is_constant(self.tiling) => &buffers[index][..length],
            Source::Input(index) => {
                self.feeds[index].direct(start, length).unwrap_or_else(|| &buffers[index][..length])
            }
        }
    }
}

fn call<L: Copy>(function: Loop<L>, x: &[L], y: &[L], number: L, out: &mut [L]) {
    match function {
        Loop::Unary(function) => function(x, out),
        Loop::Binary(function) => function(x, y, out),
        Loop::Scaled(function) => function(x, number, out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::fused::FUSED_ELEMENTWISE_OPS;
    use crate::support::testing::{Threads, assert_close, run, run_in, run_one};

    fn fused(threads: usize, program: &[&str], inputs: Vec<Tensor>) -> Result<Tensor> {
        let attrs = [("program", program.into()), ("N", (inputs.len() as i64).into())];
        Ok(run_in(&Threads(threads), "_FusedElementwise", &attrs, inputs)?.remove(0))
    }

    fn values(shape: &[usize], seed: usize) -> Tensor {
        let count: usize = shape.iter().product();
        let value = |i: usize| ((i * 37 + seed * 11) % 41) as f32 / 10.0 - 1.7;
        Tensor::from_vec(shape, (0..count).map(value).collect()).unwrap()
    }

    #[test]
    fn steps_do_what_their_ops_do() {
        for &(op, inputs) in FUSED_ELEMENTWISE_OPS.iter().filter(|op| op.0 != "BiasAdd") {
            let tensors: Vec<_> = (0..inputs).map(|seed| values(&[3, 700], seed)).collect();
            let Ok(expected) = run_one(op, tensors.clone()) else { continue };
            let line = if inputs == 1 { format!("{op} 0") } else { format!("{op} 0 1") };
            assert_close(&fused(1, &[&line], tensors).unwrap(), &expected, 0.0);
        }
    }

    #[test]
    fn steps_treat_special_values_as_their_ops_do() {
        let special = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0, -0.0, 1.0, -1.0, 6.0, 7.5];
        let count = special.len();
        let pairs = |pick: fn(usize, usize) -> usize| -> Tensor {
            (0..count * count).map(|at| special[pick(at, count)]).collect::<Vec<f32>>().as_slice().into()
        };
        let inputs = [pairs(|at, count| at / count), pairs(|at, count| at % count)];
        for &(op, operands) in FUSED_ELEMENTWISE_OPS.iter().filter(|op| op.0 != "BiasAdd") {
            let tensors = inputs[..operands].to_vec();
            let Ok(expected) = run_one(op, tensors.clone()) else { continue };
            let line = if operands == 1 { format!("{op} 0") } else { format!("{op} 0 1") };
            assert_close(&fused(1, &[&line], tensors).unwrap(), &expected, 1.0);
        }
    }

    #[test]
    fn inputs_broadcast_along_first_or_last_axes() {
        let program = ["Sub 0 1", "Mul s0 2", "AddV2 s1 3", "Maximum s2 4"];
        for shape in [[3, 5, 7], [2, 9, 700], [1, 2, 5000], [40, 30, 1]] {
            let [a, b, c] = shape;
            let shapes: [&[usize]; 5] = [&shape, &[a, b, 1], &[c], &[1, b, c], &[]];
            let inputs: Vec<_> = shapes.into_iter().enumerate().map(|(i, shape)| values(shape, i)).collect();
            let two = |op: &str, x: Tensor, y: &Tensor| run_one(op, vec![x, y.clone()]).unwrap();
            let mut expected = two("Sub", inputs[0].clone(), &inputs[1]);
            expected = two("Mul", expected, &inputs[2]);
            expected = two("AddV2", expected, &inputs[3]);
            expected = two("Maximum", expected, &inputs[4]);
            for threads in [1, 3] {
                assert_close(&fused(threads, &program, inputs.clone()).unwrap(), &expected, 0.0);
                let owned = inputs.iter().map(|input| input.deep_copy().unwrap()).collect();
                assert_close(&fused(threads, &program, owned).unwrap(), &expected, 0.0);
            }
        }
    }

    #[test]
    fn other_broadcasts_are_stretched_first() {
        let (a, b) = (values(&[2, 3, 4], 0), values(&[2, 1, 4], 1));
        let expected = run_one("AddV2", vec![a.clone(), b.clone()]).unwrap();
        assert_close(&fused(1, &["AddV2 0 1"], vec![a, b]).unwrap(), &expected, 0.0);
    }

    #[test]
    fn an_input_may_be_used_at_any_step() {
        let program = ["Square 0", "Mul s0 0", "Sub s1 0", "Add s2 s0", "LeakyRelu s3 0.5"];
        let x = Tensor::from_slice(&[2.0, -3.0, 0.5]);
        let leaky = |v: f64| if v > 0.0 { v } else { v * 0.5 };
        let expected = [2.0f64, -3.0, 0.5].map(|x| leaky(x * x * x - x + x * x));
        assert_close(&fused(1, &program, vec![x]).unwrap(), &Tensor::from_slice(&expected), 1.0);
    }

    #[test]
    fn the_alpha_of_doubles_is_that_of_the_attr() {
        let x = Tensor::from_slice(&[-1.0f64, 2.0]);
        let expected = run("LeakyRelu", &[("alpha", 0.3f32.into())], vec![x.clone()]);
        let actual = fused(1, &["LeakyRelu 0 0.3"], vec![x]).unwrap();
        assert_eq!(actual.as_slice::<f64>().unwrap(), [-f64::from(0.3f32), 2.0]);
        if let Ok(expected) = expected {
            assert_close(&actual, &expected[0], 0.0);
        }
    }

    #[test]
    fn sixteen_bit_floats_are_rounded_once() {
        let x = Tensor::from_slice(&[bf16::from_f32(1.0), bf16::from_f32(3.0)]);
        let tiny = Tensor::scalar(bf16::from_f32(0.001));
        let out = fused(1, &["AddV2 0 1", "Sub s0 0"], vec![x, tiny]).unwrap();
        let expected = [1.0f32, 3.0].map(|x| bf16::from_f32(x + bf16::from_f32(0.001).to_f32() - x));
        assert_eq!(out.as_slice::<bf16>().unwrap(), expected);
    }

    #[test]
    fn malformed_programs_are_refused() {
        let x = values(&[4], 0);
        for (program, message) in [
            (&["Matmul 0 0"][..], "does not compute Matmul"),
            (&["Add 0"], "operand ``"),
            (&["Add 0 1"], "operand `1`"),
            (&["Add 0 s0"], "operand `s0`"),
            (&["Neg 0 0"], "takes 1 operand"),
            (&["Neg 0", "Abs 0"], "no later step uses s0"),
            (&["LeakyRelu 0 x"], "LeakyRelu"),
        ] {
            let error = fused(1, program, vec![x.clone()]).unwrap_err();
            assert!(error.message().contains(message), "{program:?}: {error:?}");
        }
        assert!(fused(1, &["Add 0 1"], vec![values(&[2, 3, 4], 0), values(&[2, 2, 4], 1)]).is_err());
        assert!(run("_FusedElementwise", &[("program", (&["Neg 0"][..]).into())], vec![Tensor::scalar(1i32)]).is_err());
    }
}
