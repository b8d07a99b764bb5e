"""Products and convolutions in bfloat16 and in single precision beside TensorFlow's: a table in Markdown.

    cargo bench -p oplink --bench low_precision --no-run      # prints where the binary is
    OPLINK_TENSORFLOW_VENV/bin/python benches/low_precision.py BINARY [OTHER_BINARY]

All run in turn, of every figure the best round counts; OTHER_BINARY is another build of oplink. TensorFlow multiplies a variable with a
constant, through `make_callable` of the op itself, so that nothing is copied in or out; the cost of a call that does nothing is taken off.
"""

import os
import subprocess
import sys

ROUNDS = 2
DTYPES = ("bfloat16", "float32")


def of_process(command):
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    lines = [line.split("\t") for line in output.splitlines() if line.count("\t") == 3]
    return {(name, dtype, int(threads)): float(microseconds) for name, dtype, threads, microseconds in lines}


def tensorflow(threads):
    """Prints the microseconds of each case, in a process whose threads are so many."""
    os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")
    import time

    import numpy as np
    import tensorflow as tf

    v1 = tf.compat.v1

    def best(call):
        for _ in range(3):
            call()
        means = []
        for _ in range(3):
            start, count = time.perf_counter(), 0
            while time.perf_counter() - start < 0.04:
                call()
                count += 1
            means.append((time.perf_counter() - start) / count)
        return min(means) * 1e6

    def values(shape, dtype):
        return tf.constant((np.arange(np.prod(shape)) * 7919 + 13) % 1000 / 500 - 1, dtype, shape)

    for line in open(os.path.join(os.path.dirname(__file__), "low_precision.txt")):
        if line.startswith("#"):
            continue
        name, numbers = line.split(":")
        numbers = [int(number) for number in numbers.split()]
        for dtype in DTYPES:
            with tf.Graph().as_default() as graph:
                if len(numbers) == 3:
                    rows, depth, columns = numbers
                    x = v1.get_variable("x", initializer=values([rows, depth], dtype), use_resource=True)
                    y = tf.linalg.matmul(x.read_value(), values([depth, columns], dtype))
                else:
                    image, depth, columns, window, stride = numbers
                    x = v1.get_variable("x", initializer=values([1, image, image, depth], dtype), use_resource=True)
                    y = tf.nn.conv2d(x.read_value(), values([window, window, depth, columns], dtype), stride, "SAME")
                empty = tf.no_op()
                config = v1.ConfigProto(intra_op_parallelism_threads=threads, inter_op_parallelism_threads=1)
                session = v1.Session(graph=graph, config=config)
                session.run(v1.global_variables_initializer())
                call, nothing = session.make_callable(y.op), session.make_callable(empty)
                print(f"{name}\t{dtype}\t{threads}\t{best(call) - best(nothing):.2f}", flush=True)


def least(rounds):
    return {key: min(figures[key] for figures in rounds) for key in rounds[0]}


def main():
    if sys.argv[1] == "--tensorflow":
        return tensorflow(int(sys.argv[2]))
    binaries = sys.argv[1:]
    own, stock = [[] for _ in binaries], []
    for _ in range(ROUNDS):
        for figures, binary in zip(own, binaries):
            figures.append(of_process([binary]))
        stock.append({key: value for threads in (1, 2)
                      for key, value in of_process([sys.executable, __file__, "--tensorflow", str(threads)]).items()})
    (now, *before), stock = [least(figures) for figures in own], least(stock)
    print("| case | threads | bf16 |" + " before |" * len(before) + " TensorFlow | ratio | f32 | TensorFlow |")
    print("|---|---|---|" + "---|" * len(before) + "---|---|---|---|")
    for name, dtype, threads in now:
        if dtype == "bfloat16":
            key, single = (name, dtype, threads), (name, "float32", threads)
            row = [name, str(threads), f"{now[key]:,.1f} µs", *(f"{other[key]:,.1f} µs" for other in before)]
            row += [f"{stock[key]:,.1f} µs", f"{now[key] / stock[key]:.2f}", f"{now[single]:,.1f} µs", f"{stock[single]:,.1f} µs"]
            print("| " + " | ".join(row) + " |")


main()
