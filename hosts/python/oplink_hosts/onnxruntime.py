"""Ops of a plugin in ONNX Runtime.

    from oplink_hosts import onnxruntime as oplink_onnxruntime
    options = onnxruntime.SessionOptions()
    options.register_custom_ops_library("libmy_ops.so")        # all that a session needs
    ops = oplink_onnxruntime.describe("libmy_ops.so")          # what models may hold: domain, op types, attrs
    node = oplink_onnxruntime.node(ops["ScaleShift"], ["x"], ["y"], scale=2.0)
"""

from onnx import AttributeProto, TensorProto, helper

from ._plugin import Plugin, PluginError, attr_text

_DTYPES = {
    "float": TensorProto.FLOAT, "double": TensorProto.DOUBLE, "half": TensorProto.FLOAT16,
    "bfloat16": TensorProto.BFLOAT16, "int8": TensorProto.INT8, "int16": TensorProto.INT16, "int32": TensorProto.INT32,
    "int64": TensorProto.INT64, "uint8": TensorProto.UINT8, "uint16": TensorProto.UINT16,
    "uint32": TensorProto.UINT32, "uint64": TensorProto.UINT64, "bool": TensorProto.BOOL, "string": TensorProto.STRING,
}
_NAMES = {number: name for name, number in _DTYPES.items()}


def describe(path):
    """The ops of the plugin at `path`, by the op types that models name them by."""
    return {op.name: op for op in Plugin(path).ops}


def node(op, inputs, outputs, **attrs):
    """A node of an op, with its attrs in ONNX's kinds."""
    known = {attr["name"]: attr for attr in op.attrs}
    for name in attrs:
        if name not in known:
            raise PluginError(f"op {op.name} has no attr `{name}`; it has {', '.join(known) or 'none'}")
    made = helper.make_node(op.name, inputs, outputs, domain=op.plugin.namespace)
    made.attribute.extend(_attribute(known[name], value) for name, value in attrs.items())
    return made


def _attribute(attr, value):
    name, kind = attr["name"], attr["kind"]
    if attr["list"]:
        if kind in ("int", "bool"):
            return helper.make_attribute(name, [int(one) for one in value], attr_type=AttributeProto.INTS)
        if kind == "float":
            return helper.make_attribute(name, [float(one) for one in value], attr_type=AttributeProto.FLOATS)
    elif kind in ("int", "bool"):
        return helper.make_attribute(name, int(value))
    elif kind == "float":
        return helper.make_attribute(name, float(value))
    elif kind == "string":
        return helper.make_attribute(name, value)
    elif kind == "type" and isinstance(value, int):
        return helper.make_attribute(name, value)
    # What ONNX Runtime tells kernels no other way stands as text in the op language.
    return helper.make_attribute(name, attr_text(attr, value, lambda number: _NAMES[number]))
