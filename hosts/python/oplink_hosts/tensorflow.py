"""Ops of a plugin in TensorFlow, with their gradients.

    from oplink_hosts import tensorflow as oplink_tensorflow
    ops = oplink_tensorflow.load("libmy_ops.so")   # what tf.load_op_library gives
    ops.scale_shift(x, scale=2.0)

The plugin itself registers ops, shape functions and kernels. What is registered here are gradients, made by the
plugin's gradient functions out of its own ops and those of TensorFlow. A plugin with no entry for another host cannot
be asked for them; then it is loaded without gradients.
"""

import numpy as np
import tensorflow as tf
from tensorflow.python.framework import op_def_registry

from ._gradient import Program
from ._plugin import Plugin, PluginError, attr_text

_loaded = {}


def load(path):
    """Registers the ops of the plugin at `path`, and their gradients, and gives the ops as functions."""
    if str(path) in _loaded:
        return _loaded[str(path)]
    ops = tf.load_op_library(str(path))
    try:
        plugin = Plugin(path)
    except PluginError:
        plugin = None
    for op in plugin.ops if plugin else []:
        _register(op, ops)
    _loaded[str(path)] = ops
    return ops


def _register(op, ops):
    try:
        if op.has_gradient:
            tf.RegisterGradient(op.name)(_Gradient(op, ops))
        elif op.is_constant:
            tf.no_gradient(op.name)
    except KeyError:
        pass  # The program has registered a gradient of its own.


class _Gradient:
    """The gradient function of an op."""

    def __init__(self, op, ops):
        self.op, self.ops = op, ops
        self.__name__ = f"{op.function}_gradient"

    def __call__(self, node, *gradients):
        inputs, outputs = list(node.inputs), list(node.outputs)
        known = [(one.dtype.base_dtype.name, _extents(one.shape)) for one in inputs]
        attrs = {attr["name"]: _text(attr, node.get_attr(attr["name"])) for attr in self.op.attrs}
        program = Program(self.op.request("gradient", self.lengths(node), known, attrs))
        dys = [tf.zeros_like(one) if dy is None else dy for one, dy in zip(outputs, gradients)]
        return program.run(inputs, outputs, dys, self)

    def lengths(self, node):
        """How many tensors each input covers."""
        def length(arg):
            if not arg["list"]:
                return 1
            return node.get_attr(arg["number"]) if arg["number"] else len(node.get_attr(arg["attr"]))

        return [length(arg) for arg in self.op.inputs]

    # What a gradient's program is made of.

    def own(self, function, inputs, attrs):
        return _flat(getattr(self.ops, function)(*inputs, **attrs))

    def other(self, name, inputs, attrs):
        declared = op_def_registry.get(name)
        if declared is None:
            raise NotImplementedError(f"the gradient of {self.op.name} adds {name}, which TensorFlow does not have")
        told = {attr for arg in declared.input_arg for attr in (arg.type_attr, arg.number_attr, arg.type_list_attr)}
        given = {key: value for key, value in attrs.items() if key not in told}
        arguments = {arg.name: value for arg, value in zip(declared.input_arg, inputs)}
        return _flat(getattr(tf.raw_ops, name)(**arguments, **given))

    def constant(self, data, dtype, shape):
        dtype = tf.as_dtype(dtype)
        return tf.constant(np.frombuffer(data, dtype.as_numpy_dtype).reshape(shape), dtype)


def _extents(shape):
    return None if shape.rank is None else shape.as_list()


def _text(attr, value):
    """What a node has of an attr, in the op language."""
    if attr["kind"] == "shape":
        shapes = [_extents(tf.TensorShape(one)) for one in (value if attr["list"] else [value])]
        value = shapes if attr["list"] else shapes[0]
    return attr_text(attr, value, lambda dtype: tf.as_dtype(dtype).name)


def _flat(made):
    """The tensors that a function gives, in one list."""
    if made is None or isinstance(made, tf.Operation):
        return []
    if isinstance(made, (tuple, list)):
        return [one for each in made for one in _flat(each)]
    return [made]


__all__ = ["PluginError", "load"]
