"""TensorFlow's messages of cases: tensors, attrs, nodes, graphs."""
import numpy as np
from tensorflow.core.framework import attr_value_pb2, graph_pb2, node_def_pb2, tensor_pb2, tensor_shape_pb2
from tensorflow.python.framework import tensor_util

import declarations
from draw import Tensor
from dtypes import HOLDERS, QUANTIZED, number

# The version of GraphDef that TensorFlow 2.21 writes.
PRODUCER = 2474
NAMES = {number(name): name for name in (*HOLDERS, "resource", "variant")}


def shape_proto(dims):
    """A shape; `None` stands for an unknown rank, and as a dimension for an unknown extent."""
    if dims is None:
        return tensor_shape_pb2.TensorShapeProto(unknown_rank=True)
    sizes = [tensor_shape_pb2.TensorShapeProto.Dim(size=-1 if d is None else d) for d in dims]
    return tensor_shape_pb2.TensorShapeProto(dim=sizes)


def tensor_proto(tensor):
    """The message of a tensor."""
    proto = tensor_pb2.TensorProto(dtype=number(tensor.dtype), tensor_shape=shape_proto(tensor.shape))
    if tensor.dtype == "string":
        proto.string_val.extend(tensor.array.reshape(-1).tolist())
    else:
        proto.tensor_content = np.ascontiguousarray(tensor.array).tobytes()
    return proto


def tensor_from(proto):
    """The tensor of a message; its array is `None` where there are no elements to show."""
    dtype = NAMES.get(proto.dtype, f"dtype {proto.dtype}")
    shape = tuple(d.size for d in proto.tensor_shape.dim)
    if dtype not in HOLDERS:
        return Tensor(dtype, np.empty(shape, np.int8))
    if dtype == "string":
        return Tensor(dtype, np.array(list(proto.string_val), object).reshape(shape))
    if proto.tensor_content:
        return Tensor(dtype, np.frombuffer(proto.tensor_content, HOLDERS[dtype]).reshape(shape))
    if dtype in QUANTIZED:
        return Tensor(dtype, np.array(list(proto.int_val), HOLDERS[dtype]).reshape(shape))
    return Tensor(dtype, tensor_util.MakeNdarray(proto))


def attr(kind, value):
    """The message of an attr of this kind, such as `int` or `list(shape)`."""
    message = attr_value_pb2.AttrValue()
    if kind.startswith("list("):
        message.list.SetInParent()
        for element in value:
            _append(message.list, kind[5:-1], element)
    else:
        _set(message, kind, value)
    return message


def _set(message, kind, value):
    if kind == "string":
        message.s = value if isinstance(value, bytes) else value.encode()
    elif kind == "int":
        message.i = value
    elif kind == "float":
        message.f = value
    elif kind == "bool":
        message.b = value
    elif kind == "type":
        message.type = number(value)
    elif kind == "shape":
        message.shape.CopyFrom(shape_proto(value))
    elif kind == "tensor":
        message.tensor.CopyFrom(tensor_proto(value))
    elif kind == "func":
        message.func.name = value
    else:
        raise ValueError(f"attr of kind {kind}")


def _append(values, kind, value):
    if kind == "string":
        values.s.append(value if isinstance(value, bytes) else value.encode())
    elif kind == "type":
        values.type.append(number(value))
    elif kind == "shape":
        values.shape.add().CopyFrom(shape_proto(value))
    elif kind == "tensor":
        values.tensor.add().CopyFrom(tensor_proto(value))
    elif kind == "func":
        name, attrs = value if isinstance(value, tuple) else (value, {})
        function = values.func.add(name=name)
        for key, of in attrs.items():
            function.attr[key].CopyFrom(of)
    else:
        getattr(values, {"int": "i", "float": "f", "bool": "b"}[kind]).append(value)


def node(op_def, name, inputs, attrs):
    """A node of an op with these inputs by name and attrs by value."""
    message = node_def_pb2.NodeDef(name=name, op=op_def.name, input=inputs)
    kinds = {a.name: a.type for a in op_def.attr}
    for key, value in attrs.items():
        message.attr[key].CopyFrom(attr(kinds[key], value))
    return message


def graph(nodes, functions=()):
    """A graph of these nodes and functions, as old as the oldest of its ops has to be."""
    message = graph_pb2.GraphDef(node=nodes)
    removed = [declarations.get(n.op).deprecation.version for n in nodes if declarations.get(n.op)]
    message.versions.producer = min([PRODUCER, *(version - 1 for version in removed if version)])
    message.library.function.extend(functions)
    return message
