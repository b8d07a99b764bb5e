//! The two ways to call an op, as expansions see them: into a graph (`Scope`) and at once (`EagerHost`).

use std::ops::Range;
use std::sync::OnceLock;

use smallvec::SmallVec;

use crate::tensor::{NestedElement, from_nested};
use crate::{AttrEnum, AttrValue, Code, Element, Error, ErrorKind, Op, Result, Tensor};

/// One output of a node in a graph that is being built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Output {
    /// The node, by position in its graph.
    pub node: u32,
    /// Which of the node's outputs.
    pub index: u32,
}

/// One declared input argument in a call: one value, or the values of a list.
#[derive(Clone, Debug)]
pub enum Arg<V> {
    /// For a single tensor.
    One(V),
    /// For `N * T` and list(type).
    List(Vec<V>),
}

/// A call of an op with values of type `V`.
#[derive(Clone, Debug)]
pub struct Call<V> {
    /// The op.
    pub op: &'static str,
    /// Wanted node name; made from the op's name where `None`.
    pub name: Option<String>,
    /// Wanted device, such as `GPU:0`; the place's own where `None`.
    pub device: Option<String>,
    /// Declared inputs in order.
    pub inputs: SmallVec<[Arg<V>; 4]>,
    /// Attrs given; those that follow from inputs and defaults may be left out.
    pub attrs: Vec<(&'static str, AttrValue)>,
}

/// What a call returns: all outputs, and which of them each declared output covers.
#[derive(Clone, Debug)]
pub struct Outputs<V> {
    /// All outputs in order.
    pub values: SmallVec<[V; 2]>,
    /// For each declared output, its part of `values`.
    pub ranges: SmallVec<[Range<usize>; 2]>,
    /// The node, in a graph.
    pub node: u32,
}

impl<V: Clone> Outputs<V> {
    /// The value of a single declared output.
    ///
    /// # Errors
    /// The call returned no such output.
    pub fn one(&self, arg: usize) -> Result<V> {
        let range = self.ranges.get(arg).filter(|range| !range.is_empty());
        let value = range.and_then(|range| self.values.get(range.start));
        value.cloned().ok_or_else(|| Error::internal(format!("output {arg} is missing")))
    }

    /// The values of a declared output.
    ///
    /// # Errors
    /// The call returned no such output.
    pub fn list(&self, arg: usize) -> Result<Vec<V>> {
        let range = self.ranges.get(arg).cloned();
        let values = range.and_then(|range| self.values.get(range));
        values.map(<[V]>::to_vec).ok_or_else(|| Error::internal(format!("output {arg} is missing")))
    }
}

/// A place where nodes are added: a graph, or a part of one with name prefix and device.
pub trait Scope {
    /// Adds a node; its shapes and dtypes are checked and inferred at once.
    ///
    /// # Errors
    /// There is no such op, the inputs or attrs are not those that it declares, or their shapes do not fit.
    fn add(&mut self, call: Call<Output>) -> Result<Outputs<Output>>;

    /// Adds a constant.
    ///
    /// # Errors
    /// The graph does not take the tensor: its dtype has no constants, or it lies in a device's memory.
    fn constant(&mut self, value: Tensor) -> Result<Output>;
}

/// A value that can be an input of a graph op: an output, or something that becomes a constant.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an input of a graph op",
    note = "an input is an `Output` of the graph, or a constant: a `Tensor`, a number or an array of numbers"
)]
pub trait Operand {
    /// The output that stands for the value.
    ///
    /// # Errors
    /// As [`Scope::constant`]; an output never fails.
    fn to_output(self, scope: &mut dyn Scope) -> Result<Output>;
}

impl Operand for Output {
    fn to_output(self, _: &mut dyn Scope) -> Result<Output> {
        Ok(self)
    }
}

impl Operand for &Output {
    fn to_output(self, _: &mut dyn Scope) -> Result<Output> {
        Ok(*self)
    }
}

impl Operand for &&Output {
    fn to_output(self, _: &mut dyn Scope) -> Result<Output> {
        Ok(**self)
    }
}

