"""The ops of my-ops 1.2.0-rc.1 as functions for TensorFlow. They work in eager calls, in `tf.function`
and in SavedModels, with the gradients that the crate declares. `OPS` is what `tf.load_op_library`
gives.
"""

from collections.abc import Sequence
from typing import Any, Literal

import tensorflow as tf

OPS: Any


def scale_shift(
    x: tf.types.experimental.TensorLike,
    *,
    scale: float = 1.5,
    shift: int = -2,
    mode: Literal["plain", "clip"] = "plain",
    bounds: Sequence[float] = (),
) -> tf.Tensor:
    """`y = x * scale + shift`, in place.

    A back\\slash, and \"\"\"quotes\"\"\".

    Args:
        x: a tensor of float32 or float64
    """
    ...


def join_rows(parts: Sequence[tf.types.experimental.TensorLike]) -> tf.Tensor:
    """The rows of all "parts"

    Args:
        parts: tensors of float32 or int64; at least 2
    """
    ...


def split_rows(x: tf.types.experimental.TensorLike, *, num_split: int) -> tuple[list[tf.Tensor], tf.Tensor]:
    """The op `SplitRows`.

    Args:
        x: a tensor
        num_split: at least 1
    """
    ...


def mixed(values: Sequence[tf.types.experimental.TensorLike]) -> list[tf.Tensor]:
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
    t: tf.DType | str = "float32",
    h: Sequence[int | None] | None = (2, None),
    u: Sequence[int | None] | None = None,
    li: Sequence[int] = (1, -2),
    ls: Sequence[str] = ("a",),
    lt: Sequence[tf.DType | str] = ("float16", "string"),
    lb: Sequence[bool] = (True,),
    value: Any = None,
) -> tf.Operation | None:
    """The op `Describe`.

    Args:
        bytes: `None` is the declaration's default
        u: `None` is the declaration's default
        value: `None` is the declaration's default
    """
    ...


def import_(lambda_: tf.types.experimental.TensorLike, *, class_: Literal["a"], none: Any) -> tf.Tensor:
    """The op `Import`.

    Args:
        lambda_: a tensor of string
    """
    ...
