"""Ops of a plugin in frameworks: `from oplink_hosts import torch as oplink_torch`, `jax`, `onnxruntime`.

Each module has `load(path)`, which takes the shared library that `plugin!` makes and gives its ops as functions. What
an op is comes from the plugin: there is nothing to generate, and no list of ops here.
"""

from ._plugin import Plugin, PluginError

__all__ = ["Plugin", "PluginError"]
