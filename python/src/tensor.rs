//! The class `Tensor`: a value of the runtime, with what Python and NumPy expect of an array.
#![allow(unsafe_code, reason = "room: the methods of the buffer protocol")]

use std::ffi::c_int;

use oplink::nn::Value;
use oplink::{DType, Tensor};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple, PyType};

use crate::dtype::PyDType;
use crate::errors::OrRaise;
use crate::{buffer, convert, dlpack, dtype};

/// An n-dimensional array of one dtype, which nobody writes.
#[pyclass(frozen, weakref, name = "Tensor", module = "oplink")]
pub(crate) struct PyTensor {
    pub(crate) value: Value,
}

impl PyTensor {
    /// The tensor in the host's memory.
    fn host(&self, py: Python<'_>) -> PyResult<Tensor> {
        self.value.tensor().or_raise(py)
    }
}

impl From<Value> for PyTensor {
    #[inline]
    fn from(value: Value) -> Self {
        Self { value }
    }
}

impl From<Tensor> for PyTensor {
    fn from(tensor: Tensor) -> Self {
        Self { value: Value::new(tensor) }
    }
}

#[pymethods]
impl PyTensor {
    /// The tensor of a number, a text, nested lists of these, an array or a tensor; its elements are copied. With a
    /// dtype, numbers are taken as such, and arrays are cast.
    #[new]
    #[pyo3(signature = (value, dtype = None))]
    fn new(value: &Bound<'_, PyAny>, dtype: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let dtype = dtype.map(dtype::parse).transpose()?;
        convert::value_of_dtype(value, dtype).map(Self::from)
    }

    /// The dtype.
    #[getter]
    fn dtype(&self, py: Python<'_>) -> PyResult<PyDType> {
        self.value.dtype().or_raise(py).map(PyDType)
    }

    /// The extents; `None` is one that is not known while a function is traced.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let shape = self.value.partial_shape().or_raise(py)?;
        match shape.dims() {
            Some(dims) => PyTuple::new(py, dims.iter()),
            None => Err(PyValueError::new_err("the rank of a traced tensor is not known")),
        }
    }

    /// The number of dimensions.
    #[getter]
    fn ndim(&self, py: Python<'_>) -> PyResult<usize> {
        self.value.rank().or_raise(py)
    }

    /// The number of elements.
    #[getter]
    fn size(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.value.shape().or_raise(py)?.num_elements())
    }

    /// Bytes that the elements occupy.
    #[getter]
    fn nbytes(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.value.device_tensor().or_raise(py)?.num_bytes())
    }

    /// The device in whose memory the elements lie, such as `GPU:0`; `None` for the host's.
    #[getter]
    fn device(&self, py: Python<'_>) -> PyResult<Option<String>> {
        Ok(self.value.device_tensor().or_raise(py)?.device().map(str::to_owned))
    }

    /// The elements as a NumPy array: over the tensor's memory and read-only, strings copied.
    pub(crate) fn numpy<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let numpy = py.import("numpy")?;
        let dtype = slf.get().value.dtype().or_raise(py)?;
        match dtype {
            DType::String => strings(&numpy, &slf.get().host(py)?),
            dtype if convert::is_extended(dtype) => extended(&numpy, &slf.get().host(py)?),
            _ => {
                let view = pyo3::types::PyMemoryView::from(slf.as_any())?;
                numpy.call_method1("asarray", (view,))
            }
        }
    }

    #[pyo3(signature = (dtype = None, copy = None))]
    pub(crate) fn __array__<'py>(
        slf: &Bound<'py, Self>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let array = Self::numpy(slf)?;
        let array = match dtype {
            Some(dtype) => {
                let options = PyDict::new(slf.py());
                options.set_item("copy", false)?;
                array.call_method("astype", (dtype,), Some(&options))?
            }
            None => array,
        };
        if copy == Some(true) { array.call_method0("copy") } else { Ok(array) }
    }

    /// The single element, as a Python number or bytes.
    fn item<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let elements = slf.get().size(slf.py())?;
        if elements != 1 {
            return Err(PyValueError::new_err(format!("`item` is for a single element; the tensor has {elements}")));
        }
        let mut item = Self::tolist(slf)?;
        while let Ok(list) = item.cast::<PyList>() {
            item = list.get_item(0)?;
        }
        Ok(item)
    }

    /// The elements as nested lists of Python numbers or bytes.
    fn tolist<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, this) = (slf.py(), slf.get());
        match this.value.dtype().or_raise(py)? {
            DType::String => nested(py, &this.host(py)?),
            dtype if convert::is_extended(dtype) => {
                let wide = this.value.cast(DType::Float).or_raise(py)?;
                Self::tolist(&Bound::new(py, Self::from(wide))?)
            }
            _ => pyo3::types::PyMemoryView::from(slf.as_any())?.call_method0("tolist"),
        }
    }

    #[pyo3(signature = (*, stream = None, max_version = None, dl_device = None, copy = None))]
    fn __dlpack__<'py>(
        slf: &Bound<'py, Self>,
        stream: Option<Bound<'py, PyAny>>,
        max_version: Option<(u32, u32)>,
        dl_device: Option<(i32, i32)>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if stream.is_some() {
            return Err(PyValueError::new_err("tensors of the host have no streams: leave `stream` out"));
        }
        if dl_device.is_some_and(|device| device != dlpack::CPU) {
            return Err(PyValueError::new_err("tensors are given to others in the host's memory only"));
        }
        dlpack::export(slf.py(), slf.get().host(slf.py())?, max_version, copy)
    }

    fn __dlpack_device__(&self) -> (i32, i32) {
        dlpack::CPU
    }

    /// # Safety
    /// The interpreter calls it, with a view that it wants filled.
    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        let tensor = slf.get().host(slf.py())?;
        // SAFETY: the interpreter asks for `view` to be filled, and gives it back to `__releasebuffer__`.
        unsafe { buffer::export(slf.into_any(), tensor, view, flags) }
    }

    /// # Safety
    /// The interpreter calls it, with a view that `__getbuffer__` filled.
    unsafe fn __releasebuffer__(&self, view: *mut ffi::Py_buffer) {
        // SAFETY: the view was filled by `__getbuffer__`, and is released once.
        unsafe { buffer::release(view) }
    }

    fn __repr__(&self) -> String {
        format!("<oplink.Tensor {}>", self.value)
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let shape = self.value.shape().or_raise(py)?;
        shape.dims().first().copied().ok_or_else(|| PyTypeError::new_err("a scalar tensor has no length"))
    }

    fn __bool__(slf: &Bound<'_, Self>) -> PyResult<bool> {
        Self::item(slf)?.is_truthy()
    }

    fn __int__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().get_type::<pyo3::types::PyInt>().call1((Self::item(slf)?,))
    }

    fn __float__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().get_type::<pyo3::types::PyFloat>().call1((Self::item(slf)?,))
    }

    fn __index__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let dtype = slf.get().value.dtype().or_raise(slf.py())?;
        match dtype.is_integer() {
            true => Self::item(slf),
            false => Err(PyTypeError::new_err(format!("a tensor of {} is no index", dtype::name(dtype)))),
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyType>, (Bound<'py, PyAny>, PyDType))> {
        let py = slf.py();
        Ok((py.get_type::<Self>(), (Self::numpy(slf)?, slf.get().dtype(py)?)))
    }
}