impl Operand for Tensor {
    fn to_output(self, scope: &mut dyn Scope) -> Result<Output> {
        scope.constant(self)
    }
}

impl Operand for &Tensor {
    fn to_output(self, scope: &mut dyn Scope) -> Result<Output> {
        scope.constant(self.clone())
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element> Operand for T {
    fn to_output(self, scope: &mut dyn Scope) -> Result<Output> {
        scope.constant(Tensor::scalar(self))
    }
}

impl<T: NestedElement, const N: usize> Operand for [T; N] {
    fn to_output(self, scope: &mut dyn Scope) -> Result<Output> {
        scope.constant(from_nested(self))
    }
}

/// Values that can be the inputs of a list of a graph op.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no list of inputs of a graph op",
    label = "this input of the op is a list",
    note = "a list of inputs is an array, a `Vec` or an iterator of outputs, or of what becomes constants: `[x, y]`"
)]
pub trait Operands {
    /// The outputs that stand for the values.
    ///
    /// # Errors
    /// As [`Operand::to_output`].
    fn to_outputs(self, scope: &mut dyn Scope) -> Result<Vec<Output>>;
}

#[diagnostic::do_not_recommend]
impl<I: IntoIterator<Item: Operand>> Operands for I {
    fn to_outputs(self, scope: &mut dyn Scope) -> Result<Vec<Output>> {
        self.into_iter().map(|value| value.to_output(scope)).collect()
    }
}

/// A value that can be an input of an eager call.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not taken as a tensor",
    label = "this input of the op is one tensor",
    note = "a tensor is given as `&Tensor`, `Tensor`, a number, a `&str`, or an array of numbers; that of a slice or a `Vec` \
            is `Tensor::from_slice(&values)`"
)]
pub trait IntoTensor {
    /// Whether this is a number or an array of numbers, as programs write them: where the other operand of an operator
    /// tells the dtype, they take it.
    #[doc(hidden)]
    const IS_LITERAL: bool = false;

    /// The tensor.
    fn into_tensor(self) -> Tensor;
}

impl IntoTensor for Tensor {
    fn into_tensor(self) -> Tensor {
        self
    }
}

impl IntoTensor for &Tensor {
    fn into_tensor(self) -> Tensor {
        self.clone()
    }
}

impl IntoTensor for &&Tensor {
    fn into_tensor(self) -> Tensor {
        (*self).clone()
    }
}

impl IntoTensor for &str {
    fn into_tensor(self) -> Tensor {
        Tensor::from(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element> IntoTensor for T {
    const IS_LITERAL: bool = true;

    fn into_tensor(self) -> Tensor {
        Tensor::scalar(self)
    }
}

impl<T: NestedElement, const N: usize> IntoTensor for [T; N] {
    const IS_LITERAL: bool = true;

    fn into_tensor(self) -> Tensor {
        from_nested(self)
    }
}

/// Values that can be the inputs of a list of an eager call.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not taken as a list of tensors",
    label = "this input of the op is a list",
    note = "a list of tensors is an array, a `Vec` or an iterator of what is taken as a tensor: `[&x, &y]`"
)]
pub trait IntoTensors {
    /// The tensors.
    fn into_tensors(self) -> Vec<Tensor>;
}

#[diagnostic::do_not_recommend]
impl<I: IntoIterator<Item: IntoTensor>> IntoTensors for I {
    fn into_tensors(self) -> Vec<Tensor> {
        self.into_iter().map(IntoTensor::into_tensor).collect()
    }
}

/// A value that a call gives for an attr of kind string: a text, or a value of the attr's enum.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not taken as an attr of kind string",
    label = "this attr of the op is a string",
    note = "a string is given as `&str`, or as a value of the enum that the op has for the attr's values"
)]
pub trait StringAttr {
    /// The text.
    fn into_string(self) -> String;
}

macro_rules! string_attr {
    ($($ty:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl StringAttr for $ty {
            fn into_string(self) -> String {
                String::from(&self[..])
            }
        }
    )*};
}

