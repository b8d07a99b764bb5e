"""Checks on devices of plugins in stock TensorFlow."""

import ctypes as c

import numpy as np
import tensorflow as tf

from abi_checks import counters

SIM, C = {}, {}
RANDOM = np.random.default_rng(7)


def check(name, *kinds):
    def keep(function):
        for kind in kinds or (SIM,):
            kind[name] = function
        return function
    return keep


class Loaded:
    def __init__(self, path):
        self.library = c.CDLL(path)


def load(path):
    from tensorflow.python.framework import load_library
    load_library.load_pluggable_device_library(path)
    tf.config.set_soft_device_placement(False)
    return Loaded(path)


def device_type():
    return next(device.device_type for device in tf.config.list_physical_devices() if device.device_type != "CPU")


def values(*shape, dtype=np.float32):
    return RANDOM.standard_normal(shape).astype(dtype)


def close(actual, expected):
    np.testing.assert_allclose(np.asarray(actual), np.asarray(expected), rtol=1e-5, atol=1e-5)


def raises(kind, call, *words):
    try:
        call()
    except kind as error:
        assert all(word in str(error) for word in words), f"not all of {words} in {error}"
        return
    raise AssertionError(f"no {kind.__name__}")


def on(device, function, *arguments):
    with tf.device(device):
        return function(*arguments)


def same_as_cpu(function, *arguments):
    """Eager, the arguments copied to the device by TensorFlow."""
    result = on("/SIM:0", function, *map(tf.constant, arguments))
    assert "SIM:0" in result.device, result.device
    close(result, on("/CPU:0", function, *map(tf.constant, arguments)))


@check("two devices are listed", SIM)
def listed(plugin):
    assert len(tf.config.list_physical_devices("SIM")) == 2
    details = tf.config.list_logical_devices("SIM")
    assert [device.name for device in details] == ["/device:SIM:0", "/device:SIM:1"], details


@check("a device is listed", C)
def listed_c(plugin):
    assert len(tf.config.list_logical_devices(device_type())) == 1


@check("eager calls: elementwise with broadcasting", SIM)
def elementwise(plugin):
    for dtype in (np.float32, np.float64):
        x, y, row, scalar = values(3, 5, dtype=dtype), values(3, 5, dtype=dtype), values(5, dtype=dtype), dtype(1.5)
        for function in (tf.add, tf.subtract, tf.multiply, tf.maximum):
            for other in (y, row, scalar, y[:, :1]):
                same_as_cpu(function, x, other)
                same_as_cpu(function, other, x)
        for function in (tf.negative, tf.nn.relu, tf.tanh):
            same_as_cpu(function, x)


@check("eager calls: products, bias, softmax", SIM)
def matrices(plugin):
    a, b = values(4, 7), values(7, 3)
    same_as_cpu(tf.matmul, a, b)
    same_as_cpu(lambda x, y: tf.matmul(x, y, transpose_a=True), a.T.copy(), b)
    same_as_cpu(lambda x, y: tf.matmul(x, y, transpose_b=True), a, b.T.copy())
    same_as_cpu(lambda x, y: tf.matmul(x, y), values(2, 0), values(0, 3))
    same_as_cpu(tf.nn.bias_add, a, values(7))
    same_as_cpu(tf.nn.softmax, 30 * values(5, 9))


@check("eager calls: casts, reshapes, identity", SIM)
def moves(plugin):
    x = 100 * values(4, 6)
    for dtype in (tf.float64, tf.int64):
        same_as_cpu(lambda x: tf.cast(x, dtype), x)
    same_as_cpu(lambda x: tf.cast(x, tf.float32), np.arange(-5, 5, dtype=np.int64))
    same_as_cpu(lambda x: tf.reshape(x, [2, -1, 3]), x)
    same_as_cpu(tf.identity, x)


@check("copies to the device and back", SIM, C)
def copies(plugin):
    device = f"/{device_type()}:0"
    for dtype in (np.float32, np.float64, np.int64):
        for shape in ((), (0,), (1,), (3, 5), (1000, 257)):
            given = (100 * values(*shape)).astype(dtype)
            there = on(device, tf.identity, tf.constant(given))
            np.testing.assert_array_equal(there.numpy(), given)


@check("copies between devices", SIM)
def between(plugin):
    given = values(300, 100)
    first = on("/SIM:0", lambda: tf.constant(given) + 0.0)
    second = on("/SIM:1", lambda: tf.identity(first) * 2.0)
    assert "SIM:1" in second.device
    third = on("/SIM:0", lambda: second - first)
    close(third, given)
    assert counters(plugin, 0)["copies_in_device"] + counters(plugin, 1)["copies_in_device"] > 0


WEIGHTS = [(values(64, 32), values(32)), (values(32, 32), values(32)), (values(32, 10), values(10))]


def mlp(x):
    for weight, bias in WEIGHTS[:-1]:
        x = tf.nn.relu(tf.nn.bias_add(tf.matmul(x, weight), bias))
    return tf.nn.softmax(tf.matmul(x, WEIGHTS[-1][0]) + WEIGHTS[-1][1])


