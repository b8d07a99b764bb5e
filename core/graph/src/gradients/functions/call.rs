//! Calls: `PartitionedCall`, `StatefulPartitionedCall`, and nodes whose op is a function.

use oplink_api::call::Arg;
use oplink_api::{AttrMap, AttrValue, FuncAttr, Output, Result, bail};

use super::body::{BodyGradient, chosen};
use super::library::{add_functions, adopt, free_name, op_for, types};
use super::{Through, add, dtypes};
use crate::functions::called;
use crate::known_ops::KnownOp;

impl Through<'_> {
    pub(super) fn through_call(mut self) -> Result<Vec<Option<Output>>> {
        let info = self.of().info().clone();
        let Some((name, attrs)) = called(self.graph, &info) else {
            bail!("the node calls no function of the graph's library")
        };
        let function = FuncAttr { name: name.to_owned(), attrs: attrs.clone() };
        if let Some(gradient) = self.graph.functions.gradient_of(name) {
            return self.by_gradient_function(&FuncAttr { name: gradient, attrs: AttrMap::new() });
        }
        let (active, wanted) = (self.active(), self.wanted(0));
        let body = BodyGradient::body(self.graph, &function, &self.input_shapes(0))?;
        let mut body = BodyGradient::new(body, &active, &wanted)?;
        let captured = body.capture()?;
        adopt(self.graph, &body.graph);
        let (arguments, values): (Vec<Output>, Vec<Output>) =
            captured.into_iter().partition(|output| body.arguments.contains(output));
        let has_gradient: Vec<bool> = body.gradients.iter().map(Option::is_some).collect();
        if !has_gradient.contains(&true) {
            return Ok(vec![None; wanted.len()]);
        }
        let forward = body.forward(&free_name(self.graph, "forward", &function.name), &[], &values)?;
        let results: Vec<Output> = body.gradients.iter().flatten().copied().collect();
        let taken = [&body.dys, &values, &arguments].map(Vec::as_slice).concat();
        let backward = body.backward(&free_name(self.graph, "backward", &function.name), &taken, &results)?;
        let op = op_for(std::slice::from_ref(&backward), KnownOp::StatefulPartitionedCall, KnownOp::PartitionedCall);
        let [forward, backward] = add_functions(self.graph, &[forward, backward])?;
        let first = self.of().num_outputs();
        self.call_forward(forward, dtypes(&body.graph, &values))?;
        let position = |argument: &Output| body.arguments.iter().position(|known| known == argument);
        let arguments = arguments.iter().filter_map(position).map(|at| self.of().inputs()[at]);
        let inputs: Vec<Output> = self
            .dys(&active)
            .into_iter()
            .chain((first..first + values.len()).map(|index| self.output(index)))
            .chain(arguments)
            .collect();
        let attrs = vec![("Tout", types(dtypes(&body.graph, &results))), ("f", AttrValue::Func(backward))];
        let mut made = add(&mut self.scope(), op, [Arg::List(inputs)], attrs)?.into_iter();
        Ok(has_gradient.into_iter().map(|has| if has { made.next() } else { None }).collect())
    }

    /// Lets the node call the function that returns more.
    fn call_forward(&mut self, forward: FuncAttr, more: Vec<oplink_api::DType>) -> Result<()> {
        let info = self.of().info().clone();
        let op = self.of().known();
        let results = info.output_dtypes.iter().copied().chain(more).collect();
        let new = vec![("Tout", types(results)), ("f", AttrValue::Func(forward))];
        let (op, attrs) = match op.call_attr() {
            Some(_) => (op, self.attrs_with(new)),
            None => {
                let own = [("Tin", types(info.input_dtypes.clone()))].into_iter().chain(new);
                let own = own.map(|(name, value)| (name.to_owned(), value)).collect();
                (KnownOp::StatefulPartitionedCall, own)
            }
        };
        let attrs: Vec<(&str, AttrValue)> = attrs.iter().map(|(name, value)| (&**name, value.clone())).collect();
        let inputs = self.of().inputs().to_vec();
        self.replaced.replace(self.graph, self.node, op, inputs, &attrs)
    }

    /// The gradient that the library names for a function: it takes the arguments and the gradients of the results,
    /// and returns a gradient for each argument.
    fn by_gradient_function(mut self, gradient: &FuncAttr) -> Result<Vec<Option<Output>>> {
        let info = self.of().info().clone();
        let mut inputs = self.of().inputs().to_vec();
        let sums = self.sums;
        for (index, &sum) in sums.iter().enumerate() {
            inputs.push(match sum {
                Some(sum) => sum,
                None => {
                    let output = self.output(index);
                    super::add_one(&mut self.scope(), KnownOp::ZerosLike, &[output])?
                }
            });
        }
        let attrs = vec![("Tout", types(info.input_dtypes.clone())), ("f", AttrValue::Func(gradient.clone()))];
        let made = add(&mut self.scope(), KnownOp::StatefulPartitionedCall, [Arg::List(inputs)], attrs)?;
        let wanted = self.wanted(0);
        let has = chosen(&made, &wanted);
        Ok(made.into_iter().map(|output| has.contains(&output).then_some(output)).collect())
    }
}
