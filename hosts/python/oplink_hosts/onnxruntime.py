"""Ops of a plugin in ONNX Runtime.

    from oplink_hosts import onnxruntime as oplink_onnxruntime
    options = onnxruntime.SessionOptions()
    options.register_custom_ops_library("libmy_ops.so")        # all that a session needs
    ops = oplink_onnxruntime.describe("libmy_ops.so")          # what models may hold: domain, op types, attrs
    node = oplink_onnxruntime.node(ops["ScaleShift"], ["x"], ["y"], scale=2.0)
    ops = oplink_onnxruntime.load("libmy_ops.so")              # the ops as functions of arrays
    ops.scale_shift(x, scale=2.0)

Only what makes nodes needs the package `onnx`.
"""

import functools

from . import _onnx_model
from ._cuda import load_compiler
from ._plugin import Plugin, PluginError, attr_text

#: Numbers of element types, as `onnx.TensorProto.DataType` has them.
_DTYPES = {
    "float": 1, "uint8": 2, "int8": 3, "uint16": 4, "int16": 5, "int32": 6, "int64": 7, "string": 8, "bool": 9,
    "half": 10, "double": 11, "uint32": 12, "uint64": 13, "bfloat16": 16,
}
_NAMES = {number: name for name, number in _DTYPES.items()}
#: The names of NumPy's dtypes that are others in op declarations.
_NUMPY = {"float16": "half", "float32": "float", "float64": "double", "object": "string"}


def describe(path):
    """The ops of the plugin at `path`, by the op types that models name them by."""
    return {op.name: op for op in Plugin(path).ops}


def node(op, inputs, outputs, **attrs):
    """A node of an op, with its attrs in ONNX's kinds."""
    from onnx import helper

    made = helper.make_node(op.name, inputs, outputs, domain=op.plugin.namespace)
    made.attribute.extend(
        helper.make_attribute(name, value, attr_type=kind) for name, kind, value in _attributes(op, attrs)
    )
    return made


def load(path):
    """The ops of the plugin at `path` as functions of arrays: each call runs a model of one node."""
    return _Ops(Plugin(path))


class _Ops:
    """The functions, and what programs with models of their own need."""

    def __init__(self, plugin):
        self._plugin, self._by_type = plugin, {op.name: op for op in plugin.ops}
        for op in plugin.ops:
            setattr(self, op.function, functools.partial(_call, op))

    def session_options(self, options=None):
        """Options of a session whose models may have the ops; new ones where none are given."""
        import onnxruntime

        if "CUDAExecutionProvider" in onnxruntime.get_available_providers():
            load_compiler()
        options = onnxruntime.SessionOptions() if options is None else options
        options.register_custom_ops_library(self._plugin.path)
        return options

    def node(self, op_type, inputs, outputs, **attrs):
        """A node of a model, of the domain that is the crate's name."""
        return node(self._by_type[op_type], inputs, outputs, **attrs)


def _call(op, *arguments, **keywords):
    import numpy as np

    given, attrs = op.bind(arguments, keywords)
    flat, lengths = op.flatten(given)
    flat = [np.ascontiguousarray(one) if np.ndim(one) else np.asarray(one) for one in flat]
    flat = [one.astype(object) if one.dtype.kind in "US" else one for one in flat]
    dtypes = [_NUMPY.get(one.dtype.name, one.dtype.name) for one in flat]
    for dtype in dtypes:
        if dtype not in _DTYPES:
            raise PluginError(f"{op.function} is given an array of dtype {dtype}, which ONNX Runtime has not")
    texts = op.attr_texts(attrs, lambda number: _NAMES[number])
    shapes = [(dtype, one.shape) for dtype, one in zip(dtypes, flat)]
    ranges = op.request("infer", lengths, shapes, texts)["ranges"]
    attributes = tuple(
        (name, kind, tuple(value) if isinstance(value, list) else value) for name, kind, value in _attributes(op, attrs)
    )
    num_outputs = sum(end - start for start, end in ranges)
    inputs = tuple((_DTYPES[dtype], one.ndim) for dtype, one in zip(dtypes, flat))
    session = _session(op, inputs, num_outputs, attributes)
    return op.grouped(session.run(None, {f"i{at}": one for at, one in enumerate(flat)}), ranges)


@functools.lru_cache(maxsize=64)
def _session(op, inputs, num_outputs, attributes):
    """The session of a model of one node; the last 64 are kept."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.register_custom_ops_library(op.plugin.path)
    model = _onnx_model.model(op.name, op.plugin.namespace, inputs, num_outputs, attributes)
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def _attributes(op, attrs):
    """Name, kind and value of each attr that is given."""
    known = {attr["name"]: attr for attr in op.attrs}
    for name in attrs:
        if name not in known:
            raise PluginError(f"op {op.name} has no attr `{name}`; it has {', '.join(known) or 'none'}")
    return [_attribute(known[name], value) for name, value in attrs.items() if value is not None]


def _attribute(attr, value):
    name, kind = attr["name"], attr["kind"]
    if attr["list"]:
        if kind in ("int", "bool"):
            return name, _onnx_model.INTS, [int(one) for one in value]
        if kind == "float":
            return name, _onnx_model.FLOATS, [float(one) for one in value]
    elif kind in ("int", "bool"):
        return name, _onnx_model.INT, int(value)
    elif kind == "float":
        return name, _onnx_model.FLOAT, float(value)
    elif kind == "string":
        return name, _onnx_model.STRING, value
    elif kind == "type" and isinstance(value, int):
        return name, _onnx_model.INT, value
    # What ONNX Runtime tells kernels no other way stands as text in the op language.
    return name, _onnx_model.STRING, attr_text(attr, value, lambda number: _NAMES[number])


__all__ = ["PluginError", "describe", "load", "node"]
