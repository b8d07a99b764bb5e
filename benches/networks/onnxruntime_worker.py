"""Runs a network in ONNX Runtime as it is asked, as `networks serve` of the benchmark does: the same lines in and out.

usage: onnxruntime_worker.py serve NAME.onnx VALUES THREADS [AXIS=EXTENT...]

NAME.onnx is what `to_onnx.py` makes of the GraphDef.
"""

import sys
import time

import onnxruntime

from values import Values, error, serve


def main():
    _, graph, archive, threads, *extents = sys.argv[1:]
    values = Values(archive, extents)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = int(threads)
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    start = time.perf_counter()
    session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
    loaded = time.perf_counter() - start

    def call(*inputs):
        return session.run(values.fetches, dict(zip(values.feeds, inputs)))

    outputs = [call(*values.inputs[0])]
    first = time.perf_counter() - start
    serve(call, values, loaded, first, error(values, outputs))


if __name__ == "__main__":
    main()