/// Strings as an array of `bytes` objects.
fn strings<'py>(numpy: &Bound<'py, PyModule>, tensor: &Tensor) -> PyResult<Bound<'py, PyAny>> {
    let py = numpy.py();
    let array = numpy.call_method1("empty", (tensor.num_elements(), "object"))?;
    let all = PyList::new(
        py,
        tensor.as_slice::<oplink::TString>().or_raise(py)?.iter().map(|text| PyBytes::new(py, text.as_bytes())),
    )?;
    array.set_item(pyo3::types::PySlice::full(py), all)?;
    array.call_method1("reshape", (PyTuple::new(py, tensor.shape().dims())?,))
}

/// An array of a dtype of the package `ml_dtypes`, over the tensor's memory.
fn extended<'py>(numpy: &Bound<'py, PyModule>, tensor: &Tensor) -> PyResult<Bound<'py, PyAny>> {
    let py = numpy.py();
    let dtype = tensor.dtype();
    let missing = || {
        PyTypeError::new_err(format!(
            "NumPy has {} by the package `ml_dtypes`: install it, or cast the tensor to float32",
            dtype::name(dtype)
        ))
    };
    let extension = py.import("ml_dtypes").map_err(|_| missing())?;
    let class = extension.getattr_opt(dtype::name(dtype))?.ok_or_else(missing)?;
    let words = if dtype.size() == Some(2) { DType::UInt16 } else { DType::UInt8 };
    let words = Bound::new(py, PyTensor::from(tensor.clone().bitcast(words).or_raise(py)?))?;
    let view = pyo3::types::PyMemoryView::from(words.as_any())?;
    numpy.call_method1("asarray", (view,))?.call_method1("view", (class,))
}

/// Strings as nested lists of `bytes`.
fn nested<'py>(py: Python<'py>, tensor: &Tensor) -> PyResult<Bound<'py, PyAny>> {
    if tensor.rank() == 0 {
        let texts = tensor.as_slice::<oplink::TString>().or_raise(py)?;
        return Ok(PyBytes::new(py, texts[0].as_bytes()).into_any());
    }
    let rest = oplink::Shape::new(&tensor.shape().dims()[1..]);
    let rows = (0..tensor.shape().dims()[0]).map(|row| {
        let row = tensor.slice(row, row + 1).and_then(|row| row.with_shape(rest.clone())).or_raise(py)?;
        nested(py, &row)
    });
    Ok(PyList::new(py, rows.collect::<PyResult<Vec<_>>>()?)?.into_any())
}
