"""The ops of my-ops 1.2.0-rc.1 as functions for PyTorch. They work in `torch.compile` and
`torch.export`, with the gradients that the crate declares. `OPS` is the name space of `torch.ops`
with the registered ops.
"""

from collections.abc import Sequence
from typing import Any, Literal

import torch

OPS: Any


def scale_shift(
    x: torch.Tensor,
    *,
    scale: float = 1.5,
    shift: int = -2,
    mode: Literal["plain", "clip"] = "plain",
    bounds: Sequence[float] = (),
) -> torch.Tensor:
    """`y = x * scale + shift`, in place.

    A back\\slash, and \"\"\"quotes\"\"\".

    Args:
        x: a tensor of float32 or float64
    """
    ...


def join_rows(parts: Sequence[torch.Tensor]) -> torch.Tensor:
    """The rows of all "parts"

    Args:
        parts: tensors of float32 or int64; at least 2
    """
    ...


def split_rows(x: torch.Tensor, *, num_split: int) -> tuple[list[torch.Tensor], torch.Tensor]:
    """The op `SplitRows`.

    Args:
        x: a tensor
        num_split: at least 1
    """
    ...


def mixed(values: Sequence[torch.Tensor]) -> list[torch.Tensor]:
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
    t: torch.dtype = torch.float32,
    h: Sequence[int | None] | None = (2, None),
    u: Sequence[int | None] | None = None,
    li: Sequence[int] = (1, -2),
    ls: Sequence[str] = ("a",),
    lt: Sequence[torch.dtype] | None = None,
    lb: Sequence[bool] = (True,),
    value: Any = None,
) -> None:
    """The op `Describe`.

    Args:
        bytes: `None` is the declaration's default
        u: `None` is the declaration's default
        lt: `None` is the declaration's default
        value: `None` is the declaration's default
    """
    ...


def import_(lambda_: torch.Tensor, *, class_: Literal["a"], none: Any) -> torch.Tensor:
    """The op `Import`.

    Args:
        lambda_: a tensor of string
    """
    ...
