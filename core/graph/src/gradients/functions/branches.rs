//! Conditions: `If` and `Case`. What the gradient of one branch needs all branches return, the others as placeholders
//! that nobody reads; the gradient is a condition on the same value.

use std::collections::BTreeSet;

use oplink_api::call::Arg;
use oplink_api::{AttrValue, DType, FuncAttr, Output, PartialShape, Result};
use oplink_proto::FunctionDef;

use super::body::BodyGradient;
use super::library::{adopt, free_name, named_of, op_for, types};
use super::{Through, add, dtypes, first};
use crate::known_ops::KnownOp;

/// A branch with what its gradient needs.
struct Branch {
    name: String,
    body: BodyGradient,
    /// What the forward function returns.
    values: Vec<Output>,
    dtypes: Vec<DType>,
    /// Positions of the arguments that the gradient reads.
    arguments: Vec<usize>,
}

impl Through<'_> {
    pub(super) fn through_branches(mut self, attrs: &[&'static str]) -> Result<Vec<Option<Output>>> {
        let (active, wanted) = (self.active(), self.wanted(1));
        let Some((mut branches, found)) = self.branches(attrs, &active, &wanted)? else {
            return Ok(vec![None; self.wanted.len()]);
        };
        let read: BTreeSet<usize> = branches.iter().flat_map(|branch| branch.arguments.iter().copied()).collect();
        let returned: Vec<Vec<DType>> = branches.iter().map(|branch| branch.dtypes.clone()).collect();
        let (mut forward, mut backward) = (Vec::new(), Vec::new());
        for (at, branch) in branches.iter_mut().enumerate() {
            forward.push(branch.forward(&free_name(self.graph, "forward", &branch.name), &returned, at)?);
            self.graph.add_function(&forward[at])?;
            backward.push(branch.backward(&free_name(self.graph, "backward", &branch.name), &returned, at, &read)?);
            self.graph.add_function(&backward[at])?;
        }
        let first = self.of().num_outputs();
        let count: usize = returned.iter().map(Vec::len).sum();
        self.choose_forward(attrs, &forward, returned.concat())?;
        let inputs: Vec<Output> = self
            .dys(&active)
            .into_iter()
            .chain((first..first + count).map(|index| self.output(index)))
            .chain(read.iter().map(|&at| self.of().inputs()[1 + at]))
            .collect();
        let made = self.choose_backward(attrs, &backward, inputs, found.iter().flatten().copied().collect())?;
        let mut made = made.into_iter();
        let gradients = found.into_iter().map(|found| found.and_then(|_| made.next()));
        Ok(std::iter::once(None).chain(gradients).collect())
    }

    /// The branches, and the dtype of the gradient by each argument that has one in some of them. `None` where no
    /// argument has.
    #[allow(clippy::type_complexity, reason = "both parts are named at the only call")]
    fn branches(
        &mut self,
        attrs: &[&str],
        active: &[bool],
        wanted: &[bool],
    ) -> Result<Option<(Vec<Branch>, Vec<Option<DType>>)>> {
        let shapes = self.input_shapes(1);
        let mut bodies = Vec::new();
        for function in self.branch_functions(attrs)? {
            let body = BodyGradient::body(self.graph, &function, &shapes)?;
            let body = BodyGradient::new(body, active, wanted)?;
            adopt(self.graph, &body.graph);
            bodies.push((function.name, body));
        }
        let dtype = |at| bodies.iter().find_map(|(_, body)| body.gradient_dtype(at));
        let found: Vec<Option<DType>> = (0..wanted.len()).map(dtype).collect();
        if found.iter().all(Option::is_none) {
            return Ok(None);
        }
        let branches = bodies.into_iter().map(|(name, body)| Branch::new(name, body, &found)).collect::<Result<_>>()?;
        Ok(Some((branches, found)))
    }

    fn branch_functions(&self, attrs: &[&str]) -> Result<Vec<FuncAttr>> {
        match attrs {
            [list] => Ok(self.of().info().attr::<&[FuncAttr]>(list)?.to_vec()),
            attrs => attrs.iter().map(|attr| self.function(attr)).collect(),
        }
    }

    /// Lets the node choose among functions that return more.
    fn choose_forward(&mut self, attrs: &[&'static str], functions: &[FunctionDef], more: Vec<DType>) -> Result<()> {
        let shapes = self.output_shapes_with(more.iter().map(|_| PartialShape::unknown()))?;
        let results = self.of().info().output_dtypes.iter().copied().chain(more).collect();
        let mut new = function_attrs(attrs, functions);
        new.extend([("Tout", types(results)), ("output_shapes", shapes)]);
        let attrs = self.attrs_with(new);
        let attrs: Vec<(&str, AttrValue)> = attrs.iter().map(|(name, value)| (&**name, value.clone())).collect();
        let op = self.of().known();
        let inputs = self.of().inputs().to_vec();
        self.replaced.replace(self.graph, self.node, op, inputs, &attrs)
    }

    fn choose_backward(
        &mut self,
        attrs: &[&'static str],
        functions: &[FunctionDef],
        inputs: Vec<Output>,
        results: Vec<DType>,
    ) -> Result<Vec<Output>> {
        let (stateful, stateless) = match attrs {
            [_] => (KnownOp::Case, KnownOp::StatelessCase),
            _ => (KnownOp::If, KnownOp::StatelessIf),
        };
        let chosen_by = self.of().inputs()[0];
        let mut given = function_attrs(attrs, functions);
        given.push(("Tout", types(results)));
        let op = op_for(functions, stateful, stateless);
        add(&mut self.scope(), op, [Arg::One(chosen_by), Arg::List(inputs)], given)
    }
}

impl Branch {
    /// The branch with zeros as gradients by arguments that only others depend on.
    fn new(name: String, mut body: BodyGradient, found: &[Option<DType>]) -> Result<Self> {
        for (at, dtype) in found.iter().enumerate() {
            if let (Some(dtype), None) = (dtype, body.gradients[at]) {
                body.gradients[at] = Some(body.zeros(at, *dtype)?);
            }
        }
        let captured = body.capture()?;
        let position = |output: &Output| body.arguments.iter().position(|argument| argument == output);
        let arguments = captured.iter().filter_map(position).collect();
        let values: Vec<Output> = captured.iter().filter(|output| position(output).is_none()).copied().collect();
        Ok(Self { dtypes: dtypes(&body.graph, &values), name, body, values, arguments })
    }

    /// The function that returns what the gradients of all branches need; of others' values placeholders.
    fn forward(&mut self, name: &str, returned: &[Vec<DType>], own: usize) -> Result<FunctionDef> {
        let mut more = Vec::new();
        for (at, dtypes) in returned.iter().enumerate() {
            if at == own {
                more.extend(&self.values);
                continue;
            }
            for &dtype in dtypes {
                let attrs = vec![("dtype", dtype.into()), ("shape", AttrValue::Shape(PartialShape::unknown()))];
                more.push(first(add(&mut self.body.scope(), KnownOp::FakeParam, [], attrs)?)?);
            }
        }
        self.body.forward(name, &[], &more)
    }

    /// The function of the gradients: of the results' gradients, what all branches returned, and the arguments `read`.
    fn backward(
        &mut self,
        name: &str,
        returned: &[Vec<DType>],
        own: usize,
        read: &BTreeSet<usize>,
    ) -> Result<FunctionDef> {
        let mut taken = self.body.dys.clone();
        for (at, dtypes) in returned.iter().enumerate() {
            if at == own {
                taken.extend(&self.values);
                continue;
            }
            for &dtype in dtypes {
                taken.push(self.body.scope().placeholder("unread", dtype, PartialShape::unknown())?);
            }
        }
        taken.extend(read.iter().map(|&at| self.body.arguments[at]));
        let results: Vec<Output> = self.body.gradients.iter().flatten().copied().collect();
        self.body.backward(name, &taken, &results)
    }
}

/// The attrs that name the branches.
fn function_attrs(attrs: &[&'static str], functions: &[FunctionDef]) -> Vec<(&'static str, AttrValue)> {
    match attrs {
        &[list] => vec![(list, AttrValue::Funcs(functions.iter().map(named_of).collect()))],
        attrs => attrs.iter().zip(functions).map(|(&attr, def)| (attr, AttrValue::Func(named_of(def)))).collect(),
    }
}
