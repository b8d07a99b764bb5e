"""The time of an addition of 4 elements: `python measure.py HOST PLUGIN.so OTHER.so…`. Prints the least and the median of
rounds, in microseconds a call; the contestants take turns."""

import statistics
import sys
import time

HOST, PLUGIN, *OTHERS = sys.argv[1:]
ROUNDS = 300


def compare(contestants, calls, per_call=1):
    for run in contestants.values():
        for _ in range(50):
            run()
    times = {name: [] for name in contestants}
    for _ in range(ROUNDS):
        for name, run in contestants.items():
            start = time.perf_counter()
            for _ in range(calls):
                run()
            times[name].append((time.perf_counter() - start) / calls / per_call * 1e6)
    for name, each in times.items():
        print(f"{HOST:13} {name:46} {min(each):8.3f} {statistics.median(each):8.3f}")


def torch():
    import torch

    torch.set_num_threads(1)
    for path in [PLUGIN, *OTHERS]:
        torch.ops.load_library(path)
    x, y = torch.ones(4), torch.ones(4)
    ours, cpp, stable = torch.ops.my_ops.plain_add, torch.ops.cpp_ops.add, torch.ops.stable_ops.add
    with torch.no_grad():
        compare({
            "oplink": lambda: ours(x, y),
            "C++, by its API": lambda: cpp(x, y),
            "C++, by the stable ABI": lambda: stable(x, y),
            "torch.add": lambda: torch.add(x, y),
        }, 200)
    # With functions of autograd in Python, as a plugin's gradients have.
    from oplink_hosts import torch as oplink_torch

    oplink_torch.load(PLUGIN)
    torch.library.register_autograd("cpp_ops::add", lambda ctx, dy: (dy, dy))
    compare({
        "oplink, gradient registered in Python": lambda: ours(x, y),
        "C++, gradient registered in Python": lambda: cpp(x, y),
    }, 100)


def jax():
    import ctypes

    import jax
    import jax.numpy as jnp
    from oplink_hosts import jax as oplink_jax

    ops = oplink_jax.load(PLUGIN)
    jax.ffi.register_ffi_target("cpp_ops.add", jax.ffi.pycapsule(ctypes.CDLL(OTHERS[0]).CppAdd), platform="cpu")
    x, y = jnp.ones(4), jnp.ones(4)
    cpp = jax.ffi.ffi_call("cpp_ops.add", jax.ShapeDtypeStruct((4,), jnp.float32))

    def chain(add):
        def run(x, y):
            for _ in range(100):
                x = add(x, y)
            return x

        made = jax.jit(run)
        return lambda: made(x, y).block_until_ready()

    compare({"oplink, one of 100 in a program": chain(ops.plain_add), "C++, one of 100 in a program": chain(cpp)},
            20, 100)


def onnxruntime():
    import numpy as np
    import onnxruntime as ort
    from onnx import TensorProto, helper

    def chain(domain, op, library):
        nodes = [helper.make_node(op, ["x" if at == 0 else f"v{at}", "y"], [f"v{at + 1}"], domain=domain)
                 for at in range(100)]
        values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [4]) for name in ("x", "y", "v100")]
        graph = helper.make_graph(nodes, "graph", values[:2], values[2:])
        model = helper.make_model(graph, ir_version=9, opset_imports=[
            helper.make_opsetid("", 17), helper.make_opsetid("my_ops", 1), helper.make_opsetid("cpp_ops", 1)])
        options = ort.SessionOptions()
        options.intra_op_num_threads = 1
        if library:
            options.register_custom_ops_library(library)
        session = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        x = np.ones(4, np.float32)
        assert session.run(None, {"x": x, "y": x})[0].tolist() == [101.0] * 4
        return lambda: session.run(None, {"x": x, "y": x})

    compare({
        "oplink, one of 100 in a model": chain("my_ops", "PlainAdd", PLUGIN),
        "C++, shapes inferred, one of 100 in a model": chain("cpp_ops", "AddInferred", OTHERS[0]),
        "C++, one of 100 in a model": chain("cpp_ops", "Add", OTHERS[0]),
        "Add of ONNX, one of 100 in a model": chain("", "Add", None),
    }, 20, 100)


def tensorflow():
    import os

    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    ours = tf.load_op_library(PLUGIN).plain_add
    cpp, c_api = tf.load_op_library(OTHERS[0]).cpp_add, tf.load_op_library(OTHERS[1]).c_api_add
    x, y = tf.ones(4), tf.ones(4)

    def chain(add):
        @tf.function
        def run(x, y):
            for _ in range(100):
                x = add(x=x, y=y)
            return x

        made = run.get_concrete_function(x, y)
        return lambda: made(x, y)

    compare({
        "oplink, eager": lambda: ours(x=x, y=y),
        "C++, by its API, eager": lambda: cpp(x=x, y=y),
        "C++, by the C API, eager": lambda: c_api(x=x, y=y),
        "tf.raw_ops.AddV2, eager": lambda: tf.raw_ops.AddV2(x=x, y=y),
    }, 100)
    compare({
        "oplink, one of 100 in a graph": chain(ours),
        "C++, by its API, one of 100 in a graph": chain(cpp),
        "C++, by the C API, one of 100 in a graph": chain(c_api),
        "AddV2, one of 100 in a graph": chain(tf.raw_ops.AddV2),
    }, 10, 100)


{"PyTorch": torch, "JAX": jax, "ONNX Runtime": onnxruntime, "TensorFlow": tensorflow}[HOST]()
