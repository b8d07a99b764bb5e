"""Prints the types of the ops' functions, as the registry declares them: `python stubs.py > oplink/ops.pyi`."""

import inspect
import math

from oplink import _oplink

HEADER = '''"""The types of the ops' functions; written by `stubs.py`."""

from collections.abc import Sequence

from oplink._oplink import Tensor
from oplink.typing import DTypeLike, ShapeLike, TensorLike
'''


def default_text(default: object) -> str:
    """A default as an expression: numbers that are not finite have no literal."""
    finite = not isinstance(default, float) or math.isfinite(default)
    return repr(default) if finite else f"float({str(default)!r})"


def parameter_text(parameter: inspect.Parameter) -> str:
    text = f"{parameter.name}: {parameter.annotation}"
    return text if parameter.default is parameter.empty else f"{text} = {default_text(parameter.default)}"


def function(name: str) -> str:
    """The stub of one op."""
    op = _oplink.op(name)
    signature = inspect.signature(op)
    positional = [p for p in signature.parameters.values() if p.kind is not p.KEYWORD_ONLY]
    named = [p for p in signature.parameters.values() if p.kind is p.KEYWORD_ONLY]
    parts = [parameter_text(p) for p in positional] + ["*"] * bool(named) + [parameter_text(p) for p in named]
    described = (op.__doc__ or "").partition("\n\n")[2]
    first_line = described.strip().split("\n")[0].replace("\\", "\\\\").replace('"', "'")
    body = f'\n    """{first_line}"""\n' if first_line else " ...\n"
    return f"def {name}({', '.join(parts)}) -> {signature.return_annotation}:{body}"


def module() -> str:
    """The whole file."""
    return HEADER + "".join("\n" + function(name) for name in _oplink.op_names())


if __name__ == "__main__":
    print(module(), end="")
