"""The ops of my-ops 1.2.0-rc.1 as functions for NumPy. They are run by the package `oplink`, without a
framework. A process that uses this module does not import TensorFlow.
"""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

OPS: Any


def scale_shift(
    x: ArrayLike,
    *,
    scale: float = 1.5,
    shift: int = -2,
    mode: Literal["plain", "clip"] = "plain",
    bounds: Sequence[float] = (),
) -> np.ndarray:
    """`y = x * scale + shift`, in place.

    A back\\slash, and \"\"\"quotes\"\"\".

    Args:
        x: a tensor of float32 or float64
    """
    ...


def join_rows(parts: Sequence[ArrayLike]) -> np.ndarray:
    """The rows of all "parts"

    Args:
        parts: tensors of float32 or int64; at least 2
    """
    ...


def split_rows(x: ArrayLike, *, num_split: int) -> tuple[list[np.ndarray], np.ndarray]:
    """The op `SplitRows`.

    Args:
        x: a tensor
        num_split: at least 1
    """
    ...


def mixed(values: Sequence[ArrayLike]) -> list[np.ndarray]:
    """The op `Mixed`.

    Args:
        values: tensors of float16 or string
    """
    ...


def describe(
    *,
    s: str = "it's \"ok\"",
    bytes: str | None = None,
    f: float = 1e-7,
    b: bool = True,
    t: str = "float32",
    h: Sequence[int | None] | None = (2, None),
    u: Sequence[int | None] | None = None,
    li: Sequence[int] = (1, -2),
    ls: Sequence[str] = ("a",),
    lt: Sequence[str] = ("float16", "string"),
    lb: Sequence[bool] = (True,),
    value: Any = None,
) -> None:
    """The op `Describe`.

    Args:
        bytes: `None` is the declaration's default
        u: `None` is the declaration's default
        value: `None` is the declaration's default
    """
    ...


def import_(lambda_: ArrayLike, *, class_: Literal["a"], none: Any) -> np.ndarray:
    """The op `Import`.

    Args:
        lambda_: a tensor of string
    """
    ...
