//! Gradients against differences.

use oplink_api::{DType, Error, Output, Result, Shape, Tensor};
use oplink_graph::{Graph, NewNode, Session, SessionOptions};

use super::{Applicable, Findings, Subject};
use crate::OpCall;
use crate::runner::Threads;
use crate::values::{doubles, from_doubles};

/// Elements of an input that are moved, at most.
const MOVED: usize = 12;

/// How far an element is moved, and how far the slopes may be apart, relative to the larger and to 1.
struct Step {
    length: f64,
    tolerance: f64,
    /// Where slopes to both sides, or from nearer by, are further apart, there is none.
    kink: f64,
}

/// The step of inputs of a dtype; `None` where no differences are taken.
fn step(dtype: DType) -> Option<Step> {
    match dtype {
        DType::Double => Some(Step { length: 1e-5, tolerance: 1e-5, kink: 1e-3 }),
        DType::Float => Some(Step { length: 1.0 / 128.0, tolerance: 3e-2, kink: 0.1 }),
        _ => None,
    }
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) -> Applicable {
    each(subject, findings, Order::First)
}

pub(super) fn check_second(subject: &Subject<'_>, findings: &mut Findings) -> Applicable {
    each(subject, findings, Order::Second)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    First,
    Second,
}

fn each(subject: &Subject<'_>, findings: &mut Findings, order: Order) -> Applicable {
    if subject.runner.registry.gradient(subject.entry.name()).is_none() {
        let says = if subject.entry.no_gradient { "the op says `no_gradient`" } else { "the op has no gradient" };
        return Err(says.to_owned());
    }
    if subject.entry.spec.deprecation.is_some() {
        return Err("the op is deprecated: new graphs have none".to_owned());
    }
    subject.is_deterministic()?;
    let mut left = None;
    for call in &subject.samples.calls {
        match Differentiated::new(subject, call, order) {
            Ok(Some(differentiated)) => differentiated.check(findings),
            Ok(None) => left = Some("no input or no output is differentiated".to_owned()),
            // Ops of the gradient may have none themselves, which is no mistake.
            Err(error) if order == Order::Second => left = Some(format!("no second gradient: {}", error.message())),
            Err(error) => findings.add(call, Some(format!("the gradient cannot be made: {error}"))),
        }
    }
    left.map_or(Ok(()), |reason| if findings.cases == 0 { Err(reason) } else { Ok(()) })
}

/// A call in a graph, with a weighted sum of what is differentiated and the gradients of that.
struct Differentiated<'a> {
    subject: &'a Subject<'a>,
    call: &'a OpCall,
    session: Session,
    /// Positions of the inputs that are differentiated by, and the names of the tensors to feed.
    inputs: Vec<(usize, String)>,
    /// What is summed: outputs of the call where it is a gradient of first order, else its gradients. Each with its
    /// weights, and with the name to fetch where it is no output.
    summed: Vec<(Option<String>, Vec<f64>)>,
    /// The gradients by the inputs, where there are any.
    gradients: Vec<Option<String>>,
}

impl<'a> Differentiated<'a> {
    /// `None` where nothing is differentiated.
    fn new(subject: &'a Subject<'a>, call: &'a OpCall, order: Order) -> Result<Option<Self>> {
        let outputs = subject.runner.run(call, Threads::All)?;
        let mut graph = Graph::new(&subject.runner.registry);
        let (mut flat, mut inputs) = (Vec::new(), Vec::new());
        for (at, input) in call.inputs.iter().enumerate() {
            let name = format!("input_{at}");
            let is_moved = step(input.dtype()).is_some();
            let mut scope = graph.scope();
            flat.push(match is_moved {
                true => scope.placeholder(&name, input.dtype(), input.shape().clone())?,
                false => scope.constant_named(&name, input.clone())?,
            });
            if is_moved {
                inputs.push((at, name));
            }
        }
        let attrs = call.given_attrs();
        let new = NewNode { op: &call.op, name: "op", device: "", inputs: &[], control_inputs: &[], attrs: &attrs };
        let node = graph.add_flat(new, &flat)?;
        let floats = |tensors: &[Tensor]| -> Vec<usize> {
            (0..tensors.len()).filter(|&at| step(tensors[at].dtype()).is_some()).collect()
        };
        let ys: Vec<Output> = floats(&outputs).iter().map(|&at| Output { node, index: at as u32 }).collect();
        let xs: Vec<Output> = inputs.iter().map(|&(at, _)| flat[at]).collect();
        if ys.is_empty() || xs.is_empty() {
            return Ok(None);
        }
        let mut summed = Vec::new();
        let mut weights = Vec::new();
        for at in floats(&outputs) {
            let (of_output, tensor) = weights_of(&outputs[at])?;
            weights.push(graph.scope().constant_named("weights", tensor)?);
            summed.push((None, of_output));
        }
        let mut gradients = graph.add_gradients(None, &ys, &xs, Some(&weights))?;
        if order == Order::Second {
            let firsts: Vec<(usize, Output)> =
                gradients.iter().enumerate().filter_map(|(at, gradient)| Some((at, (*gradient)?))).collect();
            (summed, weights) = (Vec::new(), Vec::new());
            for &(at, gradient) in &firsts {
                let (of_gradient, tensor) = weights_of(&call.inputs[inputs[at].0])?;
                weights.push(graph.scope().constant_named("more_weights", tensor)?);
                summed.push((Some(graph.output_name(gradient)), of_gradient));
            }
            let firsts: Vec<Output> = firsts.into_iter().map(|(_, gradient)| gradient).collect();
            gradients = graph.add_gradients(None, &firsts, &xs, Some(&weights))?;
        }
        let gradients = gradients.into_iter().map(|gradient| gradient.map(|g| graph.output_name(g))).collect();
        let session = Session::new(graph, SessionOptions::default())?;
        Ok(Some(Self { subject, call, session, inputs, summed, gradients }))
    }

