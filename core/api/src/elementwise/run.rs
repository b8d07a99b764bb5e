//! A call of an elementwise kernel: shapes, memory, threads.

use smallvec::SmallVec;

use super::block::{Block, FormulaAttrs, MOST_OPERANDS, Operands};
use super::chain::{Chain, ChainRun, StepOperand};
use super::direct::run_direct;
use super::operand::{Operand, Pattern};
use super::tiles::{Tiling, for_each_part};
use super::{ElementwiseFn, InputShapes, stored_dtype};
use crate::device::ScalarValue;
use crate::shape_inference::broadcast_shapes;
use crate::tensor::values::{Values, ValuesMut};
use crate::{AttrValue, DType, Error, KernelContext, NodeInfo, Result, Shape, Step, bail, ensure};

/// Flat positions of inputs.
type Positions = SmallVec<[usize; 3]>;

/// Sets output 0 to the formula of the elements of its inputs, in the memory of one of them where nobody else needs it.
///
/// # Errors
/// The shapes do not fit, memory runs out, or the node's dtypes or attrs are not those that the formula was compiled
/// for.
pub fn run_elementwise(function: &'static ElementwiseFn, context: &mut KernelContext<'_>) -> Result<()> {
    if run_scalars(function, context)? {
        return Ok(());
    }
    let attrs = formula_attrs(function.attrs, context.node())?;
    let positions = input_positions(function.inputs, context.node());
    if run_direct(function, context, &positions, &attrs)? {
        return Ok(());
    }
    check_dtypes(function, context, &positions)?;
    if positions.iter().all(|&position| context.input(position).rank() == 0) {
        return run_scalar(function, context, &positions, &attrs);
    }
    let shape = output_shape(function.shapes, context, &positions)?;
    run(&Chain::of_one(function, attrs), context, &positions, &shape)
}

impl Chain {
    /// Sets output 0 to the last step's result for the context's inputs, which broadcast against each other.
    ///
    /// # Errors
    /// The shapes do not fit: then the error says at which step. Memory runs out.
    pub fn run(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let positions: Positions = (0..context.num_inputs()).collect();
        let steps = self.steps().iter();
        let steps = steps.map(|step| (step.function.op, step.function.shapes, step.operands.as_slice()));
        let shape = chain_shape(context, steps)?;
        run(self, context, &positions, &shape)
    }
}

/// Flat positions of a formula's inputs, given those in the op's declaration.
#[inline]
pub(crate) fn input_positions(inputs: &[usize], node: &NodeInfo) -> Positions {
    let mut positions = Positions::new();
    for &input in inputs {
        positions.push(node.input_ranges[input].start);
    }
    positions
}

/// The shape of the output, from the inputs at these positions.
pub(crate) fn output_shape(shapes: InputShapes, context: &KernelContext<'_>, positions: &[usize]) -> Result<Shape> {
    match shapes {
        InputShapes::Broadcast => broadcast(context, positions.iter().copied()),
        InputShapes::Same => same_shape(context, positions),
        InputShapes::SameSize => same_size(context, positions),
    }
}

/// The shape of a chain's result, given each step's op, how the shapes of its operands meet, and the operands.
pub(crate) fn chain_shape<'s>(
    context: &KernelContext<'_>,
    steps: impl Iterator<Item = (&'s str, InputShapes, &'s [StepOperand])>,
) -> Result<Shape> {
    let first = context.input(0).shape();
    if context.inputs().iter().all(|input| input.shape() == first) {
        return Ok(first.clone());
    }
    let mut shapes: Vec<Shape> = Vec::new();
    for (index, (op, meet, operands)) in steps.enumerate() {
        let of = |operand: &StepOperand| match *operand {
            StepOperand::Input(input) => context.input(input).shape(),
            StepOperand::Step(step) => &shapes[step],
        };
        let mut shape = operands.first().map_or_else(Shape::scalar, |operand| of(operand).clone());
        for operand in operands.iter().skip(1).map(of) {
            ensure!(
                *operand == shape || meet == InputShapes::Broadcast,
                "step {index}, {op}: the operands must have the same shape, they are {shape} and {operand}"
            );
            if *operand != shape {
                shape =
                    broadcast_shapes(&shape, operand).map_err(|error| error.context(format!("step {index}, {op}")))?;
            }
        }
        shapes.push(shape);
    }
    shapes.pop().ok_or_else(|| Error::internal("a chain has one step at least"))
}

