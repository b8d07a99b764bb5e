"""What functions of the package take: for annotations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, Union

if TYPE_CHECKING:
    from oplink._oplink import DType, Tensor, Variable


class SupportsArray(Protocol):
    """What NumPy makes an array of."""

    def __array__(self) -> Any: ...


class SupportsDLPack(Protocol):
    """An array of another library."""

    def __dlpack__(self) -> Any: ...


class HasVariables(Protocol):
    """What has variables by name: a layer, a module."""

    @property
    def variables(self) -> Mapping[str, Variable]: ...


TensorLike: TypeAlias = Union[
    "Tensor", "Variable", SupportsArray, SupportsDLPack, complex, str, bytes, Sequence["TensorLike"]
]
"""A tensor, a variable, an array, a number, a text, or nested lists of numbers and texts."""

DTypeLike: TypeAlias = Union["DType", str, type, Any]
"""A dtype, its name, a Python type, or a dtype of NumPy."""

ShapeLike: TypeAlias = Union[Sequence[Union[int, None]], int, None]
"""Extents, of which `None` is open; `None` for an unknown rank."""
