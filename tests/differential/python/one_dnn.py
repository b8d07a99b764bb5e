"""Stock TensorFlow with oneDNN, for ops that only its rewrite of graphs gives kernels.

TensorFlow reads once in a process whether to use oneDNN. So these graphs run in a process of their own: this file, which
answers pickled cases of graphs with what their steps gave.
"""
import os
import pickle
import struct
import subprocess
import sys

import numpy as np


class OneDnn:
    """The process, started with the first case."""

    def __init__(self):
        self.process = None

    def run_steps(self, case):
        """As `tensorflow_side.run_steps`. Where TensorFlow takes that process with it, this one ends as if it were its own."""
        if self.process is None:
            environment = os.environ | {"TF_ENABLE_ONEDNN_OPTS": "1"}
            self.process = subprocess.Popen([sys.executable, __file__], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.DEVNULL)
        try:
            send(self.process.stdin, case)
            return receive(self.process.stdout)
        except (BrokenPipeError, EOFError):
            os.abort()


def send(stream, value):
    data = pickle.dumps(value)
    stream.write(struct.pack("<I", len(data)) + data)
    stream.flush()


def receive(stream):
    return pickle.loads(_read(stream, struct.unpack("<I", _read(stream, 4))[0]))


def _read(stream, count):
    data = stream.read(count)
    if len(data) < count:
        raise EOFError
    return data


def main():
    import tensorflow_side
    while True:
        try:
            case = receive(sys.stdin.buffer)
        except EOFError:
            return
        outcome = tensorflow_side.run_steps(case)
        if isinstance(outcome, list):
            outcome = [_owned(step) if isinstance(step, list) else step for step in outcome]
        send(sys.stdout.buffer, outcome)


def _owned(tensors):
    """The tensors with arrays of their own, in one piece of memory."""
    for tensor in tensors:
        tensor.array = np.array(tensor.array)
    return tensors


if __name__ == "__main__":
    main()
