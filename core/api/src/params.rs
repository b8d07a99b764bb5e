//! The forms that a kernel function's parameters and results take: how each is bound to the context.

use ndarray::{Array, ArrayView, ArrayViewMut, Dimension, IxDyn};

use crate::{Element, Error, NodeInfo, Result, TString, Tensor};

/// Several tensors of one element type: the inputs of `N * T`.
#[derive(Clone, Copy)]
pub struct Inputs<'a, T> {
    tensors: &'a [Tensor],
    element: std::marker::PhantomData<T>,
}

impl<'a, T: Element> Inputs<'a, T> {
    /// The number of tensors.
    pub fn len(&self) -> usize {
        self.tensors.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.tensors.is_empty()
    }

    /// The tensors themselves.
    pub fn tensors(&self) -> &'a [Tensor] {
        self.tensors
    }

    /// A view of one.
    ///
    /// # Errors
    /// There is no such tensor, or it has another dtype or rank than the view, or lies in a device's memory.
    pub fn get<D: Dimension>(&self, index: usize) -> Result<ArrayView<'a, T, D>> {
        self.tensors.get(index).ok_or_else(|| Error::out_of_range(format!("input {index} of {}", self.len())))?.view()
    }

    /// Views of all, of dynamic rank.
    pub fn iter(&self) -> impl Iterator<Item = ArrayView<'a, T, IxDyn>> + use<'a, T> {
        self.tensors.iter().filter_map(|t| t.view().ok())
    }
}

/// An output that may stand in the memory of the input that `forward(input => output)` names.
pub enum InOut<'a, T, D: Dimension = IxDyn> {
    /// The input's memory, holding its values, to be overwritten.
    InPlace(ArrayViewMut<'a, T, D>),
    /// The input is still needed elsewhere: read `input`, write `output`.
    Copy {
        /// The input.
        input: ArrayView<'a, T, D>,
        /// The output, of the input's shape, holding arbitrary values.
        output: ArrayViewMut<'a, T, D>,
    },
}

impl<T: Element + Copy, D: Dimension> InOut<'_, T, D> {
    /// Writes `f` of each input element to the output.
    #[inline]
    pub fn map(self, f: impl Fn(T) -> T) {
        match self {
            Self::InPlace(mut values) => match values.as_slice_mut() {
                Some(values) => {
                    for value in values {
                        *value = f(*value);
                    }
                }
                None => {
                    for value in &mut values {
                        *value = f(*value);
                    }
                }
            },
            Self::Copy { input, mut output } => match (input.as_slice(), output.as_slice_mut()) {
                (Some(input), Some(output)) => {
                    for (output, &input) in output.iter_mut().zip(input) {
                        *output = f(input);
                    }
                }
                _ => {
                    for (output, &input) in output.iter_mut().zip(&input) {
                        *output = f(input);
                    }
                }
            },
        }
    }
}

/// A parameter that one input is bound to.
#[diagnostic::on_unimplemented(
    message = "an input cannot be taken as `{Self}`",
    label = "not a form that inputs are taken in",
    note = "an input is taken as `&Tensor`, as an `ArrayView` of its element type (`ArrayView2<'_, f32>`, \
            `ArrayViewD<'_, T>`), or, if it is a scalar, as a value of its element type (`i32`, `T`)"
)]
pub trait InputParam<'a>: Sized {
    /// The element type taken; `AnyElement` where the dtype is not fixed by the parameter.
    type Element;
    /// Binds an input.
    ///
    /// # Errors
    /// The tensor has another dtype or rank than the parameter, is no scalar where one is taken, or lies in a device's
    /// memory.
    fn bind(input: &'a Tensor) -> Result<Self>;
}

/// Stands for the element of parameters that take tensors of every dtype.
#[derive(Debug, Clone, Copy)]
pub struct AnyElement;

#[diagnostic::do_not_recommend]
impl<'a> InputParam<'a> for &'a Tensor {
    type Element = AnyElement;

    #[inline]
    fn bind(input: &'a Tensor) -> Result<Self> {
        Ok(input)
    }
}

