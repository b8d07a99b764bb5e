"""Ops for tests

The ops are functions of `my_ops.tf`, `my_ops.torch`, `my_ops.jax`, `my_ops.onnx`, `my_ops.numpy`.
Importing one imports its framework and no other.
"""

import importlib
import os

__version__ = "1.2.0rc1"
#: The shared library, for programs that load it themselves.
LIBRARY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libmy_ops.so")
__all__ = ["LIBRARY", "__version__"]
_MODULES = ("tf", "torch", "jax", "onnx", "numpy")


def __getattr__(name):
    if name in _MODULES:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted([*globals(), *_MODULES])
