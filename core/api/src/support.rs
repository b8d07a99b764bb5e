//! What expansions call, and the names they use. Not part of the public interface.
#![allow(missing_docs, reason = "hidden from users")]

use std::fmt::Display;
use std::ops::Range;

pub use crate::__collect;
pub use crate::attr::{AttrParam, FuncAttr};
pub use crate::collect::*;
pub use crate::descriptor::*;
pub use crate::params::*;
pub use crate::runtime::*;
pub use crate::{
    DType, Element, Kernel, KernelConstruction, KernelContext, PartialShape, Result, ShapeFn, Tensor, element,
};
#[cfg(feature = "inventory")]
pub use inventory;
pub use linkme;

use crate::{Error, ResultExt, Shape};

#[cold]
fn missing(what: &str, name: impl Display) -> Error {
    Error::internal(format!("{what} `{name}` is missing"))
}

/// Binds the single input at flat position `index`, declared as `name` with elements `E`.
#[inline]
pub fn input<'a, P, E, N: Display>(inputs: &'a [Tensor], index: usize, name: N) -> Result<P>
where
    P: InputParam<'a, Element: SameElement<E, N>>,
{
    let tensor = inputs.get(index).ok_or_else(|| missing("input", &name))?;
    P::bind(tensor).context_with(|| format!("binding input `{name}`"))
}

/// Binds the inputs at `range`, declared as `name` with elements `E`.
#[inline]
pub fn input_list<'a, P, E, N: Display>(inputs: &'a [Tensor], range: Range<usize>, name: N) -> Result<P>
where
    P: InputListParam<'a, Element: SameElement<E, N>>,
{
    let tensors = inputs.get(range).ok_or_else(|| missing("input", &name))?;
    P::bind_list(tensors).context_with(|| format!("binding input `{name}`"))
}

/// Positions of the inputs that a declared argument covers.
#[inline]
pub fn input_range(context: &KernelContext<'_>, arg: usize) -> Range<usize> {
    context.node().input_ranges[arg].clone()
}

/// Positions of the outputs that a declared argument covers.
#[inline]
pub fn output_range(context: &KernelContext<'_>, arg: usize) -> Range<usize> {
    context.node().output_ranges[arg].clone()
}

/// A reference of its own to one input, for kernels that also take the context mutably.
#[inline]
pub fn hold(inputs: &[Tensor], index: usize, name: &str) -> Result<[Tensor; 1]> {
    inputs.get(index).map(|tensor| [tensor.clone()]).ok_or_else(|| missing("input", &name))
}

/// References of their own to the inputs of a list.
pub fn hold_list(inputs: &[Tensor], range: Range<usize>, name: &str) -> Result<Vec<Tensor>> {
    inputs.get(range).map(<[Tensor]>::to_vec).ok_or_else(|| missing("input", &name))
}

/// Reads the attr at position `index`, declared as `name` of kind `K`.
#[inline]
pub fn attr<'a, P: AttrParam<'a, K>, K: ?Sized, N: Into<&'static str>>(
    context: &KernelContext<'a>,
    index: usize,
    name: N,
) -> Result<P> {
    let name = name.into();
    let value = context.node().attrs.at(index, name).ok_or_else(|| missing("attr", name))?;
    P::from_attr(value).ok_or_else(|| crate::attr::wrong_kind(name, value, P::KIND))
}

/// Binds an allocated output with elements `E`.
#[inline]
pub fn output<'a, P, E, N: Display>(tensor: &'a mut Tensor, name: N) -> Result<P>
where
    P: OutputParam<'a, Element: SameElement<E, N>>,
{
    P::bind_output(tensor).context_with(|| format!("binding output `{name}`"))
}

/// Binds the allocated outputs of a list.
#[inline]
pub fn output_list<'a, P: OutputListParam<'a>>(tensors: &'a mut [Tensor]) -> Result<P> {
    Ok(P::bind_output_list(tensors))
}

/// Allocates the outputs of a list from the shape function.
pub fn allocate_list(context: &KernelContext<'_>, range: Range<usize>, name: &str) -> Result<Vec<Tensor>> {
    let shapes = context.infer_output_shapes()?;
    range.map(|index| allocate_one(context, &shapes, index, name)).collect()
}

