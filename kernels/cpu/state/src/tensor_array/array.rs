//! The resource behind a tensor array's handle.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oplink::memory::{try_filled, try_resize};
use oplink::prelude::*;
use oplink::resource::{ResourceInfo, ResourceManager};

use crate::sums;

/// The container of the arrays that have a name in their step, and the type in these names.
const CONTAINER: &str = "_tensor_arrays";
const KIND: &str = "tensor array";

/// Numbers of the arrays that have a name, which make the names differ.
static NUMBER: AtomicU64 = AtomicU64::new(0);

/// What a tensor array is made with.
#[derive(Clone, Debug)]
pub(super) struct Declaration {
    pub(super) name: String,
    pub(super) dtype: DType,
    /// What is known of every element's shape.
    pub(super) element_shape: PartialShape,
    /// Whether writes beyond the end make it longer.
    pub(super) dynamic_size: bool,
    /// Whether an element goes when it is read.
    pub(super) clear_after_read: bool,
    /// Whether the first element that is written tells the shape of all.
    pub(super) identical_element_shapes: bool,
    /// Whether what is written to one position adds up: so it is in gradients.
    pub(super) sums: bool,
}

/// Tensors that are written, each once, and read within a step.
pub struct TensorArray {
    dtype: DType,
    name: String,
    /// The name that a step knows it by.
    key: Option<String>,
    state: Mutex<State>,
}

pub(super) struct State {
    declaration: Declaration,
    elements: Vec<Element>,
    closed: bool,
    /// Whether there was a sum, of which no gradient can be had.
    has_sums: bool,
    /// The arrays of gradients, by source.
    gradients: BTreeMap<String, ResourceHandle>,
}

#[derive(Clone, Debug, Default)]
struct Element {
    tensor: Option<Tensor>,
    /// The shape, once it is known.
    shape: Option<Shape>,
    written: bool,
    read: bool,
    cleared: bool,
}

impl TensorArray {
    /// A handle to a new array of so many elements. The array has a name in `step`, and ends with that, or else goes
    /// with its last handle.
    pub(super) fn handle(
        declaration: Declaration,
        size: usize,
        step: Option<&ResourceManager>,
    ) -> Result<ResourceHandle> {
        Self::with_elements(declaration, try_filled(Element::default(), size)?, step)
    }

    fn with_elements(
        declaration: Declaration,
        elements: Vec<Element>,
        step: Option<&ResourceManager>,
    ) -> Result<ResourceHandle> {
        let (dtype, name) = (declaration.dtype, declaration.name.clone());
        let key = step.map(|_| format!("{name}_{}", NUMBER.fetch_add(1, Ordering::Relaxed)));
        let info = ResourceInfo {
            name: key.as_ref().unwrap_or(&name).clone(),
            type_name: KIND.into(),
            dtypes_and_shapes: vec![(dtype, declaration.element_shape.clone())],
            ..ResourceInfo::default()
        };
        let handle = match step {
            Some(step) => step.handle(ResourceInfo { container: CONTAINER.into(), ..info }),
            None => ResourceHandle::new(info),
        };
        let state = State { declaration, elements, closed: false, has_sums: false, gradients: BTreeMap::new() };
        handle.get_or_create(|| Ok(Self { dtype, name, key, state: Mutex::new(state) }))?;
        Ok(handle)
    }

    /// The array behind an input: a handle, or the names of one of this step.
    pub(super) fn of(handle: &Tensor, env: Env<'_>) -> Result<Arc<Self>> {
        if handle.dtype() != DType::String {
            return handle.resource();
        }
        let [container, name] = handle.as_slice::<TString>()? else {
            bail!("the handle of a tensor array is its container and its name, it has the shape {}", handle.shape())
        };
        let text = |text: &TString| String::from_utf8_lossy(text.as_bytes()).into_owned();
        let info = ResourceInfo {
            container: text(container),
            name: text(name),
            type_name: KIND.into(),
            ..ResourceInfo::default()
        };
        env.step()?.own_resources().handle(info).get()
    }

    /// The names of an array that has one in its step.
    pub(super) fn names(&self) -> Option<Tensor> {
        let key = self.key.as_deref()?;
        Some([CONTAINER, key].map(TString::from).into())
    }

    /// Whether the array has a name in its step.
    pub(super) fn is_named(&self) -> bool {
        self.key.is_some()
    }

    /// Exclusive access to the elements.
    ///
    /// # Errors
    /// The array was closed.
    pub(super) fn open(&self) -> Result<MutexGuard<'_, State>> {
        let state = self.state();
        ensure!(!state.closed, "tensor array `{}` was closed", self.name);
        Ok(state)
    }

    /// As [`TensorArray::open`], for elements of `dtype`.
    pub(super) fn open_for(&self, dtype: DType) -> Result<MutexGuard<'_, State>> {
        let (name, held) = (&self.name, self.dtype);
        ensure!(held == dtype, "tensor array `{name}` holds tensors of {held}, the op works on {dtype}");
        self.open()
    }

    /// Lets all elements go.
    pub(super) fn close(&self) {
        let mut state = self.state();
        state.closed = true;
        let (elements, gradients) = (std::mem::take(&mut state.elements), std::mem::take(&mut state.gradients));
        drop(state);
        drop((elements, gradients));
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Resource for TensorArray {
    fn type_name(&self) -> &'static str {
        KIND
    }

    fn referent(&self) -> Option<Result<Tensor>> {
        self.names().map(Ok)
    }
}

