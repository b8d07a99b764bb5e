//! Loops: `While`. The forward loop counts its iterations and pushes what the gradient needs of each onto tensor lists;
//! the backward loop runs as many times and pops them. What no iteration changes is not gathered: the backward loop
//! takes it as it is, and sums the gradients by it.

use std::collections::HashMap;

use oplink_api::call::Arg;
use oplink_api::{AttrValue, DType, Output, PartialShape, Result, Scope, Tensor};
use oplink_proto::FunctionDef;

use super::body::{BodyGradient, zeros_of};
use super::dependence::Dependence;
use super::library::{add_functions, adopt, free_name, op_for, types, with_arguments};
use super::{Through, add, add_one, dtypes, first, is_trainable};
use crate::functions::{Body, FunctionOptions};
use crate::known_ops::KnownOp;
use crate::{Graph, GraphScope};

/// A loop's body with its gradient.
struct Loop {
    body: BodyGradient,
    /// The variables whose gradients the backward loop hands from iteration to iteration.
    active: Vec<bool>,
    /// The variables that are handles, with a sum of gradients each.
    handles: Vec<usize>,
    /// What is gathered of each iteration.
    values: Vec<Output>,
    /// Variables that no iteration changes and the gradient reads.
    invariants: Vec<usize>,
}

impl Through<'_> {
    pub(super) fn through_loop(mut self) -> Result<Vec<Option<Output>>> {
        let (cond, function) = (self.function("cond")?, self.function("body")?);
        let shapes = self.of().output_shapes().to_vec();
        let body = BodyGradient::body(self.graph, &function, &shapes)?;
        let count = shapes.len();
        let active = self.variables(&body);
        if !active.contains(&true) {
            return Ok(vec![None; count]);
        }
        let mut of_loop = Loop::new(body, active, &self.wanted(0))?;
        adopt(self.graph, &of_loop.body.graph);
        let forward = of_loop.forward(&free_name(self.graph, "forward", &function.name))?;
        let more = [vec![DType::Int32], vec![DType::Variant; of_loop.values.len()]].concat();
        let name = free_name(self.graph, "forward", &cond.name);
        let condition = with_arguments(&self.graph.functions.find(&cond.name)?.def, &name, &more);
        let [forward, mut condition] = add_functions(self.graph, &[forward, condition])?;
        condition.attrs = cond.attrs;
        let lists = dtypes(&of_loop.body.graph, &of_loop.values);
        self.run_forward(forward.into(), condition.into(), &lists)?;
        let backward = of_loop.backward(&free_name(self.graph, "backward", &function.name))?;
        self.run_backward(&of_loop, count, backward)
    }

    /// The variables that gradients pass through.
    fn variables(&self, body: &Body) -> Vec<bool> {
        let trainable: Vec<bool> = self.of().info().input_dtypes.iter().map(|&dtype| is_trainable(dtype)).collect();
        let dependence = Dependence::of(body);
        let dependent = dependence.dependent_on(&self.wanted(0), &trainable);
        let needed = dependence.needed_for(&self.active(), &trainable);
        dependent.iter().zip(needed).zip(trainable).map(|((&a, b), c)| a && b && c).collect()
    }

    /// Lets the node count and gather.
    fn run_forward(&mut self, body: AttrValue, cond: AttrValue, lists: &[DType]) -> Result<()> {
        let mut scope = self.scope();
        let mut inputs = vec![scope.constant(Tensor::scalar(0i32))?];
        for &dtype in lists {
            inputs.push(empty_list(&mut scope, dtype)?);
        }
        let shapes = self.output_shapes_with(inputs.iter().map(|_| PartialShape::scalar()))?;
        let all = [&*self.of().info().input_dtypes, &[DType::Int32], &vec![DType::Variant; lists.len()]].concat();
        let new = vec![("T", types(all)), ("body", body), ("cond", cond), ("output_shapes", shapes)];
        let attrs = self.attrs_with(new);
        let attrs: Vec<(&str, AttrValue)> = attrs.iter().map(|(name, value)| (&**name, value.clone())).collect();
        let op = self.of().known();
        let inputs = [self.of().inputs(), &inputs].concat();
        self.replaced.replace(self.graph, self.node, op, inputs, &attrs)
    }

    /// Adds the backward loop; `count` are the variables of the loop as it was.
    fn run_backward(&mut self, of_loop: &Loop, count: usize, body: FunctionDef) -> Result<Vec<Option<Output>>> {
        let Loop { active, handles, values, invariants, .. } = of_loop;
        let first = self.of().num_outputs() - values.len() - 1;
        let mut inputs = vec![self.output(first)];
        let mut shapes = vec![PartialShape::scalar()];
        let sums = self.sums;
        for (index, &sum) in sums.iter().enumerate().filter(|(index, _)| active[*index]) {
            inputs.push(match sum {
                Some(sum) => sum,
                None => self.zeros_like_output(index)?,
            });
            shapes.push(self.graph.shape(self.of().inputs()[index]));
        }
        for &handle in handles {
            let input = self.of().inputs()[handle];
            let dtype = of_loop.body.gradient_dtype(handle).unwrap_or(DType::Invalid);
            inputs.push(zeros_of(&mut self.scope(), input, dtype, &PartialShape::unknown())?);
            shapes.push(PartialShape::unknown());
        }
        let lists = first + 1..first + 1 + values.len();
        inputs.extend(lists.map(|index| self.output(index)));
        shapes.resize(inputs.len(), PartialShape::scalar());
        let kept = invariants.iter().map(|&at| self.of().inputs()[at]);
        inputs.extend(kept);
        shapes.extend(inputs[shapes.len()..].iter().map(|&input| self.graph.shape(input)));
        let op = op_for(std::slice::from_ref(&body), KnownOp::While, KnownOp::StatelessWhile);
        let cond = is_left(self.graph, &free_name(self.graph, "left", &self.function("body")?.name), &inputs)?;
        let [body, cond] = add_functions(self.graph, &[body, cond])?;
        let attrs = vec![("body", body.into()), ("cond", cond.into()), ("output_shapes", AttrValue::Shapes(shapes))];
        let made = add(&mut self.scope(), op, [Arg::List(inputs)], attrs)?;
        let mut made = made.into_iter().skip(1);
        let mut gradients: Vec<Option<Output>> =
            active.iter().map(|&active| if active { made.next() } else { None }).collect();
        for (&handle, sum) in handles.iter().zip(made) {
            gradients[handle] = Some(sum);
        }
        gradients.truncate(count);
        Ok(gradients)
    }

    fn zeros_like_output(&mut self, index: usize) -> Result<Output> {
        let (output, dtype) = (self.output(index), self.of().info().output_dtypes[index]);
        let shape = self.graph.shape(output);
        zeros_of(&mut self.scope(), output, dtype, &shape)
    }
}

