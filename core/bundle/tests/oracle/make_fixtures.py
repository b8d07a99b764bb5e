"""Writes the bundles in ../fixtures with stock TensorFlow: python make_fixtures.py [folder].

tests/it/cases.rs makes the same tensors.
"""

import os
import shutil
import sys
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow.python.framework import dtypes as types

FOLDER = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..", "fixtures")
raw = tf.raw_ops

PLAIN = [
    "float", "double", "int32", "uint8", "int16", "int8", "complex64", "int64", "bool", "qint8", "quint8", "qint32",
    "bfloat16", "qint16", "quint16", "uint16", "complex128", "half", "uint32", "uint64", "float8_e5m2",
    "float8_e4m3fn", "int4", "uint4",
]
V1_PLAIN = [
    "float", "double", "int32", "uint8", "int16", "int8", "complex64", "int64", "bool", "qint8", "quint8", "qint32",
    "uint16", "complex128", "half",
]
QUANTIZED = {"qint8": "int8", "quint8": "uint8", "qint32": "int32", "qint16": "int16", "quint16": "uint16"}


def plain(name, shape):
    """Elements whose bytes count up from 0, within the values of the dtype."""
    dtype = types.as_dtype(QUANTIZED.get(name, name)).as_numpy_dtype
    count = int(np.prod(shape)) * np.dtype(dtype).itemsize
    most = {"bool": 2, "int4": 8, "uint4": 8}.get(name, 251)
    values = (np.arange(count) % most).astype(np.uint8).view(dtype).reshape(shape)
    tensor = tf.constant(values)
    return tf.bitcast(tensor, types.as_dtype(name)) if name in QUANTIZED else tensor


def text(count, length):
    return np.array([b"%d" % i * (i * length % 97) for i in range(count)], dtype=object)


def save(prefix, names, tensors, slices=None):
    raw.SaveV2(
        prefix=os.path.join(FOLDER, prefix),
        tensor_names=names,
        shape_and_slices=slices or [""] * len(names),
        tensors=tensors,
    )


def dtypes():
    names = [f"dtypes/{name}" for name in PLAIN]
    tensors = [plain(name, [2, 3]) for name in PLAIN]
    names += ["scalar", "empty", "empty_strings", "strings", "one string", "z/\xff\0z".encode("latin1"), "zeros"]
    tensors += [
        tf.constant(7.5),
        tf.zeros([3, 0, 2], tf.int32),
        tf.constant(np.zeros([0], object), tf.string),
        tf.reshape(tf.constant(text(6, 31), tf.string), [2, 3]),
        tf.constant("text"),
        tf.constant([1, 2], tf.int64),
        tf.zeros([300]),
    ]
    save("dtypes", names, tensors)


def sliced():
    matrix = plain("float", [4, 5])
    vector = plain("int64", [6])
    names = ["matrix", "matrix", "matrix", "vector", "vector", "whole", "whole_by_slice"]
    slices = ["4 5 0,2:-", "4 5 2,2:0,3", "4 5 2,2:3,2", "6 4,2", "6 0,4", "", "6 0,6"]
    tensors = [matrix[:2], matrix[2:, :3], matrix[2:, 3:], vector[4:], vector[:4], vector, vector]
    save("sliced", names, tensors, slices)


def merged():
    matrix = plain("float", [4, 5])
    save("part-0", ["a", "matrix", "b"], [tf.constant(1), matrix[:1], tf.constant("b")], ["", "4 5 0,1:-", ""])
    save("part-1", ["c", "matrix"], [tf.constant([3.0]), matrix[1:]], ["", "4 5 1,3:-"])
    for part in ["part-0", "part-1"]:
        for end in [".index", ".data-00000-of-00001"]:
            shutil.copy(os.path.join(FOLDER, part + end), os.path.join(FOLDER, "copy-" + part + end))
    parts = [os.path.join(FOLDER, part) for part in ["copy-part-0", "copy-part-1"]]
    raw.MergeV2Checkpoints(checkpoint_prefixes=parts, destination_prefix=os.path.join(FOLDER, "merged"))


def v1():
    """Files of the format before bundles."""
    matrix = plain("float", [4, 5])
    names = [f"dtypes/{name}" for name in V1_PLAIN] + ["scalar", "empty", "strings", "negative"]
    tensors = [plain(name, [2, 3]) for name in V1_PLAIN] + [
        tf.constant(7.5),
        tf.zeros([3, 0, 2], tf.int32),
        tf.reshape(tf.constant(text(6, 31), tf.string), [2, 3]),
        tf.constant([-1, -(2**31), 5]),
    ]
    raw.Save(filename=os.path.join(FOLDER, "v1"), tensor_names=names, data=tensors)
    parts = [("v1-0", ["4 5 0,1:-"], [matrix[:1]], ["matrix"]), ("v1-1", ["4 5 1,3:-", ""], [matrix[1:], 1], ["matrix", "a"])]
    for name, slices, data, names in parts:
        path = os.path.join(FOLDER, name)
        raw.SaveSlices(filename=path, tensor_names=names, shapes_and_slices=slices, data=data)


def many():
    """Prints the length and checksum of an index of several blocks."""
    count = 24000
    names = [f"model/layer_{i % 97}/{i % 13}/kernel/optimizer_slot_{i}" for i in range(count)]
    with tempfile.TemporaryDirectory() as folder:
        prefix = os.path.join(folder, "many")
        tensors = [tf.constant(i) for i in range(count)]
        raw.SaveV2(prefix=prefix, tensor_names=names, shape_and_slices=[""] * count, tensors=tensors)
        with open(prefix + ".index", "rb") as file:
            index = file.read()
    print("many:", len(index), crc32c(index))


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 & -(crc & 1))
    return crc ^ 0xFFFFFFFF


if __name__ == "__main__":
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    dtypes()
    sliced()
    merged()
    v1()
    many()
