"""Runs a network in TensorFlow as it is asked, as `networks serve` of the benchmark does: the same lines in and out.

usage: tensorflow_worker.py serve|profile GRAPH VALUES THREADS [AXIS=EXTENT...]
       tensorflow_worker.py sessions GRAPH VALUES COUNT
"""

import os
import sys
import time

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")
import numpy as np
import tensorflow as tf

from values import Values, error, memory, serve

v1 = tf.compat.v1


def load(path):
    graph = tf.Graph()
    with graph.as_default():
        with open(path, "rb") as file:
            definition = v1.GraphDef.FromString(file.read())
        tf.import_graph_def(definition, name="")
    return graph


def session(graph, threads):
    config = v1.ConfigProto(intra_op_parallelism_threads=threads, inter_op_parallelism_threads=threads)
    if os.environ.get("AS_WRITTEN"):
        # The optimiser would replace chains of equal nodes.
        config.graph_options.rewrite_options.disable_meta_optimizer = True
    return v1.Session(graph=graph, config=config)


def profile(session, values):
    """The milliseconds of each op and of the slowest nodes, the median of nine runs."""
    feeds = dict(zip(values.feeds, values.inputs[0]))
    targets = values.fetches + (["train"] if values.trains else [])
    for _ in range(3):
        session.run(targets, feeds)
    options = v1.RunOptions(trace_level=v1.RunOptions.FULL_TRACE)
    times, ops = {}, {}
    for _ in range(9):
        metadata, of_run = v1.RunMetadata(), {}
        session.run(targets, feeds, options=options, run_metadata=metadata)
        for device in metadata.step_stats.dev_stats:
            for node in device.node_stats:
                ops[node.node_name] = node.timeline_label.partition(" = ")[2].partition("(")[0]
                took = (node.op_end_rel_nanos - node.op_start_rel_nanos) / 1e6
                of_run[node.node_name] = of_run.get(node.node_name, 0) + took
        for name, took in of_run.items():
            times.setdefault(name, []).append(took)
    times = {name: sorted(each)[len(each) // 2] for name, each in times.items()}
    by_op = {}
    for name, took in times.items():
        total, count = by_op.get(ops[name], (0, 0))
        by_op[ops[name]] = total + took, count + 1
    total = sum(times.values())
    print(f"{len(times)} nodes, {total:.3f} ms\n\n| op | nodes | ms | share |\n|---|---|---|---|")
    for op, (took, count) in sorted(by_op.items(), key=lambda item: -item[1][0])[:12]:
        print(f"| {op} | {count} | {took:.3f} | {took / total:.1%} |")
    print("\n| node | op | ms |\n|---|---|---|")
    for name, took in sorted(times.items(), key=lambda item: -item[1])[:25]:
        print(f"| `{name}` | {ops[name]} | {took:.3f} |")


def sessions(graph, values, count):
    """The figures of `networks sessions`."""
    calls, with_one, start = [], 0, time.perf_counter()
    for _ in range(count):
        calls.append(session(graph, 1).make_callable(values.fetches, values.feeds))
        calls[-1](*values.inputs[0])
        with_one = with_one or memory("VmRSS:")
    made, start = time.perf_counter() - start, time.perf_counter()
    for call in calls:
        call(*values.inputs[0])
    ran = time.perf_counter() - start
    print(f"{made * 1e3 / count:.4f} {ran * 1e3 / count:.4f} {with_one:.1f} {memory('VmRSS:'):.1f}")


def main():
    what, graph, archive, threads, *extents = sys.argv[1:]
    values = Values(archive, extents)
    start = time.perf_counter()
    loaded_graph = load(graph)
    if what == "sessions":
        return sessions(loaded_graph, values, int(threads))
    opened = session(loaded_graph, int(threads))
    loaded = time.perf_counter() - start
    if values.trains:
        opened.run("init")
    if what == "profile":
        return profile(opened, values)
    targets = ["train"] if values.trains else []
    fetches = values.fetches + [opened.graph.get_operation_by_name(name) for name in targets]
    call = opened.make_callable(fetches, values.feeds)
    outputs = [call(*values.inputs[0])]
    first = time.perf_counter() - start
    outputs += [call(*each) for each in values.inputs[1:]]
    serve(call, values, loaded, first, error(values, outputs))


if __name__ == "__main__":
    main()
