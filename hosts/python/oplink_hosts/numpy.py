"""Ops of a plugin on NumPy arrays, run by the package `oplink`.

    from oplink_hosts import numpy as oplink_numpy
    ops = oplink_numpy.load("libmy_ops.so")
    ops.ScaleShift(x, scale=2.0)

A process that loaded a plugin this way imports no TensorFlow, and one that has TensorFlow loads none.
"""

import numpy as np

try:
    import oplink
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        "without a framework ops are run by the package `oplink`, which is not installed", name=missing.name
    ) from None


def load(path):
    """Loads the plugin at `path` and gives its ops, by their names, as functions of arrays."""
    return _Ops(oplink.load_plugin(path)["ops"])


class _Ops:
    def __init__(self, names):
        for name in names:
            setattr(self, name, _on_arrays(getattr(oplink.ops, name)))


def _on_arrays(function):
    def call(*inputs, **attrs):
        return _arrays(function(*inputs, **attrs))

    return call


def _arrays(made):
    if isinstance(made, tuple):
        return tuple(_arrays(one) for one in made)
    if isinstance(made, list):
        return [_arrays(one) for one in made]
    return None if made is None else np.asarray(made)


__all__ = ["load"]