string_attr!(&str, &String, &Box<str>, &std::sync::Arc<str>, &std::borrow::Cow<'_, str>);

#[diagnostic::do_not_recommend]
impl StringAttr for &&str {
    fn into_string(self) -> String {
        String::from(*self)
    }
}

#[diagnostic::do_not_recommend]
impl StringAttr for String {
    fn into_string(self) -> String {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<E: AttrEnum> StringAttr for E {
    fn into_string(self) -> String {
        self.as_str().to_owned()
    }
}

/// A call of an op whose inputs and outputs are all single tensors.
#[derive(Debug)]
pub struct FlatCall<'a> {
    /// The op.
    pub op: &'static str,
    /// Wanted node name.
    pub name: Option<&'a str>,
    /// Wanted device.
    pub device: Option<&'a str>,
    /// The inputs, which the kernel may take.
    pub inputs: &'a mut [Tensor],
    /// Attrs given.
    pub attrs: &'a [(&'static str, AttrValue)],
}

/// A runtime that executes ops at once.
pub trait EagerHost: Send + Sync {
    /// Runs one op whose inputs and outputs are all single tensors, with a slot for each output.
    ///
    /// # Errors
    /// As [`EagerHost::execute`]; the op has not as many outputs.
    fn execute_flat(&self, call: FlatCall<'_>, outputs: &mut [Option<Tensor>]) -> Result<()> {
        let FlatCall { op, name, device, inputs, attrs } = call;
        let (name, device) = (name.map(str::to_owned), device.map(str::to_owned));
        let inputs = inputs.iter().map(|input| Arg::One(input.clone())).collect();
        let made = self.execute(Call { op, name, device, inputs, attrs: attrs.to_vec() })?;
        if made.values.len() != outputs.len() {
            return Err(wrong_outputs(op, made.values.len(), outputs.len()));
        }
        for (slot, value) in outputs.iter_mut().zip(made.values) {
            *slot = Some(value);
        }
        Ok(())
    }

    /// Runs one op.
    ///
    /// # Errors
    /// There is no such op, no kernel serves it, the inputs or attrs are not those that it declares, or the kernel
    /// fails.
    fn execute(&self, call: Call<Tensor>) -> Result<Outputs<Tensor>>;

    /// The tensor in the host's memory, waited for.
    ///
    /// # Errors
    /// The device fails, or memory runs out.
    fn to_host(&self, tensor: &Tensor) -> Result<Tensor>;

    /// The tensor in the memory of the device that a name means.
    ///
    /// # Errors
    /// There is no such device, it fails, or its memory runs out.
    fn to_device(&self, tensor: &Tensor, device: &str) -> Result<Tensor>;
}

/// The error of a call with so many slots for outputs.
#[cold]
pub fn wrong_outputs(op: &str, outputs: usize, slots: usize) -> Error {
    Error::internal(format!("{slots} slots are given for the {outputs} outputs of {op}"))
}

/// Makes the process's default runtime on first use.
pub type HostFactory = fn() -> Result<&'static dyn EagerHost>;

/// The runtime that typed eager calls go to: the one of the linked `oplink` crate.
///
/// # Errors
/// No runtime is linked, or its registry could not be sealed.
pub fn default_host() -> Result<&'static dyn EagerHost> {
    static HOST: OnceLock<Result<&'static dyn EagerHost>> = OnceLock::new();
    HOST.get_or_init(|| match crate::collect::collected_hosts().first() {
        Some(make) => make(),
        None => Err(Error::new(
            Code::FailedPrecondition,
            ErrorKind::NotLinked,
            "no runtime is linked into this binary: depend on the crate `oplink` and write `oplink::link!(oplink);`",
        )),
    })
    .clone()
}

/// An op that is called by its type.
pub fn call_op<O: Op>() -> Call<Tensor> {
    Call { op: O::NAME, name: None, device: None, inputs: SmallVec::new(), attrs: Vec::new() }
}