/// Allocates several outputs, given by flat position and name, from one call of the shape function.
pub fn allocate_outputs<const N: usize>(
    context: &KernelContext<'_>,
    outputs: [(usize, &str); N],
) -> Result<[Tensor; N]> {
    let shapes = context.infer_output_shapes()?;
    let mut tensors = [const { None }; N];
    for (slot, (index, name)) in tensors.iter_mut().zip(outputs) {
        *slot = Some(allocate_one(context, &shapes, index, name)?);
    }
    Ok(tensors.map(|tensor| tensor.unwrap_or_else(Tensor::empty)))
}

fn allocate_one(context: &KernelContext<'_>, shapes: &[PartialShape], index: usize, name: &str) -> Result<Tensor> {
    let shape: Option<Shape> = shapes.get(index).and_then(PartialShape::to_shape);
    let shape = shape.ok_or_else(|| {
        Error::invalid_argument(format!(
            "the shape function of {} leaves the shape of output `{name}` unknown ({}), so it cannot be allocated; \
             return the output from the kernel instead",
            context.node().op.name,
            shapes.get(index).map_or_else(|| "?".to_owned(), ToString::to_string),
        ))
    })?;
    context.allocate_output(index, shape)
}

/// The tensors behind a forwarded pair.
pub enum Forwarded {
    InPlace(Tensor),
    Copy(Tensor, Tensor),
}

/// Takes the input's memory for the output where nobody else needs it, or allocates an output of the same shape.
#[inline]
pub fn forward(context: &mut KernelContext<'_>, input: usize, output: usize) -> Result<Forwarded> {
    let shape = context.input(input).shape().clone();
    match context.forward_or_allocate(&[input], output, &shape)? {
        (Some(_), tensor) => Ok(Forwarded::InPlace(tensor)),
        (None, tensor) => Ok(Forwarded::Copy(context.take_input(input), tensor)),
    }
}

/// Binds the parameter of a forwarded pair with elements `E`.
#[inline]
pub fn in_out<'a, P, E, N: Display>(forwarded: &'a mut Forwarded, name: N) -> Result<P>
where
    P: InOutParam<'a, Element: SameElement<E, N>>,
{
    match forwarded {
        Forwarded::InPlace(tensor) => P::bind_in_place(tensor),
        Forwarded::Copy(input, output) => P::bind_copy(input, output),
    }
    .context_with(|| format!("binding output `{name}`"))
}

impl Forwarded {
    /// The output.
    #[inline]
    pub fn into_output(self) -> Tensor {
        match self {
            Self::InPlace(tensor) | Self::Copy(_, tensor) => tensor,
        }
    }
}

/// The result of a kernel with the error as the runtime's.
#[inline]
pub fn checked<T, E>(result: std::result::Result<T, E>) -> Result<T>
where
    Error: From<E>,
{
    Ok(result?)
}

/// Sets an output that the kernel wrote.
#[inline]
pub fn set_output(context: &mut KernelContext<'_>, index: usize, tensor: Tensor) {
    context.set_output(index, tensor);
}

