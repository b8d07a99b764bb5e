"""Inputs and expected outputs of a network, and the protocol of the benchmark; see `values.rs` and `serve.rs`."""

import sys
import time

import numpy as np


class Values:
    def __init__(self, path, extents=()):
        archive = np.load(path)
        self.feeds = [name[3:] for name in archive if name.startswith("in:")]
        self.fetches = [name[4:] for name in archive if name.startswith("out:")]
        self.trains = "loss" in archive
        self.original = not extents
        self.expected = [archive["out:" + name] for name in self.fetches]
        columns = [archive["in:" + name] for name in self.feeds]
        if self.trains:
            self.fetches, self.expected = ["loss:0"], [archive["loss"]]
            columns = [list(column) for column in columns]
        else:
            columns = [[column] for column in columns]
        self.inputs = [[resized(value, extents) for value in run] for run in zip(*columns)]


def resized(array, extents):
    for text in extents:
        axis, extent = map(int, text.split("="))
        if axis < array.ndim:
            array = np.take(array, np.arange(extent) % array.shape[axis], axis)
    return array


def error(values, runs):
    """The largest difference to what TensorFlow gave when the network was made, relative to the largest magnitude."""
    if not values.original:
        return float("nan")
    got = [np.array([run[0] for run in runs])] if values.trains else runs[0]
    return max(difference(one, other) for one, other in zip(got, values.expected))


def difference(got, expected):
    if got.shape != expected.shape:
        return float("inf")
    if not np.issubdtype(expected.dtype, np.floating):
        return 0.0 if np.array_equal(got, expected) else float("inf")
    return float(np.abs(got - expected).max() / np.abs(expected).max())


def memory(figure):
    """MiB of the process: `VmHWM:`, the peak, or `VmRSS:`, what it has now."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith(figure))


def serve(call, values, loaded, first, worst):
    """Runs the call as lines of the standard input ask, until they end."""
    print(f"{loaded * 1e3:.3f} {first * 1e3:.3f} {worst:e} {memory('VmHWM:'):.1f}", flush=True)
    position = 0
    for line in sys.stdin:
        end, times = time.perf_counter() + float(line), []
        while not times or time.perf_counter() < end:
            inputs = values.inputs[position % len(values.inputs)]
            position += 1
            start = time.perf_counter()
            call(*inputs)
            times.append((time.perf_counter() - start) * 1e3)
        print(" ".join(f"{took:.4f}" for took in times), flush=True)