#[diagnostic::do_not_recommend]
impl<'a, T: Element, D: Dimension> InputParam<'a> for ArrayView<'a, T, D> {
    type Element = T;

    #[inline]
    fn bind(input: &'a Tensor) -> Result<Self> {
        input.view()
    }
}

#[diagnostic::do_not_recommend]
impl<'a> InputParam<'a> for &'a str {
    type Element = TString;

    #[inline]
    fn bind(input: &'a Tensor) -> Result<Self> {
        match input.as_slice::<TString>()? {
            [text] => text.to_str().map_err(|error| Error::invalid_argument(error.to_string())),
            _ => Err(Error::invalid_argument(format!("expected one element, the tensor has shape {}", input.shape()))),
        }
    }
}

/// A parameter that the inputs of `N * T` or of a list type are bound to.
#[diagnostic::on_unimplemented(
    message = "a list of inputs cannot be taken as `{Self}`",
    label = "this argument covers several tensors",
    note = "inputs of `N * T` are taken as `Inputs<'_, T>` or `&[Tensor]`, those of a list(type) as `&[Tensor]`"
)]
pub trait InputListParam<'a>: Sized {
    /// The element type taken.
    type Element;
    /// Binds the inputs.
    ///
    /// # Errors
    /// A tensor has another dtype than the parameter, or lies in a device's memory.
    fn bind_list(inputs: &'a [Tensor]) -> Result<Self>;
}

#[diagnostic::do_not_recommend]
impl<'a> InputListParam<'a> for &'a [Tensor] {
    type Element = AnyElement;

    fn bind_list(inputs: &'a [Tensor]) -> Result<Self> {
        Ok(inputs)
    }
}

#[diagnostic::do_not_recommend]
impl<'a, T: Element> InputListParam<'a> for Inputs<'a, T> {
    type Element = T;

    fn bind_list(tensors: &'a [Tensor]) -> Result<Self> {
        tensors.iter().try_for_each(|t| t.as_slice::<T>().map(drop))?;
        Ok(Self { tensors, element: std::marker::PhantomData })
    }
}

/// A parameter that an output, allocated from the shape function, is bound to.
#[diagnostic::on_unimplemented(
    message = "an output cannot be written through `{Self}`",
    label = "not a form that outputs are written in",
    note = "an output is written through `ArrayViewMut` of its element type, through `&mut Tensor`, through \
            `InOut` if it is forwarded, or returned"
)]
pub trait OutputParam<'a>: Sized {
    /// The element type written.
    type Element;
    /// Binds the allocated tensor.
    ///
    /// # Errors
    /// The tensor has another dtype or rank than the parameter, or lies in a device's memory.
    fn bind_output(output: &'a mut Tensor) -> Result<Self>;
}

#[diagnostic::do_not_recommend]
impl<'a> OutputParam<'a> for &'a mut Tensor {
    type Element = AnyElement;

    fn bind_output(output: &'a mut Tensor) -> Result<Self> {
        Ok(output)
    }
}

#[diagnostic::do_not_recommend]
impl<'a, T: Element, D: Dimension> OutputParam<'a> for ArrayViewMut<'a, T, D> {
    type Element = T;

    #[inline]
    fn bind_output(output: &'a mut Tensor) -> Result<Self> {
        output.view_mut()
    }
}

/// A parameter that the outputs of `N * T` or of a list type, allocated from the shape function, are bound to.
#[diagnostic::on_unimplemented(
    message = "a list of outputs cannot be written through `{Self}`",
    label = "this argument covers several tensors",
    note = "outputs of `N * T` and of list types are written through `&mut [Tensor]`, or returned as `Vec<Tensor>`"
)]
pub trait OutputListParam<'a>: Sized {
    /// Binds the allocated tensors.
    fn bind_output_list(outputs: &'a mut [Tensor]) -> Self;
}

impl<'a> OutputListParam<'a> for &'a mut [Tensor] {
    fn bind_output_list(outputs: &'a mut [Tensor]) -> Self {
        outputs
    }
}

