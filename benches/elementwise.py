"""Elementwise kernels beside TensorFlow's and, where it is given, beside another build of oplink: a table in Markdown.

    cargo bench --bench elementwise --no-run      # prints where the binary is
    OPLINK_TENSORFLOW_VENV/bin/python benches/elementwise.py BINARY [OTHER_BINARY]

All run in turn on one processor, so that what else the machine does meets each; of every figure the best round counts. TensorFlow runs
through `make_callable` with its inputs in variables, so that a call copies nothing but its result.
"""

import os
import subprocess
import sys

ROUNDS = 3
COUNTS = [100_000, 1_000_000]


def of_binary(path):
    output = subprocess.run(["taskset", "--cpu-list", "0", path], check=True, capture_output=True, text=True).stdout
    lines = [line.split() for line in output.splitlines() if len(line.split()) == 4]
    return {(op, form, int(count)): float(nanoseconds) for op, form, count, nanoseconds in lines}


def of_tensorflow(cases):
    """Nanoseconds of each (op, form, count) by TensorFlow, without the cost of a call that does nothing."""
    os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")
    import time

    import numpy as np
    import tensorflow as tf

    v1 = tf.compat.v1
    figures = {}

    def best(call, calls):
        times = []
        for _ in range(9):
            start = time.perf_counter_ns()
            for _ in range(calls):
                call()
            times.append((time.perf_counter_ns() - start) / calls)
        return min(times)

    for op, form, count in cases:
        with tf.Graph().as_default() as graph:
            values = (0.1 + 0.8 * (np.arange(count) % 997) / 997).astype(np.float32)
            names = [name for name in getattr(tf.raw_ops, op).__signature__.parameters if name != "name"]
            first = v1.get_variable("a", initializer=values, use_resource=True)
            second = v1.get_variable("b", initializer=np.float32(0.5) if form == "scalar" else values, use_resource=True)
            result = getattr(tf.raw_ops, op)(**dict(zip(names, [first.read_value(), second.read_value()])))
            config = v1.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
            config.graph_options.rewrite_options.disable_meta_optimizer = True
            session = v1.Session(graph=graph, config=config)
            session.run(v1.global_variables_initializer())
            call, nothing = session.make_callable(result.op), session.make_callable(first.handle.op)
            calls = max(2_000_000 // count, 2)
            figures[op, form, count] = best(call, calls) - best(nothing, 50)
    return figures


def least(rounds):
    return {key: min(figures[key] for figures in rounds) for key in rounds[0]}


def main():
    binaries = sys.argv[1:]
    rounds = [[of_binary(path) for path in binaries] for _ in range(ROUNDS)]
    figures = [least([round[at] for round in rounds]) for at in range(len(binaries))]
    shared = [key for key in figures[0] if key[2] in COUNTS and key[1] in ("new", "scalar")]
    tensorflow = of_tensorflow(shared)
    print("| op, form, elements | oplink |" + " before | ratio |" * (len(binaries) - 1) + " TensorFlow | ratio |")
    print("|---|---|" + "---|---|" * (len(binaries) - 1) + "---|---|")
    for key, nanoseconds in figures[0].items():
        row = [f"`{key[0]}` {key[1]} {key[2]:,}", f"{nanoseconds:,.0f} ns"]
        for other in figures[1:]:
            row += [f"{other[key]:,.0f} ns", f"{nanoseconds / other[key]:.2f}"]
        beside = tensorflow.get(key)
        row += [f"{beside:,.0f} ns", f"{nanoseconds / beside:.2f}"] if beside else ["", ""]
        print("| " + " | ".join(row) + " |")


main()
