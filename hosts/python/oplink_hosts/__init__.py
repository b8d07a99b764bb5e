"""Ops of a plugin in frameworks: `from oplink_hosts import torch as oplink_torch`, and so `tensorflow`, `jax`,
`onnxruntime`, `numpy`.

Each module has `load(path)`, which takes the shared library that `plugin!` makes and gives its ops as functions. What
an op is comes from the plugin: there is nothing to generate, and no list of ops here.
"""

from ._plugin import Plugin, PluginError, given

__all__ = ["Plugin", "PluginError", "given"]
