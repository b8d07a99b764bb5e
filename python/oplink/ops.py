"""Every op of the registry as a function: `oplink.ops.MatMul(a, b, transpose_b=True)`.

A function is made of the op's declaration when it is first asked for; those of plugins are there once these are loaded.
"""

from oplink import _oplink


def __getattr__(name: str) -> object:
    if name.startswith("__"):
        raise AttributeError(name)
    function = _oplink.op(name)
    globals()[name] = function
    return function


def __dir__() -> list[str]:
    return _oplink.op_names()