/// The parameter of an output with `forward(input => output)`.
#[diagnostic::on_unimplemented(
    message = "a forwarded output cannot be written through `{Self}`",
    label = "not a form that forwarded outputs are written in",
    note = "the memory of the input and of the output may be the same, so both are one parameter: `InOut<'_, T>`"
)]
pub trait InOutParam<'a>: Sized {
    /// The element type.
    type Element;
    /// Binds memory shared by input and output.
    ///
    /// # Errors
    /// The tensor has another dtype or rank than the parameter, or lies in a device's memory.
    fn bind_in_place(values: &'a mut Tensor) -> Result<Self>;
    /// Binds an input that stays and a new output.
    ///
    /// # Errors
    /// A tensor has another dtype or rank than the parameter, or lies in a device's memory.
    fn bind_copy(input: &'a Tensor, output: &'a mut Tensor) -> Result<Self>;
}

#[diagnostic::do_not_recommend]
impl<'a, T: Element, D: Dimension> InOutParam<'a> for InOut<'a, T, D> {
    type Element = T;

    #[inline]
    fn bind_in_place(values: &'a mut Tensor) -> Result<Self> {
        Ok(Self::InPlace(values.view_mut()?))
    }

    #[inline]
    fn bind_copy(input: &'a Tensor, output: &'a mut Tensor) -> Result<Self> {
        Ok(Self::Copy { input: input.view()?, output: output.view_mut()? })
    }
}

/// A value that a kernel returns for one output.
#[diagnostic::on_unimplemented(
    message = "an output cannot be returned as `{Self}`",
    label = "not a form that outputs are returned in",
    note = "an output is returned as `Tensor`, as an owned `ndarray::Array` of its element type, or as a value of it"
)]
pub trait OutputValue: Sized {
    /// The element type returned.
    type Element;
    /// The output.
    fn into_output(self) -> Tensor;

    /// The output of a run of `node`: for a type of the author's own that keeps what it was made of. An input that the
    /// kernel took has the dtype `Invalid`.
    fn into_output_of(self, node: &NodeInfo, inputs: &[Tensor]) -> Tensor {
        let _ = (node, inputs);
        self.into_output()
    }
}

#[diagnostic::do_not_recommend]
impl OutputValue for Tensor {
    type Element = AnyElement;

    fn into_output(self) -> Tensor {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element, D: Dimension> OutputValue for Array<T, D> {
    type Element = T;

    fn into_output(self) -> Tensor {
        Tensor::from_array(self)
    }
}

/// Values that a kernel returns for an output of `N * T` or of a list type.
#[diagnostic::on_unimplemented(
    message = "a list of outputs cannot be returned as `{Self}`",
    label = "this argument covers several tensors",
    note = "outputs of `N * T` and of list types are returned as `Vec<Tensor>`"
)]
pub trait OutputListValue: Sized {
    /// The outputs.
    fn into_outputs(self) -> Vec<Tensor>;
}

impl OutputListValue for Vec<Tensor> {
    fn into_outputs(self) -> Vec<Tensor> {
        self
    }
}

/// That a parameter's element is the one the op declares. Implemented for equal types and for [`AnyElement`].
///
/// `Name` is the type of the argument's name; as it is inferred, the compiler does not propose the bound to authors.
#[diagnostic::on_unimplemented(
    message = "the op declares elements of `{Expected}` here, the kernel takes `{Self}`",
    label = "expected elements of `{Expected}`",
    note = "a parameter whose dtype is not fixed is taken as `&Tensor`; one whose type attr the kernel lists is taken \
            with the generic of the attr's name"
)]
pub trait SameElement<Expected, Name = ()> {}

impl<T: Element, N> SameElement<T, N> for T {}
#[diagnostic::do_not_recommend]
impl<T, N> SameElement<T, N> for AnyElement {}

/// Stands for the element of an argument in a kernel that serves several dtypes with one function.
#[derive(Debug, Clone, Copy)]
pub struct AnyOf<Types>(std::marker::PhantomData<Types>);

/// Stands for the element of an argument whose type attr the kernel does not list.
#[derive(Debug, Clone, Copy)]
pub struct EveryType;

/// Stands for the elements of a list(type).
#[derive(Debug, Clone, Copy)]
pub struct DifferentTypes;
