"""Reads with stock TensorFlow the bundles that tests/it/tensorflow.rs wrote: python read_back.py folder."""

import os
import sys

import numpy as np
import tensorflow as tf

import make_fixtures as made

FOLDER = sys.argv[1]
raw = tf.raw_ops


def path(name):
    return os.path.join(FOLDER, name)


def restore(prefix, names, dtypes, slices=None):
    return raw.RestoreV2(
        prefix=path(prefix), tensor_names=names, shape_and_slices=slices or [""] * len(names), dtypes=dtypes
    )


def same(actual, expected):
    expected = tf.convert_to_tensor(expected)
    assert actual.dtype == expected.dtype and actual.shape == expected.shape, (actual, expected)
    assert tf.io.serialize_tensor(actual) == tf.io.serialize_tensor(expected), (actual, expected)


def dtypes():
    for name in made.PLAIN:
        expected = made.plain(name, [2, 3])
        actual = restore("dtypes", [f"dtypes/{name}"], [expected.dtype])[0]
        assert actual.shape == [2, 3]
        if name not in made.QUANTIZED:
            assert actual.numpy().tobytes() == expected.numpy().tobytes(), name
    strings = restore("dtypes", ["strings", "empty_strings", "one string"], [tf.string] * 3)
    same(strings[0], tf.reshape(tf.constant(made.text(6, 31), tf.string), [2, 3]))
    same(strings[1], tf.zeros([0], tf.string))
    same(strings[2], "text")
    same(restore("dtypes", [b"z/\xff\0z"], [tf.int64])[0], tf.constant([1, 2], tf.int64))
    same(restore("dtypes", ["scalar"], [tf.float32])[0], 7.5)
    same(restore("dtypes", ["empty"], [tf.int32])[0], tf.zeros([3, 0, 2], tf.int32))


def slices():
    matrix, vector = made.plain("float", [4, 5]), made.plain("int64", [6])
    for prefix in ["sliced", "merged"]:
        same(restore(prefix, ["matrix"], [tf.float32])[0], matrix)
        same(restore(prefix, ["matrix"], [tf.float32], ["4 5 1,2:2,3"])[0], matrix[1:3, 2:])
    for name in ["vector", "whole", "whole_by_slice"]:
        same(restore("sliced", [name], [tf.int64])[0], vector)
    assert tf.train.load_checkpoint(path("merged")).get_variable_to_shape_map()["matrix"] == [4, 5]


def large():
    reader = tf.train.load_checkpoint(path("large"))
    values = np.arange(3_000_000, dtype=np.float32).reshape(3000, 1000) * 0.5
    assert (reader.get_tensor("values") == values).all()
    strings = reader.get_tensor("strings")
    assert strings.shape == (10, 100) and all(s == b"x" * (i * 7) for i, s in enumerate(strings.flat))
    assert all(reader.get_tensor(f"many/{i}") == i for i in range(0, 24000, 37))


def v1():
    for name in made.V1_PLAIN:
        expected = made.plain(name, [2, 3])
        actual = raw.Restore(file_pattern=path("v1"), tensor_name=f"dtypes/{name}", dt=expected.dtype)
        if name not in made.QUANTIZED:
            assert actual.shape == [2, 3] and actual.numpy().tobytes() == expected.numpy().tobytes(), name
    strings = raw.Restore(file_pattern=path("v1"), tensor_name="strings", dt=tf.string)
    same(strings, tf.reshape(tf.constant(made.text(6, 31), tf.string), [2, 3]))
    same(raw.Restore(file_pattern=path("v1-*"), tensor_name="matrix", dt=tf.float32), made.plain("float", [4, 5]))


def save_again():
    tensors = restore("large", ["strings"], [tf.string]) + restore("merged", ["matrix"], [tf.float32])
    raw.SaveV2(prefix=path("again"), tensor_names=["strings", "matrix"], shape_and_slices=["", ""], tensors=tensors)


if __name__ == "__main__":
    dtypes()
    slices()
    large()
    v1()
    save_again()
