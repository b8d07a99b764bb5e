"""The benchmarks of oplink and the same work in TensorFlow, in turn, as the tables of docs/performance.md.

    pip install tensorflow-cpu==2.21.0
    .ci/models target/models
    OPLINK_MODELS=$PWD/target/models python benches/with_tensorflow.py

Rounds of both alternate, so that what else the machine does meets both. Of each figure the best round's median is taken.
"""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODELS = os.environ.get("OPLINK_MODELS")
ROUNDS = 3
ARCHIVED = ["while_v1", "while_v2", "lstm", "lstm_v1", "transformer", "resnet50"]
UNITS = {"ps": 1e-3, "ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}


def median_ns(call, count, batch=1):
    """The median time of a call, over `count` batches."""
    for _ in range(max(count // 10, 3)):
        call()
    times = []
    for _ in range(count):
        start = time.perf_counter_ns()
        for _ in range(batch):
            call()
        times.append((time.perf_counter_ns() - start) / batch)
    return sorted(times)[len(times) // 2]


def tensorflow(threads):
    """Figures of TensorFlow with this many threads, in a process of its own since threads are set once."""
    os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")
    import numpy as np
    import tensorflow as tf

    v1 = tf.compat.v1
    figures = {}
    if threads == 1:
        x, y = tf.constant(1.0), tf.constant(2.0)
        figures["eager"] = median_ns(lambda: tf.raw_ops.AddV2(x=x, y=y), 100, 1000)

    def session(graph):
        config = v1.ConfigProto(intra_op_parallelism_threads=threads, inter_op_parallelism_threads=1)
        return v1.Session(graph=graph, config=config)

    def model(name, path, feed, fetches, value, count):
        start = time.perf_counter_ns()
        graph = tf.Graph()
        with graph.as_default():
            definition = v1.GraphDef.FromString(Path(path).read_bytes())
            tf.import_graph_def(definition, name="")
        figures[f"{name} load"] = time.perf_counter_ns() - start
        start = time.perf_counter_ns()
        call = session(graph).make_callable(fetches, [feed])
        call(value)
        figures[f"{name} first_run"] = time.perf_counter_ns() - start
        figures[f"{name} {threads}"] = median_ns(lambda: call(value), count)

    # First, so that the start of TensorFlow itself does not count as the first run of a model.
    with tf.Graph().as_default() as graph:
        chain = x = v1.placeholder(tf.float32, [], name="x")
        for _ in range(1000):
            chain = tf.raw_ops.AddV2(x=chain, y=x)
        config = v1.ConfigProto(intra_op_parallelism_threads=threads, inter_op_parallelism_threads=1)
        # The optimiser would replace the chain with one sum.
        config.graph_options.rewrite_options.disable_meta_optimizer = True
        call = v1.Session(graph=graph, config=config).make_callable(chain, [x])
        figures[f"adds_1000 {threads}"] = median_ns(lambda: call(np.float32(1)), 300)

    digits = np.full([1, 28, 28, 1], 100, np.uint8)
    path = ROOT / "tests/models/digits/digits.pb"
    model("digits", path, "image:0", ["Identity:0", "Identity_1:0"], digits, 300)
    if MODELS:
        image = np.full([1, 224, 224, 3], 0.5, np.float32)
        model("mobilenetv2", Path(MODELS) / "mobilenetv2.pb", "a:0", ["Identity:0"], image, 50)
    for name in ARCHIVED:
        folder = next((f for f in archived_folders() if (f / f"{name}.npz").exists()), None)
        if folder is None:
            continue
        archive = np.load(folder / f"{name}.npz")
        feeds = [key[3:] for key in archive if key.startswith("in:")]
        fetches = [key[4:] for key in archive if key.startswith("out:")]
        with tf.Graph().as_default() as graph:
            tf.import_graph_def(v1.GraphDef.FromString((folder / f"{name}.pb").read_bytes()), name="")
        call = session(graph).make_callable(fetches, feeds)
        values = [archive[f"in:{feed}"] for feed in feeds]
        figures[f"{name} {threads}"] = median_ns(lambda: call(*values), 100)
    return figures


def archived_folders():
    return [Path(folder) for folder in (ROOT / "tests/models", MODELS) if folder]


def tensorflow_round():
    figures = {}
    for threads in (1, 2):
        command = [sys.executable, __file__, "--threads", str(threads)]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        figures.update(json.loads(output.splitlines()[-1]))
    return figures


def oplink_round():
    """Medians of all benchmarks, by group and name as divan prints them."""
    command = ["cargo", "bench", "--quiet", "-p", "oplink", "--bench", "eager", "--bench", "registry", "--bench", "models"]
    output = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout
    figures, group = {}, ""
    for line in output.splitlines():
        match = re.match(r"^([│ ]*)[├╰]─ (\S+)\s*(.*)", line)
        if not match:
            continue
        indent, name, rest = match.groups()
        columns = re.findall(r"([\d.]+) (ps|ns|µs|ms|s)\b", rest)
        if not indent:
            group = name
        key = name if not indent else f"{group} {name}"
        if len(columns) >= 3:
            number, unit = columns[2]
            figures[key] = float(number) * UNITS[unit]
    return figures


def best(rounds):
    return {key: min(figures[key] for figures in rounds if key in figures) for figures in rounds for key in figures}


def shown(ns):
    for unit, size in (("ms", 1e6), ("µs", 1e3)):
        if ns >= size:
            return f"{ns / size:.3g} {unit}" if ns < 1e3 * size else f"{ns / size:,.0f} {unit}"
    return f"{ns:.0f} ns"


def table(head, rows):
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def main():
    rounds = [(oplink_round(), tensorflow_round()) for _ in range(ROUNDS)]
    have, tf = best([pair[0] for pair in rounds]), best([pair[1] for pair in rounds])
    bare = have["bare"]
    names = {
        "bare": "bare kernel function",
        "prepared": "`PreparedKernel::run`",
        "handle": "`OpHandle::call`",
        "by_name": "`EagerContext::call`, by name",
        "typed": "`AddV2::call`",
    }
    rows = [[name, shown(have[key]), shown(have[key] - bare), f"{have[key] / bare:.1f}"] for key, name in names.items()]
    rows.append(["TensorFlow, `tf.raw_ops.AddV2` in Python", shown(tf["eager"]), "", f"{tf['eager'] / bare:.0f}"])
    table(["scalar `AddV2`", "a call", "beyond the bare function", "ratio to it"], rows)
    names = {
        "find_one": "find the kernel of one node",
        "find_in_turn": "find the kernels of all built-in ops in turn, each",
        "seal_1000": "seal 1,000 kernels of 500 ops",
        "seal_built_in": "seal everything built in",
    }
    table(["registry", "time"], [[name, shown(have[key])] for key, name in names.items()])
    names = {
        "load Digits": ("digits: load", "digits load"),
        "first_run Digits": ("digits: first run", "digits first_run"),
        "load MobileNetV2": ("MobileNetV2: load", "mobilenetv2 load"),
        "first_run MobileNetV2": ("MobileNetV2: first run", "mobilenetv2 first_run"),
    }
    for name, title in (("digits", "digits"), ("mobilenetv2", "MobileNetV2"), ("adds_1000", "1,000 scalar sums")):
        for threads in (1, 2):
            plural = "s" if threads > 1 else ""
            names[f"{name} {threads}"] = (f"{title}: a run, {threads} thread{plural}", f"{name} {threads}")
    for name in ARCHIVED:
        names[f"one_thread {name}"] = (f"{name}: a run, 1 thread", f"{name} 1")
        names[f"two_threads {name}"] = (f"{name}: a run, 2 threads", f"{name} 2")
    rows = []
    for key, (title, other) in names.items():
        if key in have and other in tf:
            rows.append([title, shown(have[key]), shown(tf[other]), f"{have[key] / tf[other]:.2g}"])
    table(["graphs", "oplink", "TensorFlow", "ratio"], rows)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--threads"]:
        print(json.dumps(tensorflow(int(sys.argv[2]))))
    else:
        main()