fn run(chain: &Chain, context: &mut KernelContext<'_>, positions: &[usize], shape: &Shape) -> Result<()> {
    let is_same_size = chain.steps().iter().all(|step| step.function.shapes == InputShapes::SameSize);
    let pattern = |&position: &usize| match is_same_size {
        true => Pattern::Whole,
        false => Pattern::of(context.input(position).shape(), shape),
    };
    let operand = |position| Operand { values: None, pattern: pattern(position) };
    let mut operands: SmallVec<[Operand<'_>; 3]> = positions.iter().map(operand).collect();
    let (taken, mut output) = context.forward_or_allocate(positions, 0, shape)?;
    if shape.num_elements() > 0 {
        let tiling = Tiling::of(operands.iter().map(|operand| &operand.pattern));
        for (operand, &position) in operands.iter_mut().zip(positions).filter(|(_, position)| taken != Some(**position))
        {
            operand.values = Some(Values::of(context.input(position))?);
        }
        let stop = context.env().step().map(Step::cancellation);
        let chain_run = ChainRun { stop, chain, operands: &operands, tiling };
        let values = ValuesMut::of(&mut output)?;
        for_each_part(context.env(), values, chain.grain(), tiling.unit, &|start, part| chain_run.run(start, part));
    }
    drop(operands);
    context.set_output(0, output);
    Ok(())
}

/// Computes a formula without attrs whose operands are all scalars, of which nothing is converted; otherwise returns
/// false and leaves the context as it is. What is made is written where it stays: copies of values that were just
/// written, field by field, would cost more than the formula.
///
/// # Errors
/// Memory runs out.
#[inline]
fn run_scalars(function: &'static ElementwiseFn, context: &mut KernelContext<'_>) -> Result<bool> {
    let (node, inputs) = (context.node(), function.inputs);
    let is_plain = function.attrs.is_empty() && inputs.len() <= MOST_OPERANDS;
    let is_scalar = |(&input, &dtype): (&usize, &DType)| {
        let tensor = context.input(node.input_ranges[input].start);
        tensor.rank() == 0 && tensor.dtype() == dtype
    };
    let result = node.output_dtypes.first();
    if !(is_plain && result == Some(&function.result) && inputs.iter().zip(function.operands).all(is_scalar)) {
        return Ok(false);
    }
    let positions = inputs.iter().map(|&input| node.input_ranges[input].start);
    let reused = context.forwardable(positions.clone(), 0, &Shape::scalar());
    let mut place = 0;
    let mut operands = [Values::NONE; MOST_OPERANDS];
    match reused {
        Some(index) => {
            let value = Values::of(context.input(index))?.copied(&mut place);
            for (operand, _) in operands.iter_mut().zip(positions.clone()).filter(|(_, position)| *position == index) {
                *operand = value;
            }
            let output = context.take_input(index);
            context.set_output(0, output);
        }
        None => context.allocate_and_set_output(0, Shape::scalar())?,
    }
    let (tensors, outputs) = context.slots();
    for (operand, position) in operands.iter_mut().zip(positions).filter(|(_, position)| Some(*position) != reused) {
        *operand = Values::of(&tensors[position])?;
    }
    if let Some(output) = &mut outputs[0] {
        let operands = &operands[..inputs.len()];
        function.write(Block { operands, attrs: &[], output: ValuesMut::of(output)? });
    }
    Ok(true)
}

/// A formula of scalars.
fn run_scalar(
    function: &ElementwiseFn,
    context: &mut KernelContext<'_>,
    positions: &[usize],
    attrs: &[ScalarValue],
) -> Result<()> {
    let mut output = context.allocate_output(0, Shape::scalar())?;
    {
        let mut inputs = Operands::new();
        for &position in positions {
            inputs.push(Values::of(context.input(position))?);
        }
        let result = ValuesMut::of(&mut output)?;
        let operands = inputs.as_slice();
        if result.is_computed() && operands.iter().all(Values::is_computed) {
            function.write(Block { operands, attrs, output: result });
        } else {
            run_small(function, operands, attrs, result);
        }
    }
    context.set_output(0, output);
    Ok(())
}

/// A formula of single values, some of them 16-bit floats.
fn run_small(function: &ElementwiseFn, inputs: &[Values<'_>], attrs: &[ScalarValue], mut result: ValuesMut<'_>) {
    let mut wide = [[0.0f32]; MOST_OPERANDS];
    for (wide, value) in wide.iter_mut().zip(inputs).filter(|(_, value)| !value.is_computed()) {
        ValuesMut::new(wide).copy_from(value);
    }
    let mut operands = Operands::new();
    for (value, wide) in inputs.iter().zip(&wide) {
        operands.push(if value.is_computed() { *value } else { Values::new(wide) });
    }
    let operands = operands.as_slice();
    if result.is_computed() {
        return function.write(Block { operands, attrs, output: result });
    }
    let mut rounded = [0.0f32];
    function.write(Block { operands, attrs, output: ValuesMut::new(&mut rounded) });
    result.copy_from(&Values::new(&rounded));
}

/// The broadcast of inputs.
fn broadcast(context: &KernelContext<'_>, mut positions: impl Iterator<Item = usize>) -> Result<Shape> {
    let Some(first) = positions.next() else { return Ok(Shape::scalar()) };
    let mut shape = context.input(first).shape().clone();
    for position in positions {
        let other = context.input(position).shape();
        if *other != shape {
            shape = broadcast_shapes(&shape, other)?;
        }
    }
    Ok(shape)
}

/// The shape that all inputs have.
fn same_shape(context: &KernelContext<'_>, positions: &[usize]) -> Result<Shape> {
    let first = context.input(positions[0]).shape();
    for other in positions[1..].iter().map(|&position| context.input(position).shape()) {
        let op = &context.node().op.name;
        ensure!(other == first, "the inputs of {op} must have the same shape, they are {first} and {other}");
    }
    Ok(first.clone())
}

/// The shape of the first input, where all have as many elements.
fn same_size(context: &KernelContext<'_>, positions: &[usize]) -> Result<Shape> {
    let first = context.input(positions[0]);
    for &position in &positions[1..] {
        let other = context.input(position);
        ensure!(
            first.num_elements() == other.num_elements(),
            "The two arguments to a cwise op must have same number of elements, got {} and {}",
            first.num_elements(),
            other.num_elements()
        );
    }
    Ok(first.shape().clone())
}

/// The values of the formula's attrs, bools as integers.
///
/// # Errors
/// The node has no such attr, or one of another kind.
pub fn formula_attrs(names: &[&str], node: &NodeInfo) -> Result<FormulaAttrs> {
    let mut attrs = FormulaAttrs::new();
    for name in names {
        attrs.push(formula_attr(node, name)?);
    }
    Ok(attrs)
}

/// An attr as formulas and programs take it: bools as integers.
pub(crate) fn formula_attr(node: &NodeInfo, name: &str) -> Result<ScalarValue> {
    match node.attrs.get(name) {
        Some(AttrValue::Int(value)) => Ok(ScalarValue::I64(*value)),
        Some(AttrValue::Float(value)) => Ok(ScalarValue::F32(*value)),
        Some(AttrValue::Bool(value)) => Ok(ScalarValue::U32(u32::from(*value))),
        _ => bail!("the attr `{name}` is no int, float or bool"),
    }
}

/// Whether the loop was compiled for these tensors.
#[inline]
fn check_dtypes(function: &ElementwiseFn, context: &KernelContext<'_>, positions: &[usize]) -> Result<()> {
    let fits = |(&position, &wanted): (&usize, &DType)| stored_dtype(context.input(position).dtype()) == wanted;
    let result = context.node().output_dtypes.first().map(|&dtype| stored_dtype(dtype));
    if positions.iter().zip(function.operands).all(fits) && result == Some(function.result) {
        return Ok(());
    }
    Err(Error::internal(format!(
        "the formula of {} computes {:?} to {:?}, the node has other dtypes",
        context.node().op.name,
        function.operands,
        function.result
    )))
}