impl State {
    pub(super) fn len(&self) -> usize {
        self.elements.len()
    }

    /// Makes an array that grows at least so long.
    pub(super) fn grow(&mut self, size: usize) -> Result<()> {
        if self.declaration.dynamic_size && size > self.elements.len() {
            try_resize(&mut self.elements, size, Element::default())?;
        }
        Ok(())
    }

    /// Makes room for an element at `index`.
    pub(super) fn reach(&mut self, index: i64) -> Result<usize> {
        let (name, size) = (&self.declaration.name, self.elements.len());
        match usize::try_from(index) {
            Ok(index) if index < size => Ok(index),
            Ok(index) if self.declaration.dynamic_size => {
                try_resize(&mut self.elements, index.saturating_add(1), Element::default())?;
                Ok(index)
            }
            _ => bail!("position {index} is outside of tensor array `{name}` of {size} elements, which does not grow"),
        }
    }

    /// Writes the element at `index`, or adds to it.
    pub(super) fn write(&mut self, index: i64, value: Tensor) -> Result<()> {
        let at = self.reach(index)?;
        let (declaration, element) = (&mut self.declaration, &mut self.elements[at]);
        let (name, wanted, shape) = (&declaration.name, &declaration.element_shape, value.shape());
        ensure!(
            wanted.accepts(shape),
            "a tensor of shape {shape} does not fit tensor array `{name}` of shape {wanted}"
        );
        ensure!(!element.read, "element {at} of tensor array `{name}` was read already and cannot be written");
        ensure!(!element.written || declaration.sums, "element {at} of tensor array `{name}` was written already");
        if let Some(known) = &element.shape {
            ensure!(
                known == shape,
                "a tensor of shape {shape} cannot be added to element {at} of shape {known} in `{name}`"
            );
        }
        if declaration.identical_element_shapes && !wanted.is_fully_known() {
            declaration.element_shape = shape.into();
        }
        let value = match element.tensor.take() {
            Some(sum) => {
                self.has_sums = true;
                sums::add_to(sum, &value)?
            }
            None => value,
        };
        element.shape = Some(value.shape().clone());
        element.tensor = Some(value);
        element.written = true;
        Ok(())
    }

    /// Reads the element at `index`; zeros where nothing was written and the shape is known.
    pub(super) fn read(&mut self, index: i64) -> Result<Tensor> {
        let (declaration, size) = (&self.declaration, self.elements.len());
        let name = &declaration.name;
        let Some(element) = usize::try_from(index).ok().and_then(|index| self.elements.get_mut(index)) else {
            bail!("position {index} is outside of tensor array `{name}` of {size} elements")
        };
        ensure!(
            !element.cleared,
            "element {index} of tensor array `{name}` was read already; clear_after_read was set"
        );
        let shape = element.shape.clone().or_else(|| declaration.element_shape.to_shape());
        let Some(shape) = shape else {
            bail!(
                "element {index} of tensor array `{name}` was not written, and its shape {} is not fully known",
                declaration.element_shape
            )
        };
        let tensor = match element.tensor.take() {
            Some(tensor) => tensor,
            None => Tensor::zeros(declaration.dtype, shape.clone())?,
        };
        element.cleared = declaration.clear_after_read;
        element.tensor = (!element.cleared).then(|| tensor.clone());
        element.shape = Some(shape);
        element.read = true;
        Ok(tensor)
    }

    /// The array of this one's gradients for `source`, named in `step` where this one is, whose elements have `outer`
    /// extents before those of this one's.
    pub(super) fn gradient(
        &mut self,
        source: &str,
        outer: &[usize],
        step: Option<&ResourceManager>,
    ) -> Result<ResourceHandle> {
        if let Some(handle) = self.gradients.get(source) {
            return Ok(handle.clone());
        }
        let name = &self.declaration.name;
        ensure!(!self.has_sums, "tensor array `{name}` has sums as elements, of which there is no gradient");
        self.declaration.dynamic_size = false;
        let prefixed = |shape: &Shape| [outer, shape].concat().into();
        let element = |element: &Element| Element { shape: element.shape.as_ref().map(prefixed), ..Element::default() };
        let elements = self.elements.iter().map(element).collect();
        let own = self.declaration.element_shape.dims();
        let element_shape = own.map_or(PartialShape::unknown(), |own| {
            outer.iter().map(|&extent| Some(extent)).chain(own.iter().copied()).collect()
        });
        let declaration = Declaration {
            name: format!("{name}@{source}"),
            element_shape,
            clear_after_read: true,
            sums: true,
            ..self.declaration.clone()
        };
        let handle = TensorArray::with_elements(declaration, elements, step)?;
        self.gradients.insert(source.to_owned(), handle.clone());
        Ok(handle)
    }
}