@check("an mlp: eager, tf.function, all on the device", SIM)
def network(plugin):
    x = values(16, 64)
    expected = on("/CPU:0", mlp, tf.constant(x))
    before = counters(plugin)["kernels"]
    close(on("/SIM:0", mlp, tf.constant(x)), expected)
    assert counters(plugin)["kernels"] - before >= 9

    @tf.function
    def function(x):
        with tf.device("/SIM:0"):
            return mlp(x)

    for _ in range(10):
        close(function(tf.constant(x)), expected)


@check("v1 Session: parts on two devices and the host", SIM)
def session(plugin):
    with tf.Graph().as_default():
        x = tf.compat.v1.placeholder(tf.float32, [None, 8])
        with tf.device("/device:SIM:0"):
            a = tf.nn.relu(x * 2.0)
        with tf.device("/device:SIM:1"):
            b = tf.tanh(x) + a
        with tf.device("/device:CPU:0"):
            total = tf.reduce_sum(a - b)
        with tf.compat.v1.Session(config=tf.compat.v1.ConfigProto(allow_soft_placement=False)) as session:
            for rows in (1, 5, 300):
                given = values(rows, 8)
                first, second, sum_ = session.run([a, b, total], {x: given})
                close(first, np.maximum(given * 2, 0))
                close(second, np.tanh(given) + first)
                np.testing.assert_allclose(sum_, (first - second).sum(), rtol=1e-3, atol=1e-3)


@check("long chains on both devices at once: no wait is missing", SIM)
def chains(plugin):
    @tf.function
    def function(x):
        ends = []
        for device in ("/SIM:0", "/SIM:1"):
            with tf.device(device):
                y = x
                for step in range(20):
                    y = tf.tanh(y) * 1.25 + float(step % 3)
                ends.append(y)
        with tf.device("/SIM:0"):
            return ends[0] - tf.identity(ends[1]), ends[0]

    x = tf.constant(values(50, 40))
    expected = x.numpy()
    for step in range(20):
        expected = np.tanh(expected) * np.float32(1.25) + np.float32(step % 3)
    for _ in range(10):
        difference, end = function(x)
        assert not np.any(difference.numpy())
        np.testing.assert_allclose(end.numpy(), expected, rtol=1e-4, atol=1e-4)


@check("a kernel of the device", C)
def kernel_c(plugin):
    given = values(17, 3)
    result = on(f"/{device_type()}:0", tf.negative, tf.constant(given))
    assert device_type() in result.device
    np.testing.assert_array_equal(result.numpy(), -given)

    @tf.function
    def function(x):
        with tf.device(f"/{device_type()}:0"):
            return -(-x)

    np.testing.assert_array_equal(function(tf.constant(given)).numpy(), given)


@check("an op without a kernel on the device is an error that names it", SIM, C)
def no_kernel(plugin):
    text = tf.constant("strings stay on the host")
    raises(tf.errors.InvalidArgumentError, lambda: on(f"/{device_type()}:0", tf.strings.lower, text), "StringLower",
           device_type())


@check("a kernel's errors are exceptions, and the next step is right", SIM)
def errors(plugin):
    x = tf.constant(values(2, 3, 4, 5))
    raw = tf.raw_ops.BiasAdd
    raises(tf.errors.InvalidArgumentError, lambda: on("/SIM:0", lambda: raw(value=x, bias=values(4), data_format="NCHW")),
           "dimensions 3 and 4 must be equal")
    same_as_cpu(tf.nn.bias_add, values(2, 5), values(5))


def fault(plugin, name, times=1):
    assert plugin.library.oplink_sim_set_fault(name.encode(), -1, c.c_uint64(0), c.c_uint64(times)) == 0


@check("work that the device refuses is an exception, and the next step is right", SIM)
def refused(plugin):
    x, y = tf.constant(values(4, 4)), tf.constant(values(4, 4))
    fault(plugin, "KernelRefused")
    raises(tf.errors.UnavailableError, lambda: on("/SIM:0", lambda: tf.matmul(x, y)), "KernelRefused")
    same_as_cpu(tf.matmul, x, y)


@check("memory that runs out is an exception, and the next step is right", SIM)
def memory(plugin):
    x = on("/SIM:0", tf.identity, tf.zeros([36 << 10, 1 << 10]))  # TensorFlow keeps 225 MiB of the device's 512 for itself.
    raises(tf.errors.ResourceExhaustedError, lambda: on("/SIM:0", lambda: x + 1.0), "SIM:0", "OOM")
    same_as_cpu(tf.add, values(3, 3), values(3, 3))


@check("no use of memory that is not given out, no work failed", SIM)
def clean(plugin):
    for device in (0, 1):
        counted = counters(plugin, device)
        assert counted["devices_live"] == 1 and counted["streams_live"] > 0 and counted["events_recorded"] > 0, counted
        assert counted["wrong_uses"] == 0 and counted["work_failed"] == 0, counted
        assert counted["allocations_live"] < 64 and counted["streams"] < 64, counted
