"""Runs stored graphs through the C API of a TensorFlow library, compares with stored outputs, and times them.

usage: run_graph.py FOLDER_WITH_LIBRARIES MODELS_FOLDER NAME... [--threads N] [--seconds S]

`NAME.pb` is a GraphDef, `NAME.npz` holds its inputs (`in:<tensor>`) and TensorFlow's outputs (`out:<tensor>`), or a
training run: inputs with a leading axis of steps, `loss`, and `final:<variable>`. One line a model; exits with 1 where one
differs. Needs numpy and no TensorFlow.
"""
import argparse
import sys
import time

import numpy as np

from c_api import *

NUMPY = {1: "f4", 2: "f8", 3: "i4", 4: "u1", 6: "i1", 9: "i8", 10: "?", 19: "f2"}
NUMBER = {np.dtype(name): number for number, name in NUMPY.items()}


class Model:
    """A graph with its session."""

    def __init__(self, api, path, threads):
        self.api, self.graph = api, api.graph()
        with open(path, "rb") as file:
            options = vp(api.call("TF_NewImportGraphDefOptions", vp))
            code, _ = api.tried("TF_GraphImportGraphDef", None, self.graph, api.buffer(file.read()), options)
        if code:
            raise RuntimeError(api.message())
        config = bytes([0x10, threads, 0x28, threads, 0x38, 1])
        code, self.session = api.session(self.graph, config)
        if code:
            raise RuntimeError(api.message())

    def output(self, name):
        node, _, index = name.partition(":")
        return self.oper(node), int(index or 0)

    def oper(self, name):
        oper = self.api.call("TF_GraphOperationByName", vp, self.graph, cp(name.encode()))
        if not oper:
            raise RuntimeError(f"no operation {name}")
        return oper

    def tensor(self, array):
        array = np.array(array, order="C")
        return self.api.tensor(NUMBER[array.dtype], array.shape, array.tobytes())

    def array(self, tensor):
        api, tensor = self.api, vp(tensor)
        dtype = NUMPY[api.call("TF_TensorType", i32, tensor)]
        data = C.string_at(api.call("TF_TensorData", vp, tensor), api.call("TF_TensorByteSize", sz, tensor))
        array = np.frombuffer(data, dtype).reshape(api.shape(tensor.value))
        api.call("TF_DeleteTensor", None, tensor)
        return array

    def run(self, feeds, fetches, targets=()):
        """Values by name in, arrays out."""
        values = [(self.output(name), self.tensor(value)) for name, value in feeds]
        code, tensors = self.api.run(self.session, values, [self.output(name) for name in fetches],
                                     [self.oper(name) for name in targets])
        for _, value in values:
            self.api.call("TF_DeleteTensor", None, value)
        if code:
            raise RuntimeError(self.api.message())
        return [self.array(tensor) for tensor in tensors]


def difference(got, want):
    """The largest difference relative to the largest magnitude; integers and booleans are equal or infinitely far."""
    if got.shape != want.shape:
        return float("inf")
    if want.dtype == bool or np.issubdtype(want.dtype, np.integer):
        return 0.0 if np.array_equal(got, want) else float("inf")
    if not np.array_equal(np.isnan(got), np.isnan(want)):
        return float("inf")
    if not want.size:
        return 0.0
    return float(np.nanmax(np.abs(got.astype("f8") - want)) / max(np.nanmax(np.abs(want)), 1e-30))


def train(model, data):
    """The largest difference of all losses and final values."""
    feeds = [name for name in data if name.startswith("in:")]
    model.run([], [], ["init"])
    steps = range(len(data["loss"]))
    losses = [model.run([(name[3:], data[name][i]) for name in feeds], ["loss:0"], ["train"])[0] for i in steps]
    worst = difference(np.array(losses, "f8").reshape(-1), data["loss"].astype("f8"))
    for name in data:
        if name.startswith("final:"):
            worst = max(worst, difference(model.run([], [f"read_{name[6:]}:0"])[0], data[name]))
    return worst, 1e-3


def infer(model, data, seconds):
    """The largest difference of all outputs, and the median time of a run."""
    feeds = [(name[3:], data[name]) for name in data if name.startswith("in:")]
    fetches = [name for name in data if name.startswith("out:")]
    results = model.run(feeds, [name[4:] for name in fetches])
    worst = max(difference(result, data[name]) for result, name in zip(results, fetches))
    times, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 3:
        start = time.perf_counter()
        model.run(feeds, [name[4:] for name in fetches])
        times.append((time.perf_counter() - start) * 1e3)
    return worst, 1e-4, float(np.median(times))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("libraries")
    parser.add_argument("models")
    parser.add_argument("names", nargs="+")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=0.2)
    options = parser.parse_args()
    api, bad = Api(options.libraries), 0
    for name in options.names:
        try:
            data = np.load(f"{options.models}/{name}.npz")
            model = Model(api, f"{options.models}/{name}.pb", options.threads)
            worst, bound, *took = train(model, data) if "loss" in data else infer(model, data, options.seconds)
            good = worst <= bound
            took = f"run {took[0]:9.3f} ms" if took else ""
            print(f"{name:18s} {'ok  ' if good else 'FAIL'} difference {worst:.2e}  {took}", flush=True)
        except Exception as problem:
            good = False
            print(f"{name:18s} FAIL {problem}", flush=True)
        bad += not good
    print(f"{len(options.names) - bad} of {len(options.names)} models agree")
    sys.exit(bad > 0)


main()