    fn check(&self, findings: &mut Findings) {
        for (at, gradient) in self.gradients.iter().enumerate() {
            let gradient = gradient.as_ref().map(|name| self.fetch(self.call, name).and_then(|value| real(&value)));
            let gradient = match gradient.transpose() {
                Ok(gradient) => gradient,
                Err(error) => return findings.add(self.call, Some(format!("the gradient fails: {error}"))),
            };
            let wrong = self.compare(at, gradient.as_deref());
            let wrong = wrong.unwrap_or_else(|error| Some(format!("beside the sample: {error}")));
            findings.add(self.call, wrong);
        }
    }

    /// How the gradient by an input differs from the slopes.
    fn compare(&self, at: usize, gradient: Option<&[f64]>) -> Result<Option<String>> {
        let position = self.inputs[at].0;
        let input = &self.call.inputs[position];
        let Some(Step { length, tolerance, kink }) = step(input.dtype()) else { return Ok(None) };
        let numbers = real(input)?;
        if let Some(gradient) = gradient.filter(|gradient| gradient.len() != numbers.len()) {
            let (have, want) = (gradient.len(), numbers.len());
            return Ok(Some(format!("the gradient by input {position} has {have} elements, the input {want}")));
        }
        let here = self.sum(self.call)?;
        for element in (0..numbers.len()).step_by(numbers.len().div_ceil(MOVED).max(1)) {
            let moved = |by: f64| {
                let mut numbers = numbers.clone();
                numbers[element] += by;
                let moved = from_doubles(input.dtype(), input.shape(), &numbers);
                self.sum(&self.call.with_input(position, moved.ok_or_else(|| Error::internal("a real input"))?))
            };
            let (after, before) = (moved(length)?, moved(-length)?);
            let (slope, turn) = ((after - before) / (2.0 * length), (after - 2.0 * here + before) / length);
            // A step has another slope from nearer by.
            let near = (moved(0.5 * length)? - moved(-0.5 * length)?) / length;
            let is = gradient.map_or(0.0, |gradient| gradient[element]);
            let scale = slope.abs().max(is.abs()).max(1.0);
            if !slope.is_finite() || turn.abs() > kink * scale || (near - slope).abs() > kink * scale {
                continue;
            }
            if (slope - is).abs() > tolerance * scale || is.is_nan() {
                let none = if gradient.is_none() { " (there is none)" } else { "" };
                let of = format!("element {element} of input {position}");
                return Ok(Some(format!("the gradient by {of} is {is}{none}, the slope of differences {slope}")));
            }
        }
        Ok(None)
    }

    /// The weighted sum.
    fn sum(&self, call: &OpCall) -> Result<f64> {
        let outputs = match self.summed.iter().any(|(name, _)| name.is_none()) {
            true => self.subject.runner.run(call, Threads::All)?,
            false => Vec::new(),
        };
        let mut outputs = outputs.iter().filter(|output| step(output.dtype()).is_some());
        let mut sum = 0.0;
        for (name, weights) in &self.summed {
            let value = match name {
                Some(name) => real(&self.fetch(call, name)?)?,
                None => outputs.next().map(real).transpose()?.unwrap_or_default(),
            };
            sum += value.iter().zip(weights).map(|(value, weight)| value * weight).sum::<f64>();
        }
        Ok(sum)
    }

    fn fetch(&self, call: &OpCall, name: &str) -> Result<Tensor> {
        let feeds: Vec<(&str, Tensor)> =
            self.inputs.iter().map(|(at, name)| (name.as_str(), call.inputs[*at].clone())).collect();
        let mut values = self.session.run(&feeds, &[name], &[])?;
        values.pop().ok_or_else(|| Error::internal("a value is fetched"))
    }
}

/// Weights of the elements of a tensor, none of them 0, and the same as a tensor like it.
fn weights_of(tensor: &Tensor) -> Result<(Vec<f64>, Tensor)> {
    let weights: Vec<f64> = (0..tensor.num_elements()).map(|at| ((at * 5 % 7) as f64 + 1.0) / 4.0).collect();
    let shape: &Shape = tensor.shape();
    let like = from_doubles(tensor.dtype(), shape, &weights).ok_or_else(|| Error::internal("a real tensor"))?;
    Ok((weights, like))
}

fn real(tensor: &Tensor) -> Result<Vec<f64>> {
    doubles(tensor).ok_or_else(|| Error::internal(format!("a tensor of {} is not real", tensor.dtype())))
}