impl Loop {
    fn new(body: Body, active: Vec<bool>, wanted: &[bool]) -> Result<Self> {
        let dtypes = body.input_dtypes.clone();
        let by = active.iter().zip(wanted).zip(&dtypes);
        let by: Vec<bool> = by.map(|((&a, &wanted), &dtype)| a || wanted && dtype == DType::Resource).collect();
        let mut body = BodyGradient::new(body, &active, &by)?;
        let mut dys = body.dys.clone().into_iter();
        for at in (0..active.len()).filter(|&at| active[at]) {
            let dy = dys.next();
            if let (None, Some(dy)) = (body.gradients[at], dy) {
                body.gradients[at] = Some(match dtypes[at] {
                    DType::Variant => add_one(&mut body.scope(), KnownOp::ZerosLike, &[dy])?,
                    dtype => body.zeros(at, dtype)?,
                });
            }
        }
        let is_invariant = |body: &BodyGradient, at: usize| body.argument_of(body.results[at]) == Some(at);
        let handles: Vec<usize> = (0..active.len()).filter(|&at| !active[at] && body.gradients[at].is_some()).collect();
        let captured = body.capture()?;
        let (mut values, mut invariants, mut kept) = (Vec::new(), Vec::new(), HashMap::new());
        for output in captured {
            match body.argument_of(output).filter(|&at| is_invariant(&body, at)) {
                Some(at) => {
                    kept.insert(output, body.arguments[at]);
                    invariants.push(at);
                }
                None => values.push(output),
            }
        }
        invariants.sort_unstable();
        invariants.dedup();
        body.substitute(&kept);
        Ok(Self { body, active, handles, values, invariants })
    }

