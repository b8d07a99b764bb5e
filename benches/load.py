"""From a graph's file to the first result, oplink beside TensorFlow: a table in Markdown.

    cargo bench -p oplink --bench load --no-run      # prints where the binary is
    OPLINK_TENSORFLOW_VENV/bin/python benches/load.py BINARY FOLDER NAME...

FOLDER has the graphs NAME.pb that tests/tools/make_models.py makes of networks for pictures. Each figure is of a process of its own, in
turn; the best of the rounds counts, so that files are in the system's cache. Imports and libraries are loaded before the clock starts, and
the memory that they take is taken off the peak; oplink's is told whole beside it.
"""

import os
import re
import resource
import subprocess
import sys
import time

ROUNDS = 2
FEED, FETCH, EXTENTS = "a:0", "Identity:0", (1, 224, 224, 3)


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def tensorflow(path):
    """Runs in a process of its own: prints load, first result (ms), peak of memory (MB)."""
    os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")
    import numpy as np
    import tensorflow as tf

    v1 = tf.compat.v1
    picture = np.full(EXTENTS, 0.5, np.float32)
    # What the first use of the library costs is not the graph's.
    with tf.Graph().as_default() as graph, v1.Session(graph=graph) as session:
        session.run(tf.nn.conv2d(tf.zeros((1, 8, 8, 4)), tf.zeros((3, 3, 4, 4)), 1, "SAME"))
    before = peak()
    start = time.perf_counter()
    definition = v1.GraphDef()
    with open(path, "rb") as file:
        definition.ParseFromString(file.read())
    with tf.Graph().as_default() as graph:
        tf.graph_util.import_graph_def(definition, name="")
        loaded = time.perf_counter()
        with v1.Session(graph=graph) as session:
            session.run(FETCH, {FEED: picture})
            first = time.perf_counter()
    print("load %.2f ms, first result %.2f ms, peak %.0f kB" % (
        (loaded - start) * 1e3, (first - start) * 1e3, (peak() - before) * 1024))


def figures(command):
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return {name: float(value) for name, value in re.findall(r"(load|first result|later run|peak) ([0-9.]+)", output)}


def main():
    binary, folder, names = sys.argv[1], sys.argv[2], sys.argv[3:]
    print("| network | weights' file | oplink: load | first result | a later run | peak | TensorFlow: load | first result | peak |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name in names:
        path = os.path.join(folder, name + ".pb")
        ours = [binary, path, FEED, ",".join(map(str, EXTENTS)), FETCH]
        theirs = [sys.executable, __file__, "--tensorflow", path]
        rounds = [(figures(ours), figures(theirs)) for _ in range(ROUNDS)]
        best = [{key: min(one[side][key] for one in rounds) for key in rounds[0][side]} for side in (0, 1)]
        ms, mb = (lambda value: f"{value:.3g} ms"), (lambda value: f"{value / 1024:.0f} MB")
        us, tf = best
        print("| " + " | ".join([
            name, mb(os.path.getsize(path) / 1024), ms(us["load"]), ms(us["first result"]), ms(us["later run"]), mb(us["peak"]),
            ms(tf["load"]), ms(tf["first result"]), mb(tf["peak"])]) + " |", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "--tensorflow":
        tensorflow(sys.argv[2])
    else:
        main()