/// Sets an output, with elements `E`, that the kernel returned.
#[inline]
pub fn set_returned<P, E, N>(context: &mut KernelContext<'_>, index: usize, _: N, value: P)
where
    P: OutputValue<Element: SameElement<E, N>>,
{
    context.set_output(index, value.into_output());
}

/// Sets the outputs of a declared list.
pub fn set_output_list(
    context: &mut KernelContext<'_>,
    range: Range<usize>,
    name: &str,
    values: Vec<Tensor>,
) -> Result<()> {
    if values.len() != range.len() {
        return Err(Error::invalid_argument(format!(
            "output `{name}` has {} tensors, the kernel returned {}",
            range.len(),
            values.len()
        )));
    }
    range.zip(values).for_each(|(index, tensor)| context.set_output(index, tensor));
    Ok(())
}

/// Sets the outputs of a declared list that the kernel returned.
pub fn set_returned_list<P: OutputListValue>(
    context: &mut KernelContext<'_>,
    range: Range<usize>,
    name: &str,
    value: P,
) -> Result<()> {
    set_output_list(context, range, name, value.into_outputs())
}

/// The constructor of a kernel type.
pub fn create<K: Kernel>(construction: &KernelConstruction<'_>) -> Result<Box<dyn Kernel + 'static>> {
    Ok(Box::new(K::new(construction)?))
}

/// Whether the dtype is in the list.
pub const fn is_one_of(dtype: DType, list: &[DType]) -> bool {
    let mut index = 0;
    while index < list.len() {
        if list[index] as u8 == dtype as u8 {
            return true;
        }
        index += 1;
    }
    false
}

/// The descriptor of the `#[kernel]` at one position among several on an item.
pub trait KernelAt<const INDEX: usize> {
    const DESCRIPTOR: &'static KernelDescriptor;
}

/// The number of kernels in lists.
pub const fn count(lists: &[&[&'static KernelDescriptor]]) -> usize {
    let (mut total, mut index) = (0, 0);
    while index < lists.len() {
        total += lists[index].len();
        index += 1;
    }
    total
}

/// The kernels of lists as one array, of `count` elements.
pub const fn flatten<const N: usize>(lists: &[&[&'static KernelDescriptor]]) -> [&'static KernelDescriptor; N] {
    let mut flat = [&INVALID_KERNEL; N];
    let (mut at, mut list) = (0, 0);
    while list < lists.len() {
        let mut index = 0;
        while index < lists[list].len() {
            flat[at] = lists[list][index];
            at += 1;
            index += 1;
        }
        list += 1;
    }
    flat
}

const NOWHERE: Location = Location { crate_name: "", crate_version: "", file: "", line: 0 };

/// Stands for an op whose declaration does not compile.
pub static INVALID_OP: OpDescriptor = OpDescriptor {
    name: "",
    inputs: &[],
    outputs: &[],
    attrs: &[],
    flags: OpFlags {
        commutative: false,
        aggregate: false,
        stateful: false,
        allows_uninitialized_input: false,
        distributed_communication: false,
    },
    deprecation: None,
    shape: None,
    doc: "",
    excluded: false,
    location: NOWHERE,
};

/// Fills arrays of kernels until they are written.
static INVALID_KERNEL: KernelDescriptor = KernelDescriptor {
    op: "",
    device: "",
    label: "",
    priority: 0,
    host_memory: &[],
    forward: &[],
    type_attrs: &[],
    entries: &[],
    excluded: &[],
    location: NOWHERE,
};

/// Makes an input of a graph call.
pub fn graph_arg(value: impl Operand, scope: &mut dyn Scope) -> Result<Arg<Output>> {
    value.to_output(scope).map(Arg::One)
}

/// Makes the inputs of a list of a graph call.
pub fn graph_args(values: impl IntoIterator<Item = impl Operand>, scope: &mut dyn Scope) -> Result<Arg<Output>> {
    values.into_iter().map(|value| value.to_output(scope)).collect::<Result<_>>().map(Arg::List)
}

/// Makes an input of an eager call.
pub fn eager_arg(value: impl IntoTensor) -> Arg<Tensor> {
    Arg::One(value.into_tensor())
}

/// Makes the inputs of a list of an eager call.
pub fn eager_args(values: impl IntoIterator<Item = impl IntoTensor>) -> Arg<Tensor> {
    Arg::List(values.into_iter().map(IntoTensor::into_tensor).collect())
}

/// A call that collects attrs before its inputs are known.
#[derive(Clone, Debug)]
pub struct CallBuilder {
    op: &'static str,
    name: Option<String>,
    attrs: Vec<(&'static str, crate::AttrValue)>,
}

impl CallBuilder {
    pub const fn new(op: &'static str) -> Self {
        Self { op, name: None, attrs: Vec::new() }
    }

    pub fn name(mut self, name: String) -> Self {
        self.name = Some(name);
        self
    }

    pub fn attr(mut self, name: &'static str, value: impl Into<crate::AttrValue>) -> Self {
        self.attrs.push((name, value.into()));
        self
    }

    pub fn add<const N: usize>(self, scope: &mut dyn Scope, inputs: [Arg<Output>; N]) -> Result<Outputs<Output>> {
        scope.add(self.with(inputs))
    }

    pub fn execute<const N: usize>(self, inputs: [Arg<Tensor>; N]) -> Result<Outputs<Tensor>> {
        default_host()?.execute(self.with(inputs))
    }

    fn with<V, const N: usize>(self, inputs: [Arg<V>; N]) -> Call<V> {
        Call { op: self.op, name: self.name, inputs: inputs.into_iter().collect(), attrs: self.attrs }
    }
}
