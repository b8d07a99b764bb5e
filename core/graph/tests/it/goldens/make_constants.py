"""Writes `constants.pb`: constants of every dtype in every form that TensorFlow 2.21 writes, in pairs.

`NAME` is the constant, `NAME/bytes` a uint8 constant with its elements' bytes; of strings, `NAME/bytes` is the strings
with a newline after each.
"""

import os
import pathlib

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf
from tensorflow.core.framework import tensor_pb2

PLAIN = """float32 float64 float16 bfloat16 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128
qint8 quint8 qint16 quint16 qint32 float8_e5m2 float8_e4m3fn float8_e4m3fnuz float8_e4m3b11fnuz float8_e5m2fnuz
int4 uint4 int2 uint2 float4_e2m1fn""".split()
FIELDS = "half_val float_val double_val int_val int64_val bool_val scomplex_val dcomplex_val uint32_val uint64_val".split()


def values(dtype, count):
    small = np.arange(1, count + 1) % (2 if "2" == dtype.name[-1] or dtype.name == "bool" else 7)
    array = small.astype(np.float64 if not dtype.is_complex else np.complex128)
    if dtype.is_complex:
        array = array + 2j
    base = {"qint8": "int8", "quint8": "uint8", "qint16": "int16", "quint16": "uint16", "qint32": "int32"}
    if dtype.name in base:
        return array.astype(base[dtype.name]).astype(dtype.as_numpy_dtype)
    return array.astype(dtype.as_numpy_dtype)


def in_fields(proto, repeat):
    """The same tensor with its values in the dtype's own field, all of them or the first only."""
    array = tf.make_ndarray(proto)
    one = tf.make_tensor_proto(array.reshape(-1)[0], dtype=proto.dtype, shape=[])
    out = tensor_pb2.TensorProto()
    out.CopyFrom(one)
    if not repeat:
        for value in array.reshape(-1)[1:]:
            next_proto = tf.make_tensor_proto(value, dtype=proto.dtype, shape=[])
            for field in FIELDS:
                getattr(out, field).extend(getattr(next_proto, field))
            out.float8_val += next_proto.float8_val
    out.tensor_shape.CopyFrom(proto.tensor_shape)
    return out


def const(graph_def, name, proto):
    node = graph_def.node.add(name=name, op="Const")
    node.attr["dtype"].type = proto.dtype
    node.attr["value"].tensor.CopyFrom(proto)


def pair(graph_def, name, proto, expected):
    const(graph_def, name, proto)
    array = np.frombuffer(expected, np.uint8)
    const(graph_def, name + "/bytes", tf.make_tensor_proto(array, shape=array.shape))


def main():
    graph_def = tf.compat.v1.GraphDef()
    graph_def.versions.producer = tf.compat.v1.GRAPH_DEF_VERSION if hasattr(tf.compat.v1, "GRAPH_DEF_VERSION") else 2474
    skipped = []
    for name in PLAIN:
        dtype = tf.as_dtype(name)
        for form, shape in [("scalar", []), ("vector", [3]), ("matrix", [2, 2]), ("one", [1, 1]), ("none", [0, 2])]:
            try:
                array = values(dtype, int(np.prod(shape))).reshape(shape)
                proto = tf.make_tensor_proto(array, dtype=dtype, shape=shape)
                pair(graph_def, f"{name}/{form}", proto, tf.make_ndarray(proto).tobytes())
                if form == "vector":
                    for repeat in (False, True):
                        proto2 = in_fields(proto, repeat)
                        pair(graph_def, f"{name}/{'repeated' if repeat else 'fields'}", proto2, tf.make_ndarray(proto2).tobytes())
            except Exception as e:
                skipped.append(f"{name}/{form}: {str(e)[:80]}")
    strings = [b"", b"a", "é".encode(), b"\x00\xff" * 20]
    pair(graph_def, "string/vector", tf.make_tensor_proto(strings), b"".join(s + b"\n" for s in strings))
    pair(graph_def, "string/scalar", tf.make_tensor_proto(b"abc"), b"abc\n")
    path = pathlib.Path(__file__).parent / "constants.pb"
    path.write_bytes(graph_def.SerializeToString(deterministic=True))
    print(len(graph_def.node), "constants; skipped:", *skipped, sep="\n  ")


main()
