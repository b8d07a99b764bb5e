//! Python's operators on tensors and variables, each as an op. A number or a list beside a tensor takes its dtype.

use oplink::nn::Value;
use oplink::ops::{
    Abs, AddV2, BitwiseAnd, BitwiseOr, BitwiseXor, ComplexAbs, Equal, FloorDiv, FloorMod, Greater, GreaterEqual,
    Invert, LeftShift, Less, LessEqual, LogicalAnd, LogicalNot, LogicalOr, Mul, Neg, NotEqual, Pow, RealDiv,
    RightShift, Sub,
};
use oplink::{DType, Op};
use pyo3::basic::CompareOp;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::calls;
use crate::convert;
use crate::errors::OrRaise;
use crate::literal::is_literal;
use crate::tensor::PyTensor;
use crate::variable::PyVariable;

/// What an operator gives: a tensor, or `NotImplemented`, since the other operand's class may know the operator.
type Operated = PyResult<Py<PyAny>>;

fn operated(py: Python<'_>, result: PyResult<PyTensor>) -> Operated {
    Ok(Py::new(py, result?)?.into_any())
}

/// The other operand, where it is one.
fn operand(own: &Value, other: &Bound<'_, PyAny>) -> PyResult<Option<Value>> {
    let dtype = own.dtype().or_raise(other.py())?;
    match convert::value(other, Some(dtype)) {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.is_instance_of::<PyTypeError>(other.py()) && !is_literal(other) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Which of the two is the tensor itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

fn in_order(own: Value, other: Value, side: Side) -> [Value; 2] {
    if side == Side::Left { [own, other] } else { [other, own] }
}

fn binary<O: Op>(own: Value, other: &Bound<'_, PyAny>, side: Side) -> Operated {
    let Some(other_value) = operand(&own, other)? else { return Ok(other.py().NotImplemented()) };
    operated(other.py(), calls::one::<O>(other.py(), in_order(own, other_value, side), Vec::new()))
}

/// One op on bools, another on integers.
fn bits<Logical: Op, Bitwise: Op>(own: Value, other: &Bound<'_, PyAny>, side: Side) -> Operated {
    match own.dtype().or_raise(other.py())? {
        DType::Bool => binary::<Logical>(own, other, side),
        _ => binary::<Bitwise>(own, other, side),
    }
}

/// `/`: integers are divided as numbers of float64, those of at most 16 bits of float32.
fn divide(own: Value, other: &Bound<'_, PyAny>, side: Side) -> Operated {
    let py = other.py();
    let Some(other) = operand(&own, other)? else { return Ok(other.py().NotImplemented()) };
    let float = |value: Value| {
        let dtype = value.dtype()?;
        match dtype.size() {
            Some(1 | 2) if dtype.is_integer() => value.cast(DType::Float),
            _ if dtype.is_integer() => value.cast(DType::Double),
            _ => Ok(value),
        }
    };
    let (own, other) = (float(own).or_raise(py)?, float(other).or_raise(py)?);
    operated(py, calls::one::<RealDiv>(py, in_order(own, other, side), Vec::new()))
}

/// `@`: products of matrices along the last two axes.
fn multiply(own: Value, other: &Bound<'_, PyAny>, side: Side) -> Operated {
    let Some(other_value) = operand(&own, other)? else { return Ok(other.py().NotImplemented()) };
    let [a, b] = in_order(own, other_value, side);
    let product = other.py().detach(|| a.matmul(&b)).or_raise(other.py());
    operated(other.py(), product.map(PyTensor::from))
}

fn compare(own: Value, other: &Bound<'_, PyAny>, comparison: CompareOp) -> Operated {
    match comparison {
        CompareOp::Lt => binary::<Less>(own, other, Side::Left),
        CompareOp::Le => binary::<LessEqual>(own, other, Side::Left),
        CompareOp::Gt => binary::<Greater>(own, other, Side::Left),
        CompareOp::Ge => binary::<GreaterEqual>(own, other, Side::Left),
        CompareOp::Eq => binary::<Equal>(own, other, Side::Left),
        CompareOp::Ne => binary::<NotEqual>(own, other, Side::Left),
    }
}

fn invert(py: Python<'_>, own: Value) -> PyResult<PyTensor> {
    match own.dtype().or_raise(py)? {
        DType::Bool => calls::one::<LogicalNot>(py, [own], Vec::new()),
        _ => calls::one::<Invert>(py, [own], Vec::new()),
    }
}

fn absolute(py: Python<'_>, own: Value) -> PyResult<PyTensor> {
    match own.dtype().or_raise(py)? {
        DType::Complex64 => calls::one::<ComplexAbs>(py, [own], Vec::new()),
        DType::Complex128 => calls::one::<ComplexAbs>(py, [own], vec![("Tout", DType::Double.into())]),
        _ => calls::one::<Abs>(py, [own], Vec::new()),
    }
}

/// The methods of the operators, for a class that has `own`.
macro_rules! operators {
    ($class:ty) => {
        #[pymethods]
        impl $class {
            /// NumPy's arrays leave operators with tensors to the tensors.
            #[classattr]
            fn __array_priority__() -> f64 {
                100.0
            }
            #[inline]
            fn __add__(&self, other: &Bound<'_, PyAny>) -> Operated {
                binary::<AddV2>(self.own(other.py())?, other, Side::Left)
            }
            fn __radd__(&self, other: &Bound<'_, PyAny>) -> Operated {
                binary::<AddV2>(self.own(other.py())?, other, Side::Right)
            }
            fn __sub__(&self, other: &Bound<'_, PyAny>) -> Operated {
                binary::<Sub>(self.own(other.py())?, other, Side::Left)
            }
            fn __rsub__(&self, other: &Bound<'_, PyAny>) -> Operated {
                binary::<Sub>(self.own(other.py())?, other, Side::Right)
            }
            fn __mul__(&self, other: &Bound<'_, PyAny>) -> Operated {
                binary::<Mul>(self.own(other.py())?, other, Side::Left)
            }
            fn __rmul__(&self, other: &Bound<'_, PyAny>) -> Operated {
                binary::<Mul>(self.own(other.py())?, other, Side::Right)
            }
            fn __truediv__(&self, other: &Bound<'_, PyAny>) -> Operated {
                divide(self.own(other.py())?, other, Side::Left)
            }
            fn __rtruediv__(&self, other: &Bound<'_, PyAny>) -> Operated {
                divide(self.own(other.py())?, other, Side::Right)
            }
            fn __floordiv__(&self, other: &Bound<'_, PyAny>) -> Operated {
                binary::<FloorDiv>(self.own(other.py())?, other, Side::Left)
            }
            fn __rfloordiv__(&self, other: &Bound<'_, PyAny>) -> Operated {
                binary::<FloorDiv>(self.own(other.py())?, other, Side::Right)
            }
            fn __mod__(&self, other: &Bound<'_, PyAny>) -> Operated {
                binary::<FloorMod>(self.own(other.py())?, other, Side::Left)
            }
            fn __rmod__(&self, other: &Bound<'_, PyAny>) -> Operated {
                binary::<FloorMod>(self.own(other.py())?, other, Side::Right)
            }
            fn __pow__(&self, other: &Bound<'_, PyAny>, modulo: Option<&Bound<'_, PyAny>>) -> Operated {
                match modulo {
                    None => binary::<Pow>(self.own(other.py())?, other, Side::Left),
                    Some(_) => Err(PyTypeError::new_err("tensors have no `pow` with a modulus")),
                }
            }
            fn __rpow__(&self, other: &Bound<'_, PyAny>, modulo: Option<&Bound<'_, PyAny>>) -> Operated {
                match modulo {
                    None => binary::<Pow>(self.own(other.py())?, other, Side::Right),
                    Some(_) => Err(PyTypeError::new_err("tensors have no `pow` with a modulus")),
                }
            }
            fn __matmul__(&self, other: &Bound<'_, PyAny>) -> Operated {
                multiply(self.own(other.py())?, other, Side::Left)
            }
            fn __rmatmul__(&self, other: &Bound<'_, PyAny>) -> Operated {
                multiply(self.own(other.py())?, other, Side::Right)
            }
            fn __and__(&self, other: &Bound<'_, PyAny>) -> Operated {
                bits::<LogicalAnd, BitwiseAnd>(self.own(other.py())?, other, Side::Left)
            }
            fn __rand__(&self, other: &Bound<'_, PyAny>) -> Operated {
                bits::<LogicalAnd, BitwiseAnd>(self.own(other.py())?, other, Side::Right)
            }
            fn __or__(&self, other: &Bound<'_, PyAny>) -> Operated {
                bits::<LogicalOr, BitwiseOr>(self.own(other.py())?, other, Side::Left)
            }
            fn __ror__(&self, other: &Bound<'_, PyAny>) -> Operated {
                bits::<LogicalOr, BitwiseOr>(self.own(other.py())?, other, Side::Right)
            }
            fn __xor__(&self, other: &Bound<'_, PyAny>) -> Operated {
                bits::<NotEqual, BitwiseXor>(self.own(other.py())?, other, Side::Left)
            }
            fn __rxor__(&self, other: &Bound<'_, PyAny>) -> Operated {
                bits::<NotEqual, BitwiseXor>(self.own(other.py())?, other, Side::Right)
            }
            fn __lshift__(&self, other: &Bound<'_, PyAny>) -> Operated {
                binary::<LeftShift>(self.own(other.py())?, other, Side::Left)
            }
            fn __rlshift__(&self, other: &Bound<'_, PyAny>) -> Operated {
                binary::<LeftShift>(self.own(other.py())?, other, Side::Right)
            }
            fn __rshift__(&self, other: &Bound<'_, PyAny>) -> Operated {
                binary::<RightShift>(self.own(other.py())?, other, Side::Left)
            }
            fn __rrshift__(&self, other: &Bound<'_, PyAny>) -> Operated {
                binary::<RightShift>(self.own(other.py())?, other, Side::Right)
            }
            fn __richcmp__(&self, other: &Bound<'_, PyAny>, comparison: CompareOp) -> Operated {
                compare(self.own(other.py())?, other, comparison)
            }
            fn __neg__(&self, py: Python<'_>) -> PyResult<PyTensor> {
                calls::one::<Neg>(py, [self.own(py)?], Vec::new())
            }
            fn __pos__(&self, py: Python<'_>) -> PyResult<PyTensor> {
                self.own(py).map(PyTensor::from)
            }
            fn __abs__(&self, py: Python<'_>) -> PyResult<PyTensor> {
                absolute(py, self.own(py)?)
            }
            fn __invert__(&self, py: Python<'_>) -> PyResult<PyTensor> {
                invert(py, self.own(py)?)
            }
        }
    };
}

operators!(PyTensor);
operators!(PyVariable);

impl PyTensor {
    /// The value that operators take.
    #[inline]
    pub(crate) fn own(&self, _: Python<'_>) -> PyResult<Value> {
        Ok(self.value.clone())
    }
}

impl PyVariable {
    /// The value that operators take.
    pub(crate) fn own(&self, py: Python<'_>) -> PyResult<Value> {
        self.variable.read().or_raise(py)
    }
}
