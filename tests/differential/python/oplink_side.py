"""Runs cases in oplink, through the server of this folder's crate."""
import struct
import subprocess
import threading

from tensorflow.core.framework import tensor_pb2

import protos
from dtypes import from_registry
from outcome import Crash, Failure

# Seconds after which a case counts as hanging.
PATIENCE = 60


class Server:
    """The server's process, started again where it dies."""

    def __init__(self, program):
        self.program = program
        self.process = None

    def ask(self, *chunks):
        """The chunks of the answer; or a crash."""
        if self.process is None:
            self.process = subprocess.Popen([self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        watch = threading.Timer(PATIENCE, self.process.kill)
        watch.start()
        try:
            message = [struct.pack("<I", len(chunks))]
            for chunk in chunks:
                message += [struct.pack("<I", len(chunk)), chunk]
            self.process.stdin.write(b"".join(message))
            self.process.stdin.flush()
            return [self._read(self._length()) for _ in range(self._length())]
        except (BrokenPipeError, EOFError):
            status = self.process.wait()
            self.process = None
            return Crash(f"the process ended with status {status}")
        finally:
            watch.cancel()

    def _length(self):
        return struct.unpack("<I", self._read(4))[0]

    def _read(self, count):
        data = self.process.stdout.read(count)
        if len(data) < count:
            raise EOFError
        return data

    def ops(self):
        """For each registered op its kernels: device, label, names of type attrs, combinations of dtypes."""
        found = {}
        for line in self.ask(b"ops")[0].decode().splitlines():
            if line.startswith("op "):
                kernels = found.setdefault(line[3:], [])
                continue
            _, device, label, attrs, combinations = line.split(" ")
            label = label.strip("-")
            attrs = [] if attrs == "-" else attrs.split(",")
            rows = [] if combinations == "-" else combinations.split(";")
            kernels.append((device, label, attrs, [tuple(map(from_registry, row.split(","))) for row in rows]))
        return found

    def run(self, case):
        """The outputs of one op; or a failure, or a crash."""
        node = protos.node(case.op_def, "op", [], case.attrs)
        answer = self.ask(b"call", node.SerializeToString(), *(_message(t) for t in case.flat_inputs()))
        return answer if isinstance(answer, Crash) else _values(answer)[0]

    def run_steps(self, case):
        """The fetched values or the failure of each step; or one failure where the graph is refused."""
        chunks = [b"run", case.graph.SerializeToString()]
        for step in case.steps:
            chunks.append(b"step")
            for name, tensor in step.feeds:
                chunks += [b"feed", name.encode(), _message(tensor)]
            chunks += [part for name in step.fetches for part in (b"fetch", name.encode())]
            chunks += [part for name in step.targets for part in (b"target", name.encode())]
        answer = self.ask(*chunks)
        if isinstance(answer, Crash):
            return answer
        steps = []
        while answer:
            outcome, used = _values(answer)
            steps.append(outcome)
            answer = answer[used:]
        refused = len(steps) != len(case.steps) and len(steps) == 1 and isinstance(steps[0], Failure)
        return steps[0] if refused else steps

    def infer(self, graph_def):
        """Dtypes and shapes of all outputs of all nodes by name; or a failure, or a crash."""
        answer = self.ask(b"infer", graph_def.SerializeToString())
        if isinstance(answer, Crash):
            return answer
        if answer[0] != b"ok":
            return _values(answer)[0]
        found = {}
        for line in answer[2].decode().splitlines():
            name, dtype, shape = line.split(" ")
            found[name] = (from_registry(dtype), _dims(shape))
        return found


def _dims(text):
    if text == "?":
        return None
    return [None if d == "?" else int(d) for d in text[1:-1].split(",") if d]


def _message(tensor):
    return protos.tensor_proto(tensor).SerializeToString()


def _values(answer):
    """The first outcome among the chunks, and how many of them it takes."""
    if answer[0] == b"error":
        code, kind, message = (chunk.decode(errors="replace") for chunk in answer[1:4])
        return Failure(code, message, kind), 4
    count = int(answer[1])
    return [protos.tensor_from(tensor_pb2.TensorProto.FromString(c)) for c in answer[2:2 + count]], 2 + count