    /// The body that counts and pushes.
    fn forward(&mut self, name: &str) -> Result<FunctionDef> {
        let mut scope = self.body.scope();
        let counter = scope.placeholder("counter", DType::Int32, PartialShape::scalar())?;
        let one = scope.constant(Tensor::scalar(1i32))?;
        let (mut arguments, mut results) = (vec![counter], vec![add_one(&mut scope, KnownOp::AddV2, &[counter, one])?]);
        for &value in &self.values {
            let list = scope.placeholder("list", DType::Variant, PartialShape::scalar())?;
            arguments.push(list);
            results.push(add_one(&mut scope, KnownOp::TensorListPushBack, &[list, value])?);
        }
        self.body.forward(name, &arguments, &results)
    }

    /// The body that pops and differentiates.
    fn backward(&mut self, name: &str) -> Result<FunctionDef> {
        let mut scope = self.body.scope();
        let left = scope.placeholder("left", DType::Int32, PartialShape::scalar())?;
        let one = scope.constant(Tensor::scalar(1i32))?;
        let left_then = add_one(&mut scope, KnownOp::Sub, &[left, one])?;
        let (mut lists, mut lists_then, mut popped) = (Vec::new(), Vec::new(), HashMap::new());
        for &value in &self.values {
            let dtype = scope.graph().dtype(value).unwrap_or(DType::Invalid);
            let list = scope.placeholder("list", DType::Variant, PartialShape::scalar())?;
            let any = scope.constant(Tensor::scalar(-1i32))?;
            let attrs = vec![("element_dtype", dtype.into())];
            let made = add(&mut scope, KnownOp::TensorListPopBack, [Arg::One(list), Arg::One(any)], attrs)?;
            lists.push(list);
            lists_then.push(made[0]);
            popped.insert(value, made[1]);
        }
        self.body.substitute(&popped);
        let (mut sums, mut sums_then) = (Vec::new(), Vec::new());
        for at in self.handles.clone() {
            let Some(gradient) = self.body.gradients[at] else { continue };
            let dtype = self.body.gradient_dtype(at).unwrap_or(DType::Invalid);
            let mut scope = self.body.scope();
            let sum = scope.placeholder("sum", dtype, PartialShape::unknown())?;
            sums.push(sum);
            sums_then.push(add_one(&mut scope, KnownOp::AddV2, &[sum, gradient])?);
        }
        let body = &self.body;
        let gradients: Vec<Output> = chosen_gradients(&body.gradients, &self.active);
        let kept: Vec<Output> = self.invariants.iter().map(|&at| body.arguments[at]).collect();
        let arguments = [&[left][..], &body.dys, &sums, &lists, &kept].concat();
        body.backward(name, &arguments, &[&[left_then][..], &gradients, &sums_then, &lists_then, &kept].concat())
    }
}

fn chosen_gradients(gradients: &[Option<Output>], which: &[bool]) -> Vec<Output> {
    gradients.iter().zip(which).filter(|(_, chosen)| **chosen).filter_map(|(&gradient, _)| gradient).collect()
}

fn empty_list(scope: &mut GraphScope<'_>, dtype: DType) -> Result<Output> {
    let any = scope.constant(Tensor::scalar(-1i32))?;
    let attrs = vec![("element_dtype", dtype.into())];
    first(add(scope, KnownOp::EmptyTensorList, [Arg::One(any), Arg::One(any)], attrs)?)
}

/// The condition of a loop that counts its first variable down to zero.
fn is_left(graph: &Graph, name: &str, variables: &[Output]) -> Result<FunctionDef> {
    let mut cond = Graph::empty(&graph.registry, graph.call_inference);
    let mut scope = cond.scope();
    let mut arguments = Vec::with_capacity(variables.len());
    for &variable in variables {
        let dtype = graph.dtype(variable).unwrap_or(DType::Invalid);
        arguments.push(scope.placeholder("variable", dtype, PartialShape::unknown())?);
    }
    let zero = scope.constant(Tensor::scalar(0i32))?;
    let is_left = add_one(&mut scope, KnownOp::Greater, &[arguments[0], zero])?;
    cond.to_function(name, &arguments, &[is_left], &FunctionOptions::default())
}
